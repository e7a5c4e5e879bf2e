"""Cells that a spreadsheet or a wrong encoding has probably changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cardgen.source import KeyPath
from cardgen.tables.table import Row, Table
from cardgen.tables.table_document import Oddity
from cardgen.validation.validate import quote

_AS_TEXT = "format the column as text, and enter the value again"
_ZEROS = re.compile(r"0[0-9]+")
_DIGITS = re.compile(r"[0-9]+")
# Months in English, German, French, Spanish, and Italian, as spreadsheets shorten them.
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|jän|mär|mrz|mai|okt|dez"
    r"|janv|févr|mars|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)\.?"
)
_DATE = re.compile(rf"[0-9]{{1,2}}(?:[-. ]|\. ){_MONTH}|{_MONTH}[-. ][0-9]{{2}}", re.IGNORECASE)
_SCIENTIFIC = re.compile(r"[0-9](?:[.,][0-9]+)?E\+[0-9]{2,3}")
# The first byte of a character in UTF-8, and the others, as Windows-1252 shows them.
_FIRST = "".join(bytes([byte]).decode("cp1252") for byte in range(0xC2, 0xF5))
_OTHERS = bytes(byte for byte in range(0x80, 0xC0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)).decode("cp1252")
_MOJIBAKE = re.compile(f"[{_FIRST}][{re.escape(_OTHERS)}\x81\x8d\x8f\x90\x9d]+")
_MOST = 1_000


def find_oddities(table: Table, text_columns: frozenset[str]) -> Iterator[Oddity]:
    """Yield the cells of a table that were probably changed.

    `text_columns` are those whose cells should be text.
    """
    count = 0
    widths = _zero_widths(table, text_columns) if table.is_grid else {}
    for row in table.rows:
        for path, value in _scalars(row):
            words = _describe(value, text_columns, widths, path, is_grid=table.is_grid)
            if words:
                yield Oddity(table.place((*row.path, *path)), *words)
                count += 1
                if count == _MOST:
                    return


def _describe(
    value: Any, text_columns: frozenset[str], widths: dict[str, int], path: KeyPath, *, is_grid: bool
) -> tuple[str, str] | None:
    """Return what is odd about a value, and what to do."""
    if isinstance(value, str) and not value.isascii():
        words = _encoding_oddity(value)
        if words:
            return words
    if not is_grid:
        return None
    column = str(path[0])
    if isinstance(value, str):
        return _text_oddity(value, widths.get(column, 0))
    if column in text_columns and not isinstance(value, tuple):
        return _number_oddity(value, widths.get(column, 0))
    return None


def _encoding_oddity(text: str) -> tuple[str, str] | None:
    """Describe characters of UTF-8 that were read as Windows-1252, and those that were lost."""
    if "\ufffd" in text:
        return f"a character of {quote(text)} is lost", "save the file as UTF-8, and enter the text again"
    match = _MOJIBAKE.search(text)
    if match is None:
        return None
    try:
        meant = _MOJIBAKE.sub(lambda part: _to_bytes(part[0]).decode("utf-8"), text)
    except (UnicodeDecodeError, UnicodeEncodeError):
        return None
    return (
        f"{quote(text)} may have been {quote(meant)}",
        "the file was opened in the wrong encoding: open it as UTF-8, or enter the text again",
    )


def _to_bytes(text: str) -> bytes:
    return b"".join(bytes([ord(char)]) if ord(char) < 0x100 else char.encode("cp1252") for char in text)


def _text_oddity(text: str, width: int) -> tuple[str, str] | None:
    if _DATE.fullmatch(text):
        return f"'{text}' may be a value such as '3/4' or '1-2' that a spreadsheet has changed", _AS_TEXT
    if _SCIENTIFIC.fullmatch(text):
        return f"'{text}' is a number that a spreadsheet has rounded", _AS_TEXT
    if _DIGITS.fullmatch(text) and len(text) < width:
        return f"'{text}' may have lost its leading zeros: '{text.zfill(width)}'", _AS_TEXT
    return None


def _number_oddity(value: object, width: int) -> tuple[str, str]:
    if isinstance(value, bool):
        return f"the cell contains the boolean {str(value).upper()}, not text", _AS_TEXT
    meant = str(value).zfill(max(width, len(str(value)) + 2))
    return f"the cell contains the number {value}, which may have been a text such as '{meant}'", _AS_TEXT


def _zero_widths(table: Table, columns: frozenset[str]) -> dict[str, int]:
    """Return the width of numbers with leading zeros, by column.

    A column counts if all of its texts have the same width.
    """
    widths: dict[str, set[int]] = {column: set() for column in columns}
    for row in table.rows:
        for column in columns:
            cell = row.values.get(column)
            if isinstance(cell, str) and _ZEROS.fullmatch(cell):
                widths[column].add(len(cell))
    return {column: lengths.pop() for column, lengths in widths.items() if len(lengths) == 1}


def _scalars(row: Row) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the path and the value of each text and number in a row."""
    pending: list[tuple[KeyPath, Any]] = [((), row.values)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending += (((*path, key), below) for key, below in value.items())
        elif isinstance(value, list):
            pending += (((*path, index), below) for index, below in enumerate(value))
        elif value is not None:
            yield path, value
