"""Texts of cards that could reorder what a terminal shows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardgen.matches.trials import odds_as_text
from cardgen.referee.trial import OddsTable
from tests.cli.commands import Program
from tests.projects import MINION, Folder


def test_a_list_shows_names_with_escapes(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.plain().write("cards/a.yaml", MINION.replace("Sentinel", "Sen\u202etinel"))
    out = Program(capsys)("list").out
    assert "\u202e" not in out
    assert "Sen\\u202etinel  cards/a.yaml" in out


def test_odds_show_titles_and_words_with_escapes() -> None:
    table = OddsTable("Sen\u202etinel", (("a\x1b[2J", Fraction(1, 2)),))
    assert not {"\u202e", "\x1b"} & set("".join(odds_as_text([table])))


def test_a_csv_of_odds_shows_names_with_escapes(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    out = _duel(folder, capsys, "--format", "csv")
    assert "Sen\\u202etinel" in out


@pytest.mark.parametrize("more", [(), ("--json",), ("--seed", "1", "--roll")])
def test_a_duel_shows_names_with_escapes(
    folder: Folder, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    assert "Sen\\u202etinel" in _duel(folder, capsys, *more)


def _duel(folder: Folder, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """Return what a duel of a card that carries an evil name prints."""
    folder.plain().write("cards/a.yaml", MINION.replace("Sentinel", "Sen\u202etinel"))
    outcome = Program(capsys)("duel", "sentinel", "sentinel", *more)
    assert "\u202e" not in outcome.out + outcome.err
    return outcome.out


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("export", "--help"), "My\\u202eService"),
        (("export", "own", "--help"), "My\\u202eService"),
        (("export", "a\u202eb", "-h"), "a\\u202eb"),  # no file can have this name on every platform
    ],
)
def test_help_shows_profiles_of_the_project_with_escapes(
    folder: Folder, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], shown: str
) -> None:
    for name in ("own", "a\u202eb"):
        folder.write(f"services/{name}.yaml", "target: mpc\ntitle: My\u202eService\n")
    outcome = Program(capsys)(*arguments)
    assert outcome.code == 0
    assert shown in outcome.out
    assert "\u202e" not in outcome.out
