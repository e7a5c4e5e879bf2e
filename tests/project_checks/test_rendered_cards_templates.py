"""Checks find the mistakes in a project's templates, also where no card goes."""

from __future__ import annotations

import pytest
from PIL import Image

from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import BACK, FRONT, MINION, Folder


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


@pytest.mark.parametrize(
    ("front", "message"),
    [
        (FRONT.replace("</svg>", ""), "the SVG is not well-formed: no element found; </svg> is missing"),
        (FRONT.replace('fill="#eee"', 'fill="whitte"'), "unknown color 'whitte'; did you mean 'white'?"),
        (FRONT.replace('style="body"', 'style="bdy"', 1), "unknown style 'bdy' in the theme; did you mean 'body'?"),
        (FRONT.replace("<rect ", "<rekt ", 1), "<rekt> is not supported; did you mean 'rect'?"),
    ],
)
def test_mistakes_in_svg_are_found_without_checks_of_fit(folder: Folder, front: str, message: str) -> None:
    folder.write("cards/a.yaml", MINION)
    folder.write("cards/b.yaml", MINION.replace("Sentinel", "Ghost"))
    folder.write("templates/warniris/minion.svg.j2", front)
    folder.write("templates/warniris/minion.back.svg.j2", BACK)
    found = [one.diagnostic for one in check_project(CheckRequest()).findings]
    assert [each.message.partition(" (")[0] for each in found if each.place.file.endswith(".j2")] == [message]


def test_mistakes_in_expressions_do_not_hide_those_in_svg(folder: Folder) -> None:
    """Faults that follow from a mistake in an expression are left out."""
    more = """{% set wide = widht %}
<rect x="1" y="1" width="{{ wide }}" height="{{ card.nmae }}" fill="gren"/>
<rect x="1" y="1" width="{{ wide }}" height="2"/>
<text x="1" y="1" style="tilte">{{ card.name }}</text>
<path d="M0 0h9" stroke="whitte"/>
</svg>"""
    folder.write("cards/a.yaml", MINION)
    folder.write("templates/warniris/minion.svg.j2", FRONT.replace("</svg>", more))
    found = [one.diagnostic.message.partition(";")[0] for one in check_project(CheckRequest()).findings]
    assert found == [
        "unknown name 'widht'",
        "unknown minion field 'nmae'",
        "unknown style 'tilte' in the theme",
        "unknown color 'whitte'",
    ]


def test_texts_that_do_not_fit_are_left_to_the_checks_of_fit(folder: Folder) -> None:
    folder.write("cards/a.yaml", f"{MINION}text: {'Too long. ' * 90}\n")
    folder.write("templates/warniris/minion.svg.j2", FRONT)
    assert [one.diagnostic.code for one in check_project(CheckRequest()).findings] == []
    assert "CG501" in {one.diagnostic.code for one in check_project(CheckRequest(fit=True)).findings}


def test_a_font_that_cannot_be_used_is_found(folder: Folder) -> None:
    folder.write("cards/a.yaml", MINION)
    folder.write("fonts/bad.otf", b"OTTO")
    (found,) = check_project(CheckRequest()).findings
    assert found.diagnostic.place.file == "fonts/bad.otf"


def test_the_looks_of_pieces_that_a_kit_makes_are_checked_in_templates_of_ones_own(folder: Folder) -> None:
    folder.write("cards/a.yaml", MINION)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n{}\n</svg>'
    words = '<text x="3" y="12" size="5pt" fill="#cccccc">Ours</text>'
    picture = '<cg:art x="3" y="20" width="9" height="9" file="p.png"/>'
    folder.write("templates/warniris/standee.svg.j2", svg.format(f"{words}\n{picture}"))
    Image.new("RGB", (9, 9)).save(folder.root / "p.png")
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    places = {each.code: (each.place.file, each.place.span and each.place.span.line) for each in found}
    template = "templates/warniris/standee.svg.j2"
    assert places == {"CG505": (template, 2), "CG506": (template, 3), "CG560": (template, 2)}
