"""Sheets of strangers: whatever they hold ends in a message, and soon."""

from __future__ import annotations

import time

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.reference_sheets.make_sheets import SheetRequest, make_sheets
from tests.projects import Folder

HEAD = "title: A\npages: 1\nsections:\n  - section: B\n    content:\n"
WORD = "x" * 5000
MANY = ", ".join(["a"] * 300)
WICKED = {
    "a table of 300 columns": f"      - table: {{head: [{MANY}], rows: [[{MANY}]]}}\n",
    "a table of 3,000 rows": f"      - table: {{head: [a], rows: [{', '.join(['[b]'] * 3000)}]}}\n",
    "lists within lists": f"      - {'{points: [' * 20}a{']}' * 20}\n",
    "a long word": f"      - {WORD}\n",
    "much text": f"      - {'word ' * 20000}\n",
    "many quotes": f"      - {'<fact turns> ' * 5000}\n",
    "open quotes": f"      - '{'<fact ' * 5000}'\n",
    "open marks": f"      - '{'**a *b ' * 5000}'\n",
    "many apostrophes": '      - "' + "' '" * 20000 + '"\n',
}


@pytest.mark.parametrize("content", WICKED.values(), ids=WICKED)
def test_it_ends_soon_in_a_sheet_or_a_message(content: str, folder: Folder) -> None:
    folder.write("sheets/wicked.yaml", HEAD + content)
    started = time.process_time()
    try:
        make_sheets(SheetRequest(sheets=("wicked",), formats=("pdf", "html")))
    except CardgenError as error:
        assert all(each.place.file == "sheets/wicked.yaml" for each in error.diagnostics)
        assert not list(folder.root.glob("output/*"))
    assert time.process_time() - started < 60


def test_a_text_that_takes_too_long_is_given_up(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.reference_sheets.make_sheets.TIME_LIMIT", 0.05)
    folder.write("sheets/wicked.yaml", f"{HEAD}      - {'กขค' * 50_000}\n")
    with pytest.raises(CardgenError, match=r"wicked.yaml:1:8: .* setting the sheet took longer than 0.05 seconds"):
        make_sheets(SheetRequest(sheets=("wicked",)))


@pytest.mark.parametrize(
    ("options", "column", "message"),
    [
        ("attacker: 5, target: Brute", 46, "must be the name of a character or minion, not 5"),
        ("attacker: [a], target: Brute", 46, "must be the name of a character or minion, not a list"),
        ("attacker: null, target: Brute", 46, "must be the name of a character or minion, not null"),
        ("target: {a: b}, attacker: Brute", 44, "must be the name of a character or minion, not a map"),
        ("between: 5, attacker: Brute, target: Brute", 45, "must be a list of cards, not 5"),
        ("between: [5], attacker: Brute, target: Brute", 45, "must be the name of a character or minion, not 5"),
        ("cover: 5, attacker: Brute, target: Brute", None, "'cover' must be"),
        ("distance: a, attacker: Brute, target: Brute", None, "'distance' must be a whole number"),
        ("5: 5, attacker: Brute, target: Brute", None, "5"),
    ],
)
def test_examples_of_other_types(options: str, column: int | None, message: str, folder: Folder) -> None:
    folder.write("sheets/wicked.yaml", f"{HEAD}      - {{example: {{text: a, with: {{{options}}}}}}}\n")
    with pytest.raises(CardgenError) as error:
        make_sheets(SheetRequest(sheets=("wicked",)))
    (found,) = error.value.diagnostics
    assert message in found.message
    assert found.place.span is not None
    assert found.place.span.line == 6
    assert column is None or found.place.span.column == column
