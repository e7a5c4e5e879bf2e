"""Names in checks of lists: the cards that a list names, each as often as the list has it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest

from cardgen.game_file import loader
from cardgen.model.card import Card
from cardgen.model.deck import Reference
from cardgen.rulesets.ruleset import Kind
from cardgen.validation.base import Int, Model, Text
from tests.game_file.games import HEADER, findings, write_game
from tests.game_file.test_checks import KINDS, failed_examples

HOT = """
checks:
  hot-band:
    code: EM310
    kind: band
    when: members.sum(heat) > most or members.all(heat > 5)
    at: members
    say: "{{ members.count() }} braves with Heat {{ members.sum(heat) }}; {{ members.count(heat > 3) }} are hot"
    wrong: {most: 10, members: [{heat: 6}, {heat: 5}]}
    right: {most: 10, members: [{heat: 4}]}
"""


class Member(Model):
    card: Annotated[Text, Reference("brave")]
    qty: Int = 1


class Band(Card):
    KIND: ClassVar[str] = "band"
    MEMBER_KIND: ClassVar[str] = "brave"
    most: Int = 9
    members: tuple[Member, ...] = ()


@pytest.fixture(autouse=True)
def _lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loader, "compile_lists", lambda context: [Kind(Band, "")])


def test_members_are_cards_with_copies(tmp_path: Path) -> None:
    band: Any = "kind: band\nname: Warm\nmembers:\n- {card: Ash, qty: 2}\n- {card: elm}\n"
    braves = "kind: brave\ncards:\n- {name: Ash, heat: 4}\n- {name: Elm, heat: 3}\n"
    write_game(tmp_path, HEADER + KINDS + HOT, a=braves, b=band)
    assert findings(tmp_path) == ["cards/b.yaml:4:1 EM310 3 braves with Heat 11; 2 are hot"]


def test_examples_of_lists_contain_their_members() -> None:
    assert failed_examples(HEADER + KINDS + HOT) == (2, [])
    broken = HOT.replace("{heat: 5}", "{heat: 9}")
    assert failed_examples(HEADER + KINDS + broken)[1] == [
        "the example is not a valid brave: must be between 1 and 6, not 9"
    ]
