"""The pages of keys, words, and rulings are up to date and complete."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    """The pages as they should be."""
    return dict(runpy.run_path(str(DOCS / "reference.py"))["pages"]())


def test_the_pages_say_what_the_program_says(pages: dict[Path, str]) -> None:
    assert {*pages} == {*(DOCS / "reference").glob("*.md"), DOCS / "checks.md", DOCS / "glossary.md"}
    stale = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "write them anew with: make docs"


def test_every_key_has_a_meaning_or_says_all_with_its_values(pages: dict[Path, str]) -> None:
    tables = [
        table
        for text in pages.values()
        for table in re.findall(r"^\| key \| values \| meaning \|.*\n(?:\|.*\n)+", text, re.MULTILINE)
    ]
    rows = [row for table in tables for row in table.splitlines()[2:]]
    assert len(rows) > 500
    assert [row for row in rows if re.match(r"\| `\w+` \| (?!(list of )?`)[^|]* \|  \|( |$)", row)] == []


def test_words_of_effects_print_a_sentence(pages: dict[Path, str]) -> None:
    warniris, warcry = (pages[DOCS / "reference" / f"{game}.md"] for game in ("warniris", "warcry"))
    assert "| `heal` | 1 to 30 | wounds regained | The bearer regains 2 **Wounds**. |" in warniris
    assert "| … if it has lost no **Wounds**, … |" in warniris
    assert "| a fighter to pick | Pick an enemy. |" in warcry
    assert len(re.findall(r"\| [^|]*\*\*[^|]* \|$", warniris + warcry, re.MULTILINE)) > 60


def test_pages_have_rulings_settings_and_limits(pages: dict[Path, str]) -> None:
    reference = DOCS / "reference"
    assert "\n**`clamp-order`** " in pages[reference / "warniris.md"]
    assert "| `paper` | text; default `a4` | `--paper` |" in pages[reference / "settings.md"]
    assert "| `toughness` | 1 to 12; required |" in pages[reference / "diskwars.md"]
