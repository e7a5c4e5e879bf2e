"""The choice of a battle trait in the match tracker: asked, undone, resumed, and verified."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from cardgen.cli import run
from tests.cli.test_battle import SAVE, verified

CARDS = """
game: warcry
cards:
  - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10}, points: 70,
     weapons: [{Axe: axe R1 A3 S4 D1/4}]}
  - kind: trait
    name: Omens
    runemark: chaos
    choices: [{name: Blood, changes: [{wounds: +3}]}, {name: Smoke, changes: [{move: +1}]}]
  - {kind: warband, name: The Few, trait: Omens, members: [{fighter: Asha}]}
  - {kind: warband, name: The Many, trait: Omens, choice: Blood, members: [{fighter: Asha}]}
"""
BEGIN = ("battle", "The Few", "The Many", "--battleplan", "Lightning Raid", "--seed", "c")


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    Path("cards").mkdir()
    Path("cards/few.yaml").write_text(CARDS, encoding="utf-8")


def type_in(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Type these answers, then leave."""
    typed = iter(answers)

    def prompt(*_: object, **__: object) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise click.Abort from None

    monkeypatch.setattr("click.prompt", prompt)


def test_a_choice_is_undone_resumed_and_verified(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "2", "undo", "1")
    run(BEGIN)
    told = capsys.readouterr().out
    assert told.count("1. Blood") == 2, "undo asks again, and The Many has chosen"
    assert told.index("The Few: Smoke:") < told.index("undone") < told.index("The Few: Blood:")
    assert "The Many: Blood:" in told
    assert "not finished" in verified(capsys)
    type_in(monkeypatch, "7")
    run(("battle", "--resume", str(SAVE)))
    told = capsys.readouterr().out
    assert "1. Blood" not in told
    assert "Asha 1 (0/13)" in told
    assert "not finished" in verified(capsys)


def test_another_choice_in_the_transcript_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "1", "7")
    run(BEGIN)
    text = SAVE.read_text(encoding="utf-8")
    SAVE.write_text(text.replace('"answer":"Blood"', '"answer":"Smoke"'), encoding="utf-8")
    capsys.readouterr()
    assert run(("verify", str(SAVE))) == 1
    assert "'told' must be" in capsys.readouterr().err
