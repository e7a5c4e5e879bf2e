"""Kinds of a game file: examples of new cards, and help for authors."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.scaffold.cards import new_card
from tests.game_file.games import BRAVE, HEADER, findings, write_game

FRIENDS = """
  fire-friend:
    fields:
      of: {type: card, kind: brave, help: whom it follows}
      mood: {type: choice, choices: {calm: never leaves, wild: leaves on a 1}, optional: true}
    example: {of: <brave>}
  spark:
    fields: {cost: {type: integer, min: 2}, size_of_it: {type: choice, choices: [big, small]}}
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path, HEADER + BRAVE + FRIENDS))


@pytest.mark.parametrize(("kind", "line"), [("brave", "heat: 3"), ("spark", "cost: 2")])
def test_a_new_card_is_the_example_or_minimal(tmp_path: Path, kind: str, line: str) -> None:
    path = new_card(kind, "Ash")
    assert line in path.read_text(encoding="utf-8").splitlines()
    assert findings(tmp_path) == []


def test_examples_name_cards_of_the_project(tmp_path: Path) -> None:
    with pytest.raises(CardgenError, match="this kind of card needs a brave"):
        new_card("fire-friend", "Puff")
    new_card("brave", "Ash")
    text = new_card("fire-friend", "Puff").read_text(encoding="utf-8")
    assert "of: ash\n" in text
    assert "calm (never leaves) or wild (leaves on a 1)" in text
    assert findings(tmp_path) == []
    assert [entry.kind for entry in load_deck(())[1].cards] == ["brave", "fire-friend"]
