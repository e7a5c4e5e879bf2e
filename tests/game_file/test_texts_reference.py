"""Reference sheets, glossary, and rulings of a game file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.matches.trials import list_rulings
from cardgen.reference_sheets.make_sheets import SheetRequest, list_sheets, sheet_documents
from tests.game_file.games import BRAVE, HEADER, game_of, write_game

TEXTS = """
glossary:
  Heat: {means: What a brave rolls against., forms: [Heats, warm], bold: true}
  Smoke: A cloud that hides.
rulings:
  sixes: {question: "Does a 6 ever succeed?", settings: {never: "No.", heat: "With Heat 6."}}
sheets: [sheets/summary.yaml]
"""
SHEET = """
title: Ember at a glance
sections:
  - section: Braves
    content:
      - {show: cards, with: {kind: brave, fields: [heat, role]}}
      - {show: texts, with: {kind: brave}}
      - {show: glossary}
      - "A 6: <ruling sixes>"
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, HEADER + BRAVE + TEXTS, a="kind: brave\nname: Ash\nheat: 4\ntext: Burns.\n")
    (tmp_path / "games" / "ember" / "sheets").mkdir()
    (tmp_path / "games" / "ember" / "sheets" / "summary.yaml").write_text(SHEET, encoding="utf-8")


def test_glossary_and_rulings_are_those_of_a_game_in_python(tmp_path: Path) -> None:
    rules = game_of(tmp_path)
    heat, smoke = rules.terms
    assert (heat.name, heat.forms, heat.everyday, heat.bold) == ("Heat", ("Heat", "Heats", "Warm"), ("Warm",), True)
    assert (smoke.definition, smoke.bold) == ("A cloud that hides.", False)
    (ruling,) = rules.rulings
    assert (ruling.id, ruling.default, dict(ruling.settings)) == (
        "sixes",
        "never",
        {"never": "No.", "heat": "With Heat 6."},
    )


def test_house_rules_apply_without_a_referee(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: ember\nrulings: {sixes: heat}\n", encoding="utf-8")
    assert [(row[4], row[2]) for row in list_rulings(None)] == [("never", False), ("heat", True)]
    (tmp_path / "cardgen.yaml").write_text("game: ember\nrulings: {sixes: heta}\n", encoding="utf-8")
    with pytest.raises(CardgenError, match="unknown 'sixes' setting 'heta'"):
        list_rulings(None)


def test_sheets_show_cards(tmp_path: Path) -> None:
    assert list_sheets() == [("summary", "Ember at a glance", "")]
    (document,) = sheet_documents(SheetRequest(output=tmp_path))
    text = repr(document)
    for words in ("Ash", "heat", "scout", "Burns.", "A cloud that hides.", "No."):
        assert words.casefold() in text.casefold(), words


def test_sheets_of_the_project_extend_a_game_without_sheets(tmp_path: Path) -> None:
    write_game(tmp_path, HEADER + BRAVE)
    (tmp_path / "games" / "ember" / "sheets" / "summary.yaml").unlink()
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "house.yaml").write_text(SHEET.replace('"A 6: <ruling sixes>"', "None."), encoding="utf-8")
    assert [name for name, _, _ in list_sheets()] == ["house"]


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("sheets/sumary.yaml", "file 'sheets/sumary.yaml' not found beside the game file"),
        ("summary.yaml", "is not a file such as sheets/summary.yaml"),
        ("../../cardgen.yaml", "points outside the folder of the game"),
        ("/etc/passwd", "is an absolute path"),
        ("sheets/summary.txt", "is not a file such as sheets/summary.yaml"),
    ],
)
def test_wrong_sheets_are_located(tmp_path: Path, sheet: str, message: str) -> None:
    write_game(tmp_path, HEADER + BRAVE + f"sheets:\n  - {sheet}\n")
    with pytest.raises(CardgenError) as caught:
        game_of(tmp_path)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert found.place.span is not None
    assert found.place.source_line == f"  - {sheet}"


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("{show: cards, with: {kind: bravo}}", "unknown kind 'bravo'; did you mean 'brave'?"),
        ("{show: cards, with: {kind: brave, fields: [haet]}}", "unknown field 'haet'; did you mean 'heat'?"),
    ],
)
def test_wrong_blocks_are_located(tmp_path: Path, block: str, message: str) -> None:
    sheet = tmp_path / "games" / "ember" / "sheets" / "summary.yaml"
    sheet.write_text(SHEET.replace('"A 6: <ruling sixes>"', block), encoding="utf-8")
    with pytest.raises(CardgenError, match=r"summary.yaml:9:\d+") as caught:
        sheet_documents(SheetRequest(output=tmp_path))
    assert message in str(caught.value)
