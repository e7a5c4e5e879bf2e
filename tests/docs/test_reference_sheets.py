from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.deck.deck import require_game
from cardgen.reference_sheets.catalog import load_reference
from cardgen.reference_sheets.make_sheets import SheetRequest, list_sheets, make_sheets
from cardgen.reference_sheets.typography import COLOURS, FONTS
from cardgen.rulesets.reference import INLINE_VALUES
from tests.projects import Folder

PAGE = (Path(__file__).parent.parent.parent / "docs" / "reference-sheets.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
GAME = load_reference(require_game("warniris"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split("\n")[0])
def test_examples_are_sheets(example: str, folder: Folder) -> None:
    folder.write("sheets/example.yaml", example)
    assert len(make_sheets(SheetRequest(sheets=("example",), formats=("pdf", "html"))).files) == 2


def test_every_quote_and_every_sheet_stands_there() -> None:
    assert {"see", *INLINE_VALUES, *GAME.inline_values} == set(re.findall(r"^\| `<(\w+) ", PAGE, re.MULTILINE))
    sheets = PAGE.split("| Warniris sheet |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", sheets, re.MULTILINE)) == _names()


def test_what_sheets_ask_of_themes_stands_on_their_page() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "templates.md").read_text(encoding="utf-8")
    words = re.findall(r"`([a-z]+)`", page.split("<!-- sheets -->")[1].split("\n\n")[0])
    assert sorted(words) == sorted((*COLOURS, *FONTS))


def _names() -> set[str]:
    return {name for name, _, _ in list_sheets()}


def test_the_message_is_what_the_program_says(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = re.findall(r"^sheets/house.*$", PAGE, re.MULTILINE)
    pattern = re.sub(r"\\?\d+", r"\\d+", re.escape(shown))
    long = "      - " + "Say it again. " * 30 + "\n"
    folder.write(
        "sheets/house.yaml", "title: A\ncolumns: 2\npages: 1\nsections:\n  - section: B\n    content:\n" + long * 40
    )
    from cardgen.cli import run

    assert run(["reference", "house"]) == 1
    assert re.search(pattern, capsys.readouterr().err)
