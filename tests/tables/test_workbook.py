from __future__ import annotations

import sys
from datetime import date, time

import pytest

from cardgen.diagnostic import CardgenError, Place
from cardgen.tables.table import LostValue, Sheet
from cardgen.tables.workbook import read_workbook
from tests.tables.workbooks import ods, xlsx

SETTING = Place("cardgen.yaml")


def read(content: bytes, sheet: str | None = None) -> list[Sheet]:
    return [*read_workbook(content, "a.xlsx", {sheet: SETTING} if sheet else {}).values()]


def test_cells_have_their_types() -> None:
    (sheet,) = read(xlsx([["name", "heat"], ["Ash", 3], ["  Élan\r\nx ", 2.5], [True, None]]))
    assert sheet.rows == [["name", "heat"], ["Ash", 3], ["Élan\nx", 2.5], [True, None]]
    assert not sheet.separator


def test_the_place_of_a_cell_is_its_name() -> None:
    (sheet,) = read(xlsx([["name"], ["Ash"]]))
    assert str(sheet.place(4, 2)) == "a.xlsx!A:C5"
    assert str(sheet.place(0, 27)) == "a.xlsx!A:AB1"


def test_hidden_sheets_are_left_out_unless_they_are_named() -> None:
    content = xlsx([["one"]], [["two"]], hidden=1)
    assert [sheet.rows for sheet in read(content)] == [[["one"]]]
    assert [sheet.rows for sheet in read(content, "B")] == [[["two"]]]


def test_an_unknown_sheet_is_located_in_the_settings() -> None:
    with pytest.raises(CardgenError, match=r"cardgen\.yaml: error\[CG040\]: unknown sheet 'Brave'") as error:
        read(xlsx([["one"]]), "Brave")
    assert error.value.diagnostics[0].help == "available: A"


def lost(cell: object) -> str:
    assert isinstance(cell, LostValue)
    return cell.message


def test_dates_errors_and_formulas_without_a_result_have_no_value() -> None:
    rows: list[list[object]] = [
        ["a", "b", "c", "d"],
        [date(2026, 4, 3), time(3, 4), "#REF!", "=1+1"],
        ["x"],
        [None, None, None, "=B2"],
    ]
    (sheet,) = read(xlsx(rows, errors=["C2"]))
    assert lost(sheet.rows[1][0]) == "the cell contains the date 2026-04-03, which may have been '3/4' or '4-3'"
    assert lost(sheet.rows[1][1]) == "the cell contains the time 03:04:00"
    assert lost(sheet.rows[1][2]) == "the cell contains #REF!"
    assert lost(sheet.rows[1][3]) == lost(sheet.rows[3][3]) == "the cell contains a formula without a result"


def test_ods_is_read_with_repeated_cells_and_errors() -> None:
    text = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    row = f"<table:table-row>{text.format('name')}{text.format('#REF!')}</table:table-row>"
    formula = '<table:table-row><table:table-cell table:formula="of:=[.A1]"/></table:table-row>'
    padding = (
        '<table:table-row table:number-rows-repeated="1048560">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )
    (sheet,) = read(ods(row + formula + padding))
    assert sheet.rows[0][0] == "name"
    assert lost(sheet.rows[0][1]) == "the cell contains #REF!"
    assert lost(sheet.rows[1][0]) == "the cell contains a formula without a result"
    assert len(sheet.rows) == 2


def test_without_the_library_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(CardgenError, match="CG044") as error:
        read(xlsx([["name"]]))
    assert "pip install '.[tables]'" in error.value.diagnostics[0].help
