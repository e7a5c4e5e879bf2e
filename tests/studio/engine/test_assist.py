"""Completion and help for the text that is being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.studio.engine.remote import Engine

HERO = "kind: character\nname: Gravel 🎲\nstats: {M: 4, B: 4, S: 3, W: 5, Mo: 10}\nweapons:\n  - Fist: CW R1 P1 D1\n"
FILE = "cards/gravel.yaml"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (tmp_path / FILE).write_text(HERO, encoding="utf-8")
    (tmp_path / "cards" / "ash.yaml").write_text(HERO.replace("Gravel 🎲", "Ash"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Engine(str(tmp_path))


def test_keys_are_completed_in_a_text_that_is_not_saved(engine: Engine) -> None:
    text = f"{HERO}mot"
    labels = [each.label for each in engine.assist.complete(FILE, text, len(text))]
    assert labels[0] == "motto"


def test_help_of_a_card_names_the_card_to_show(engine: Engine) -> None:
    help_text = engine.assist.help(FILE, HERO, 2, 9)
    assert help_text
    assert "Gravel" in help_text.markdown
    assert HERO[help_text.start : help_text.end] == "Gravel 🎲"
    assert help_text.card == "warniris/character/gravel"
    assert engine.assist.odds(help_text.card)[0].startswith("Fist at Ash: wounds ")
    assert engine.assist.help(FILE, "kind: [", 1, 8) is None


def test_a_card_that_is_gone_has_no_odds(engine: Engine) -> None:
    assert engine.assist.odds("warniris/character/nobody") == []
