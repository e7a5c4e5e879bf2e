"""Odds of a game file's trials, quoted on reference sheets as worked examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.game_file.games import HEADER, write_game
from tests.game_file.trials import EMBER, WARM

SHEET = """
title: Warm braves
sections:
  - section: Odds
    content:
      - example:
          title: Warmth
          text: "Ash stays cold <stays-cold> of the time, and gains 3 Heat <gains-3-heat>."
          trial: warm
          with: {brave: Ash, bonus: 1}
          dice: [4, 2]
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path, HEADER + EMBER + WARM, a="kind: brave\nname: Ash\nheat: 3\n"))
    (tmp_path / "sheets").mkdir()
    theme = (
        "colours: {%s}\nfonts: {text: Source Sans 3, display: Source Sans 3}\nstyles: {body: {font: text, size: 9}}\n"
    )
    names = [
        "ink",
        "soft",
        "glow",
        "panel",
        "line",
        "accent",
        "plaque",
        "frame",
        "light",
        "gilt",
        "edge",
        "lattice",
        "or",
        "paper",
    ]
    colours = ", ".join(f'"{name}": "#2a1a12"' for name in names)
    (tmp_path / "games" / "ember" / "templates" / "theme.yaml").write_text(theme % colours, encoding="utf-8")


def html_of(sheet: str, cardgen: Program) -> str:
    Path("sheets/odds.yaml").write_text(sheet, encoding="utf-8")
    result = cardgen("reference", "odds", "--format", "html", "-o", "out")
    assert result.code == 0, result.err
    (page,) = Path("out").rglob("*.html")
    return page.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def test_a_sheet_quotes_odds_and_plays_given_dice(cardgen: Program) -> None:
    page = html_of(SHEET, cardgen)
    assert "1 in 3 (33 %)" in page
    assert "2 in 9 (22 %)" in page
    assert "how much, a D3: rolled 2" in page
    assert "4 or less on a D6: rolled 4: success" in page


def test_a_wrong_example_is_located(cardgen: Program) -> None:
    Path("sheets/odds.yaml").write_text(SHEET.replace("bonus: 1", "bonus: 9"), encoding="utf-8")
    result = cardgen("reference", "odds", "--format", "html", "-o", "out")
    assert "sheets/odds.yaml:10:" in result.err
    assert "must be a whole number between -3 and 3, not 9" in result.err
