"""Odds of a card against typical cards of the project."""

from __future__ import annotations

from pathlib import Path

from cardgen.editor.session import odds_lines
from tests.editor.harness import HERO, Editor


def lines(editor: Editor, kind: str, card: str) -> list[str]:
    return editor.session.ask(lambda loaded: odds_lines(loaded, "warniris", kind, card))


def test_odds_are_those_of_the_unsaved_text(tmp_path: Path) -> None:
    files = {"cards/gravel.yaml": HERO, "cards/ash.yaml": HERO.replace("Old Gravel", "Young Ash")}
    editor = Editor(tmp_path, files)
    editor.write("cards/gravel.yaml", HERO.replace("D1", "D2").replace("Fist", "Hammer"))
    (first, *_) = lines(editor, "character", "old-gravel")
    assert first.startswith("Hammer at Young Ash: wounds ")
    assert first.endswith(" %")


def test_a_card_without_benchmarks_has_no_odds(editor: Editor) -> None:
    assert lines(editor, "relic", "test-cloak") == []
    assert lines(editor, "relic", "no-such-card") == []


def test_what_the_odds_leave_out_is_said_before_them(tmp_path: Path) -> None:
    hero = HERO + "abilities:\n  - {name: Trick, text: Wolves like her.}\n"
    editor = Editor(tmp_path, {"cards/gravel.yaml": hero, "cards/ash.yaml": HERO.replace("Old Gravel", "Young Ash")})
    first, *others = lines(editor, "character", "old-gravel")
    assert first == "not adjudicated: Old Gravel: 'Trick' has only text"
    assert others
    assert not any("not adjudicated" in line for line in others)
