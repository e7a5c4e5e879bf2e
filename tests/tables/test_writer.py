from __future__ import annotations

import sys

import pytest

from cardgen.diagnostic import CardgenError, Place
from cardgen.tables.csv_file import read_csv
from cardgen.tables.workbook import read_workbook
from cardgen.tables.writer import write_csv, write_ods, write_xlsx

GRID = [["name", "text"], ["Élan", "one\ntwo  three   <&>"], ["=1+1", ""], ["007", "3/4"]]
CELLS = [["name", "text"], ["Élan", "one\ntwo  three   <&>"], ["=1+1", None], ["007", "3/4"]]


def test_csv_has_a_byte_order_mark_and_commas() -> None:
    content = write_csv(GRID)
    assert content.startswith(b"\xef\xbb\xbfname,text\r\n")
    assert b"\r\n'=1+1,\r\n" in content
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    assert read_csv(text, "a.csv").rows == CELLS


def test_workbooks_are_read_back() -> None:
    for content in (write_xlsx(GRID, "braves"), write_ods(GRID, "braves")):
        (sheet,) = read_workbook(content, "a", {"braves": Place("x")}).values()
        assert [row[:2] for row in sheet.rows] == CELLS


def test_the_same_cards_give_the_same_ods() -> None:
    assert write_ods(GRID, "braves") == write_ods(GRID, "braves")


def test_a_text_that_xlsx_would_cut_is_refused() -> None:
    with pytest.raises(CardgenError, match="more than 32,767 characters"):
        write_xlsx([["x" * 32_768]], "braves")


def test_without_the_library_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(CardgenError, match="CG044") as error:
        write_xlsx(GRID, "braves")
    assert "pip install '.[tables]'" in error.value.diagnostics[0].help
