"""Trials of a game file from the command line: rolled, worked out, verified, replayed, and plotted."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from cardgen.project.project import Project
from tests.cli.commands import Program
from tests.game_file.games import HEADER, write_game
from tests.game_file.test_loader_trials import CALLS
from tests.game_file.trials import EMBER, WARM

BRAVES = "kind: brave\ncards:\n- {name: Ash, heat: 3}\n- {name: Elm, heat: 6}\n"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path, HEADER + EMBER + WARM, a=BRAVES))


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def test_a_seed_repeats_a_roll_and_its_transcript_is_valid(cardgen: Program) -> None:
    first = cardgen("trial", "warm", "Ash", "--seed", "a", "-o", "a.jsonl")
    assert first.code == 0
    assert first == cardgen("trial", "warm", "ash", "--seed", "a", "-o", "a.jsonl")
    assert "VALID" in cardgen("verify", "a.jsonl").out
    text = Path("a.jsonl").read_text(encoding="utf-8")
    Path("a.jsonl").write_text(text.replace('"need":3', '"need":4'), encoding="utf-8")
    assert "'need' must be 3, not 4" in cardgen("verify", "a.jsonl").err


def test_a_game_that_has_changed_does_not_verify(tmp_path: Path, cardgen: Program) -> None:
    cardgen("trial", "warm", "Ash", "--seed", "a", "-o", "a.jsonl")
    write_game(tmp_path, HEADER + EMBER + WARM.replace("1d3", "1d4"))
    Project.find(tmp_path)
    assert "another version" in cardgen("verify", "a.jsonl").err


def test_odds_by_rulings_as_data_and_as_a_plot(cardgen: Program) -> None:
    assert "stays cold" in cardgen("trial", "warm", "Elm", "--odds").out
    assert "stays cold" not in cardgen("trial", "warm", "Elm", "--odds", "--ruling", "sixes=heat").out
    data = json.loads(cardgen("trial", "warm", "Ash", "--odds", "--json").out)
    assert data["tables"][0]["parts"]["gains 3 Heat"]["exact"] == "1/6"
    assert cardgen("trial", "warm", "Ash", "--plot", "odds.svg").code == 0
    assert Path("odds.svg").read_text(encoding="utf-8").startswith("<svg")


def test_players_are_asked(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("7\n2\n3\n"))
    output = cardgen("trial", "warm", "Ash", "--ask", "-o", "a.jsonl").out
    assert "a D6 must be between 1 and 6, not 7" in output
    assert "gains 3 Heat" in output
    assert "VALID" in cardgen("verify", "a.jsonl").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("warm", "Ahs"), "unknown brave 'Ahs'"),
        (("warm",), "BRAVE"),
        (("warm", "Ash", "--bonus", "9"), "9 is not in the range"),
        (("wrm", "Ash"), "wrm"),
    ],
)
def test_wrong_values_of_options(cardgen: Program, arguments: tuple[str, ...], message: str) -> None:
    result = cardgen("trial", *arguments)
    assert result.code
    assert message in result.err


def test_flags_and_choices_are_options(tmp_path: Path, cardgen: Program) -> None:
    write_game(tmp_path, HEADER + EMBER + CALLS)
    output = cardgen("trial", "fire", "Ash", "--wet", "--wood", "oak", "--odds").out
    assert "oak lit lit" in output
    assert "1/6" in output
    assert "pine" in cardgen("trial", "fire", "Ash", "--wood", "pine").err


def test_mistakes_and_wrong_values_are_shown_in_the_game_file(tmp_path: Path, cardgen: Program) -> None:
    write_game(tmp_path, HEADER + EMBER + WARM.replace("brave.heat + bonus", "brave.name + bonus"))
    error = cardgen("trial", "warm", "Ash").err
    assert "games/ember/game.yaml:29:52:" in error
    assert "'+' needs a number, not a text" in error
    write_game(tmp_path, HEADER + EMBER + WARM.replace("brave.heat", "brave.heet"))
    assert "'brave' has no 'heet'; did you mean 'heat'?" in cardgen("trial", "warm", "Ash").err
