"""Scan of the XML parts of a spreadsheet.

It looks for document types, the extent of cells, and cells without a value.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn
from xml.parsers import expat

from cardgen.tables.cell_texts import LONG_CELL, CellTexts
from cardgen.tables.codes import MAX_CELL_LENGTH, MAX_CELLS, TOO_MANY_CELLS, Code

NO_SPREADSHEET = "the file is not a valid spreadsheet"
SAVE_AGAIN = "save it again with a spreadsheet program"
_LETTERS_AND_ROW = re.compile(r"([A-Z]{1,4})([0-9]{1,8})")
_ERROR = "an error"


class ArchiveError(Exception):
    """An unreadable spreadsheet, with the code and help of its diagnostic."""

    def __init__(self, code: Code, message: str, help_text: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.help = code, message, help_text


class SheetScan(NamedTuple):
    """Cells of a sheet that its readers show as empty, by row and column from 0.

    `errors` have the text of an error such as '#REF!', and `uncomputed` are formulas without a result.
    """

    errors: dict[tuple[int, int], str]
    uncomputed: set[tuple[int, int]]


def scan_part(name: str, part: bytes, texts: CellTexts) -> dict[str, SheetScan]:
    """Return the scans of the sheets in an XML part, whose texts are added to `texts`.

    An XLSX part has at most one, by the `name` of the part; the sheets of ODS have their own names. Raises
    ArchiveError if the part is invalid, has a document type, has too many cells, or has a text that is too long.
    """
    return _Scanner(name, texts).scan(part)


class _Scanner:
    """Scanner of one part; rows and columns count from 0."""

    def __init__(self, name: str, texts: CellTexts) -> None:
        self._name = name
        self._texts = texts
        self._shared_texts = self._length = self._cell_repeats = 0
        self._is_in_text = self._is_in_value = False
        self._scan = SheetScan({}, set())
        self._scans: dict[str, SheetScan] = {}
        self._row = self._column = self._last_row = self._last_column = -1
        self._row_repeats = 1
        self._type = ""
        self._has_formula = self._has_value = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._read_text
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type

    def scan(self, part: bytes) -> dict[str, SheetScan]:
        try:
            self._parser.Parse(part, True)
        except (expat.ExpatError, ValueError, LookupError) as error:  # also of encodings and numbers
            raise ArchiveError(Code.BAD_TABLE, NO_SPREADSHEET, SAVE_AGAIN) from error
        return self._scans

    def _refuse_document_type(self, *_: object) -> NoReturn:
        message = f"'{self._name}' in the file has a document type, which is not supported"
        raise ArchiveError(Code.BAD_TABLE, message, SAVE_AGAIN)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local in _TEXTS:
            self._is_in_text, self._length = True, 0
        start = _STARTS.get(local)
        if start:
            start(self, {key.rpartition(" ")[2]: value for key, value in attributes.items()})

    def _end(self, name: str) -> None:
        local = name.rpartition(" ")[2]
        if local in _TEXTS:
            self._is_in_text = False
            _TEXTS[local](self)
        elif local == "v":
            self._is_in_value = False

    def _read_text(self, text: str) -> None:
        if self._is_in_text:
            self._length += len(text)
            if self._length > MAX_CELL_LENGTH:
                raise ArchiveError(Code.TOO_LARGE, LONG_CELL, "shorten the cell")
        if self._is_in_value:
            self._read_value(text)

    def _start_sheet(self, _: dict[str, str]) -> None:
        self._scans[self._name] = self._scan

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._row = int(attributes["r"]) - 1 if attributes.get("r", "").isdecimal() else self._row + 1
        self._column = -1

    def _start_cell(self, attributes: dict[str, str]) -> None:
        match = _LETTERS_AND_ROW.fullmatch(attributes.get("r", ""))
        if match:
            self._column, self._row = _column_number(match[1]), int(match[2]) - 1
        else:
            self._column += 1
        self._has_formula = self._has_value = False
        self._extend(self._row, self._column)
        self._type = attributes.get("t", "")
        if self._type == "e":
            self._scan.errors[self._row, self._column] = _ERROR

    def _read_value(self, text: str) -> None:
        self._has_value = True
        if self._type == "e":
            self._scan.errors[self._row, self._column] = text[:20]
        elif self._type == "s":
            self._texts.add_reference(text)

    def _end_shared_text(self) -> None:
        self._texts.add_shared(self._shared_texts, self._length)
        self._shared_texts += 1

    def _end_ods_cell(self) -> None:
        self._texts.add_cells(self._length, self._cell_repeats * self._row_repeats)

    def _end_cell(self) -> None:
        self._is_in_value = False
        if self._has_formula and not self._has_value and self._type not in ("e", "str"):
            self._scan.uncomputed.add((self._row, self._column))

    def _start_formula(self, _: dict[str, str]) -> None:
        self._has_formula = True

    def _start_value(self, _: dict[str, str]) -> None:
        # An empty text has the type 'str'.
        self._is_in_value = self._has_formula or self._type in ("e", "s")

    def _start_ods_table(self, attributes: dict[str, str]) -> None:
        self._row = self._column = self._last_row = self._last_column = -1
        self._row_repeats = 1
        self._scan = SheetScan({}, set())
        self._scans[attributes.get("name", "")] = self._scan

    def _start_ods_row(self, attributes: dict[str, str]) -> None:
        self._row += self._row_repeats
        self._row_repeats = _count(attributes.get("number-rows-repeated"))
        self._column = -1

    def _start_ods_cell(self, attributes: dict[str, str]) -> None:
        first = self._column + 1
        self._cell_repeats = _count(attributes.get("number-columns-repeated"))
        self._column += self._cell_repeats
        sort = attributes.get("value-type")
        if sort or "formula" in attributes:
            self._extend(self._row + self._row_repeats - 1, self._column)
        if sort == "error":
            self._scan.errors[self._row, first] = _ERROR
        elif sort is None and "formula" in attributes:
            self._scan.uncomputed.add((self._row, first))

    def _extend(self, row: int, column: int) -> None:
        self._last_row, self._last_column = max(self._last_row, row), max(self._last_column, column)
        if (self._last_row + 1) * (self._last_column + 1) > MAX_CELLS:
            raise ArchiveError(Code.TOO_LARGE, TOO_MANY_CELLS, "delete cells far from the table, or split the file")


_STARTS = {
    "sheetData": _Scanner._start_sheet,
    "row": _Scanner._start_row,
    "c": _Scanner._start_cell,
    "f": _Scanner._start_formula,
    "v": _Scanner._start_value,
    "table": _Scanner._start_ods_table,
    "table-row": _Scanner._start_ods_row,
    "table-cell": _Scanner._start_ods_cell,
    "covered-table-cell": _Scanner._start_ods_cell,
}
# The elements whose text is that of a cell, and what to do at their ends.
_TEXTS = {
    "si": _Scanner._end_shared_text,
    "c": _Scanner._end_cell,
    "table-cell": _Scanner._end_ods_cell,
    "covered-table-cell": _Scanner._end_ods_cell,
}


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _count(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else 1
