"""Checks find the mistakes in a project's templates, also where no card goes."""

from __future__ import annotations

from cardgen.pipeline.check.run import CheckRequest, check_project
from tests.pipeline.projects import BACK, FRONT, MINION, Folder


def messages(folder: Folder, front: str) -> list[str]:
    folder.write("cards/a.yaml", MINION)
    folder.write("templates/warniris/minion.svg.j2", front)
    folder.write("templates/warniris/minion.back.svg.j2", BACK)
    return [one.diagnostic.message for one in check_project(CheckRequest()).findings if one.check.code == "CG511"]


def test_a_mistake_in_a_branch_that_no_card_takes_is_found(folder: Folder) -> None:
    wrong = "{% if card.motto %}{{ card.mtto }}{{ card.name|uper }}{% endif %}"
    assert messages(folder, FRONT.replace("</svg>", f"{wrong}</svg>")) == [
        "unknown minion field 'mtto'; did you mean 'motto'?", "unknown filter 'uper'; did you mean 'upper'?",
    ]  # fmt: skip


def test_right_templates_have_no_mistakes(folder: Folder) -> None:
    assert messages(folder, FRONT) == []


def test_a_mistake_is_said_once_for_all_cards(folder: Folder) -> None:
    folder.write("cards/b.yaml", MINION.replace("Sentinel", "Ghost"))
    assert messages(folder, FRONT.replace("card.name", "card.nmae")) == [
        "unknown minion field 'nmae'; did you mean 'name'?"
    ]
