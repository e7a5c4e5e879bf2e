"""Sheets of strangers: whatever they hold ends in a message, and soon."""

from __future__ import annotations

import time

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.reference.make_sheets import SheetRequest, make_sheets
from tests.pipeline.projects import Folder

HEAD = "title: A\npages: 1\nsections:\n  - section: B\n    content:\n"
WORD = "x" * 5000
MANY = ", ".join(["a"] * 300)
WICKED = {
    "a table of 300 columns": f"      - table: {{head: [{MANY}], rows: [[{MANY}]]}}\n",
    "a table of 3,000 rows": f"      - table: {{head: [a], rows: [{', '.join(['[b]'] * 3000)}]}}\n",
    "lists within lists": f"      - {'{points: [' * 20}a{']}' * 20}\n",
    "a long word": f"      - {WORD}\n",
    "much text": f"      - {'word ' * 60000}\n",
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
    assert time.process_time() - started < 20
