"""A sheet of cells, as every spreadsheet format gives it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import Place, Span


class LostValue(NamedTuple):
    """A cell whose value the spreadsheet has replaced, and by what.

    `text` is what the cell shows, and `message` and `help` are those of the diagnostic.
    """

    text: str
    message: str
    help: str = ""


# None is an empty cell.
Cell: TypeAlias = str | int | float | bool | LostValue | None
RawCell: TypeAlias = str | int | float | bool | datetime | date | time | timedelta | None

_ERROR = re.compile(r"#(?:REF!|N/A|VALUE!|NAME\?|DIV/0!|NULL!|NUM!|SPILL!|CALC!)|Err:5\d\d")
_AS_TEXT = "format the column as text, and enter the value again"


def normalize(value: RawCell) -> Cell:
    """Return a cell as a program gives it, with whole numbers as such."""
    if isinstance(value, str):
        return _normalize_text(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if value is None or isinstance(value, int):
        return value
    return _lost_date(value)


def _normalize_text(value: str) -> Cell:
    text = value.strip()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return error_value(text) if _ERROR.fullmatch(text) else text or None


def error_value(text: str) -> LostValue:
    """Return a cell with an error such as '#REF!'."""
    return LostValue(text, f"the cell contains {text}", "correct the formula, or enter a value")


def uncomputed_value() -> LostValue:
    """Return a cell with a formula that no program has computed."""
    message = "the cell contains a formula without a result"
    return LostValue("", message, "open the file in a spreadsheet program, and save it again")


def _lost_date(value: datetime | date | time | timedelta) -> LostValue:
    if isinstance(value, time | timedelta):
        return LostValue(str(value), f"the cell contains the time {value}", f"if it is not a time, {_AS_TEXT}")
    day = value.date() if isinstance(value, datetime) else value
    meant = f"'{day.day}/{day.month}' or '{day.month}-{day.day}'"
    return LostValue(str(day), f"the cell contains the date {day}, which may have been {meant}", _AS_TEXT)


def column_letters(index: int) -> str:
    """Return the letters of a column, counted from 0.

    They are 'A' to 'Z', 'AA', and so on.
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


PlaceOfCell: TypeAlias = Callable[[int, int], Place]


class Sheet(NamedTuple):
    """The cells of a sheet by row and column, from 0.

    Rows may be of different lengths.

    `place` returns the place of a cell. `is_text` is true if all cells of the format are text, as in CSV.
    """

    rows: list[list[Cell]]
    place: PlaceOfCell
    is_text: bool = False


def cell_place(file: str, sheet: str, row: int, column: int) -> Place:
    """Return the place of a cell of a workbook, such as 'braves.xlsx!Sheet1:C5'."""
    span = Span(row + 1, column + 1, row + 1, column + 2)
    return Place(file, span, "", f"{sheet}:{column_letters(column)}{row + 1}")
