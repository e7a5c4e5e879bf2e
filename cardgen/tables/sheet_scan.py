"""Scan of the XML parts of a spreadsheet.

It looks for document types, the extent of cells, and cells without a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, NoReturn
from xml.parsers import expat

from cardgen.tables.cell_texts import LONG_CELL, CellTexts
from cardgen.tables.codes import MAX_CELL_LENGTH, MAX_CELLS, TOO_MANY_CELLS, Code

NO_SPREADSHEET = "the file is not a valid spreadsheet"
SAVE_AGAIN = "save it again with a spreadsheet program"
_LETTERS_AND_ROW = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_ROW = re.compile(r"[0-9]{1,7}")
_COUNT = re.compile(r"\+?([0-9]+)")
# No index of a text has more digits.
_LONGEST_INDEX = 30
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


class _Attributes:
    """The attributes of an element by their local names; several namespaces can have the same one."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        self._values: dict[str, list[str]] = {}
        for key in sorted(attributes, key=lambda key: " " not in key):
            self._values.setdefault(key.rpartition(" ")[2], []).append(attributes[key])

    def get(self, name: str) -> str | None:
        """Return the value without a namespace, or else the last one."""
        values = self._values.get(name)
        return values[-1] if values else None

    def match(self, name: str, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of a value; None if there is none. Raises ArchiveError if it does not match."""
        value = self.get(name)
        match = None if value is None else pattern.fullmatch(value)
        if value is not None and not match:
            raise ArchiveError(Code.BAD_TABLE, NO_SPREADSHEET, SAVE_AGAIN)
        return match

    def count(self, name: str) -> int:
        """Return a number of repetitions: the largest, since readers may use another namespace; 1 by default."""
        matches = filter(None, map(_COUNT.fullmatch, self._values.get(name, ())))
        return max((int(match[1][-_LONGEST_INDEX:]) for match in matches), default=1)


class _Scanner:
    """Scanner of one part; rows and columns count from 0."""

    def __init__(self, name: str, texts: CellTexts) -> None:
        self._name = name
        self._texts = texts
        self._shared_texts = self._length = self._cell_repeats = 0
        self._is_in_text = self._is_in_value = False
        self._value = ""
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
            start(self, _Attributes(attributes))

    def _end(self, name: str) -> None:
        local = name.rpartition(" ")[2]
        if local in _TEXTS:
            self._is_in_text = False
            _TEXTS[local](self)
        elif local == "v":
            self._end_value()

    def _read_text(self, text: str) -> None:
        if self._is_in_text:
            self._lengthen(len(text))
        if self._is_in_value and len(self._value) <= _LONGEST_INDEX:
            self._value += text

    def _lengthen(self, length: int) -> None:
        self._length += length
        if self._length > MAX_CELL_LENGTH:
            raise ArchiveError(Code.TOO_LARGE, LONG_CELL, "shorten the cell")

    def _start_sheet(self, _: _Attributes) -> None:
        self._scans[self._name] = self._scan

    def _start_row(self, attributes: _Attributes) -> None:
        match = attributes.match("r", _ROW)
        self._row = int(match[0]) - 1 if match else self._row + 1
        self._column = -1

    def _start_cell(self, attributes: _Attributes) -> None:
        match = attributes.match("r", _LETTERS_AND_ROW)
        if match:
            self._column, self._row = _column_number(match[1].upper()), int(match[2]) - 1
        else:
            self._column += 1
        self._has_formula = self._has_value = False
        self._extend(self._row, self._column)
        self._type = attributes.get("t") or ""
        if self._type == "e":
            self._scan.errors[self._row, self._column] = _ERROR

    def _end_value(self) -> None:
        if not (self._is_in_value and self._value):
            return
        self._is_in_value, self._has_value = False, True
        if self._type == "e":
            self._scan.errors[self._row, self._column] = self._value[:20]
        elif self._type == "s":
            if len(self._value) > _LONGEST_INDEX:
                raise ArchiveError(Code.BAD_TABLE, NO_SPREADSHEET, SAVE_AGAIN)
            self._texts.add_reference(self._value)

    def _start_shared_texts(self, attributes: _Attributes) -> None:
        """Refuse a number of texts for which no memory could be reserved."""
        if attributes.count("uniqueCount") > MAX_CELLS:
            raise ArchiveError(Code.TOO_LARGE, f"the file has more than {MAX_CELLS:,} texts", "split the file")

    def _end_shared_text(self) -> None:
        self._texts.add_shared(self._shared_texts, self._length)
        self._shared_texts += 1

    def _end_ods_cell(self) -> None:
        self._texts.add_cells(self._length, self._cell_repeats * self._row_repeats)

    def _end_cell(self) -> None:
        self._is_in_value = False
        if self._has_formula and not self._has_value and self._type not in ("e", "str"):
            self._scan.uncomputed.add((self._row, self._column))

    def _start_formula(self, _: _Attributes) -> None:
        self._has_formula = True

    def _start_value(self, _: _Attributes) -> None:
        # An empty text has the type 'str'.
        self._value = ""
        self._is_in_value = self._has_formula or self._type in ("e", "s")

    def _start_ods_table(self, attributes: _Attributes) -> None:
        self._row = self._column = self._last_row = self._last_column = -1
        self._row_repeats = 1
        self._scan = SheetScan({}, set())
        self._scans[attributes.get("name") or ""] = self._scan

    def _start_ods_row(self, attributes: _Attributes) -> None:
        self._row += self._row_repeats
        self._row_repeats = attributes.count("number-rows-repeated")
        self._column = -1

    def _start_ods_spaces(self, attributes: _Attributes) -> None:
        if self._is_in_text:
            self._lengthen(attributes.count("c"))

    def _start_ods_cell(self, attributes: _Attributes) -> None:
        first = self._column + 1
        self._cell_repeats = attributes.count("number-columns-repeated")
        self._column += self._cell_repeats
        sort = attributes.get("value-type")
        has_formula = attributes.get("formula") is not None
        if sort or has_formula:
            self._extend(self._row + self._row_repeats - 1, self._column)
        if sort == "error":
            self._scan.errors[self._row, first] = _ERROR
        elif sort is None and has_formula:
            self._scan.uncomputed.add((self._row, first))

    def _extend(self, row: int, column: int) -> None:
        self._last_row, self._last_column = max(self._last_row, row), max(self._last_column, column)
        if (self._last_row + 1) * (self._last_column + 1) > MAX_CELLS:
            raise ArchiveError(Code.TOO_LARGE, TOO_MANY_CELLS, "delete cells far from the table, or split the file")


_STARTS = {
    "sheetData": _Scanner._start_sheet,
    "sst": _Scanner._start_shared_texts,
    "row": _Scanner._start_row,
    "c": _Scanner._start_cell,
    "f": _Scanner._start_formula,
    "v": _Scanner._start_value,
    "table": _Scanner._start_ods_table,
    "table-row": _Scanner._start_ods_row,
    "s": _Scanner._start_ods_spaces,
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
