"""Names that some systems reserve, or cannot tell apart."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.projects import STATS, Folder

DEVICES = (
    "con",
    "prn",
    "aux",
    "nul",
    "com1",
    "COM9",
    "lpt1",
    "LPT9",
    "Con",
    "con.",
    "con ",
    "nul...",
    " aux. ",
    "com¹",
)
RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])(\.|$)", re.IGNORECASE)


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def accepted_everywhere(path: Path) -> bool:
    return all(not RESERVED.match(part) and part == part.rstrip(". ") for part in path.parts)


@pytest.mark.parametrize("name", DEVICES)
def test_a_new_card_never_has_the_name_of_a_device(folder: Folder, cardgen: Program, name: str) -> None:
    folder.plain()
    outcome = cardgen("new", "minion", name)
    assert outcome.code == 0, outcome.err
    assert cardgen("build", "-q", "--no-cache", "--format", "svg,pdf").code == 0
    files = [path.relative_to(folder.root) for path in folder.root.rglob("*")]
    assert [path for path in files if path.suffix == ".svg"]
    assert [path for path in files if not accepted_everywhere(path)] == []
    again = cardgen("new", "minion", name)
    assert (again.code, "already exists" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ash", "ash"), ("ASH", "Ash."), (unicodedata.normalize("NFC", "Élan"), unicodedata.normalize("NFD", "Élan")),
     (unicodedata.normalize("NFC", "が"), unicodedata.normalize("NFD", "が"))],
)  # fmt: skip
def test_cards_whose_files_would_be_the_same(folder: Folder, cardgen: Program, one: str, other: str) -> None:
    cards = "".join(f'  - {{name: "{name}", stats: {STATS}}}\n' for name in (one, other))
    folder.plain().write("cards/a.yaml", f"kind: minion\ncards:\n{cards}")
    outcome = cardgen("build", "--format", "svg")
    assert outcome.code == 1
    assert "duplicate id" in outcome.err
    assert folder.files() == []


@pytest.mark.parametrize("key", ["id: Ash", "formerly: [Old Ash]", "formerly: Old Ash"])
def test_ids_are_in_lower_case(folder: Folder, cardgen: Program, key: str) -> None:
    folder.minions("Ash", more=f", {key}")
    assert "lowercase letters and digits" in cardgen("build").err


def test_sheets_whose_files_would_be_the_same(folder: Folder, cardgen: Program) -> None:
    sheet = "title: A\nsections: [{section: B, content: [a]}]\n"
    folder.write("sheets/House.yaml", sheet).with_name("house.yaml").write_text(sheet, encoding="utf-8")
    if len(folder.files("sheets")) < 2:
        pytest.skip("this file system cannot hold both")
    outcome = cardgen("reference")
    assert outcome.code == 1
    assert "sheets/house.yaml: error[CG609]: the names 'house' and 'House' are the same on some systems" in outcome.err
    assert folder.files() == []
