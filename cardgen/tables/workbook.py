"""Workbooks in XLSX and ODS: archives of XML, scanned before they are read."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from xml.etree import ElementTree as ET
from xml.parsers import expat

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean
from cardgen.runtime import zip_file
from cardgen.runtime.installation import install_advice
from cardgen.tables.table import (
    MAX_CELL_LENGTH,
    MAX_CELLS,
    MAX_TEXT,
    MAX_UNPACKED,
    MIB,
    TOO_MANY_CELLS,
    Cell,
    Sheet,
    as_choice,
    cell_place,
    error_value,
    normalize,
    uncomputed_value,
)

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook


# Lengths of the texts in a spreadsheet, which cells can share or repeat.

LONG_CELL = f"a cell has more than {MAX_CELL_LENGTH:,} characters"
TOO_MUCH_TEXT = f"the cells have more than {MAX_TEXT:,} characters"


class CellTexts:
    """Counter of what the parts of a file have together: cells, elements, sheets, and characters.

    A text of a few bytes in the file can be that of a million cells, and a part that of a thousand sheets.
    """

    def __init__(self) -> None:
        self.cells = self.elements = self.sheets = 0
        self._shared: dict[int, int] = {}
        self._uses = Counter[int]()
        self._others = 0

    @property
    def total(self) -> int:
        """The characters of all cells."""
        return self._others + sum(uses * self._shared.get(index, 0) for index, uses in self._uses.items())

    def add_shared(self, index: int, length: int) -> None:
        """Add a text that cells of an XLSX file refer to by its index."""
        self._shared[index] = max(self._shared.get(index, 0), length)

    def add_reference(self, text: str) -> None:
        """Add a cell with the index of a text; one that is not a number is not a valid cell."""
        if text.strip().removeprefix("+").isdecimal():
            self._uses[int(text)] += 1

    def add_cells(self, length: int, count: int) -> None:
        """Add cells with a text of their own."""
        self._others += length * count


# Scan of the XML parts of a spreadsheet.
# It looks for document types, the extent of cells, and cells without a value.

NO_SPREADSHEET = "the file is not a valid spreadsheet"
SAVE_AGAIN = "save it again with a spreadsheet program"
_LETTERS_AND_ROW = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_ROW = re.compile(r"[0-9]{1,7}")
_COUNT = re.compile(r"\+?([0-9]+)")
# No index of a text has more digits.
_LONGEST_INDEX = 30
_ERROR = "an error"
MAX_SHEETS = 1_000
# More than a file of the largest size has with cells in it; each takes time, even if it is empty.
_MAX_ELEMENTS = 6_000_000
_TOO_MANY_ELEMENTS = f"the file has more than {_MAX_ELEMENTS:,} elements"


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


_NO_ATTRIBUTES = _Attributes({})


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
        self._texts.elements += 1
        if self._texts.elements > _MAX_ELEMENTS:
            raise ArchiveError(Code.TABLE_TOO_LARGE, _TOO_MANY_ELEMENTS, "split the file")
        if local in _TEXTS:
            self._is_in_text, self._length = True, 0
        start = _STARTS.get(local)
        if start:
            start(self, _Attributes(attributes) if attributes else _NO_ATTRIBUTES)

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
            raise ArchiveError(Code.TABLE_TOO_LARGE, LONG_CELL, "shorten the cell")

    def _count_sheet(self, _: _Attributes) -> None:
        self._texts.sheets += 1
        if self._texts.sheets > MAX_SHEETS:
            raise ArchiveError(Code.TABLE_TOO_LARGE, f"the file has more than {MAX_SHEETS:,} sheets", "split the file")

    def _start_sheet(self, _: _Attributes) -> None:
        self._scans[self._name] = self._scan

    def _start_row(self, attributes: _Attributes) -> None:
        match = attributes.match("r", _ROW)
        self._row = int(match[0]) - 1 if match else self._row + 1
        self._column = -1

    def _start_cell(self, attributes: _Attributes) -> None:
        match = attributes.match("r", _LETTERS_AND_ROW)
        if match:
            letters = match[1].upper()
            number = 0
            for letter in letters:
                number = number * 26 + ord(letter) - ord("A") + 1
            self._column, self._row = number - 1, int(match[2]) - 1
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
            raise ArchiveError(Code.TABLE_TOO_LARGE, f"the file has more than {MAX_CELLS:,} texts", "split the file")

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
        self._count_sheet(attributes)
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
        before = (self._last_row + 1) * (self._last_column + 1)
        self._last_row, self._last_column = max(self._last_row, row), max(self._last_column, column)
        self._texts.cells += (self._last_row + 1) * (self._last_column + 1) - before
        if self._texts.cells > MAX_CELLS:
            raise ArchiveError(
                Code.TABLE_TOO_LARGE, TOO_MANY_CELLS, "delete cells far from the table, or split the file"
            )


_STARTS = {
    "sheet": _Scanner._count_sheet,
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


# Content of XLSX and ODS files, read within limits.
# Such a file is a ZIP archive of XML. A few KiB can unpack to gigabytes, and two cells in opposite corners of a sheet
# make a library allocate all cells between them. Therefore, all parts are unpacked and parsed here first, and the
# library gets a new archive of exactly these parts.

_MAX_PARTS = 1_000
_TYPE = "mimetype"
_XML_SUFFIXES = (".xml", ".rels")
# How files with a password begin, and those of spreadsheet programs before 2007.
_OLD_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MANIFEST, _ENCRYPTION = "META-INF/manifest.xml", b"encryption-data"
_UNPACKED_TOO_LARGE = f"the file unpacks to more than {MAX_UNPACKED // MIB} MiB"


class Archive(NamedTuple):
    """A new archive of the parts of a file.

    `scans` has the scan of each sheet, by the name of its part (XLSX) or by its own name (ODS).
    """

    content: io.BytesIO
    scans: Mapping[str, SheetScan]
    parts: Mapping[str, bytes]


def open_archive(content: bytes) -> Archive:
    """Unpack and scan a spreadsheet file.

    Raises ArchiveError if it is invalid or too large.
    """
    if content.startswith(_OLD_SIGNATURE):
        raise ArchiveError(
            Code.BAD_TABLE, "the file has a password, or an old format", "save it as XLSX, without a password"
        )
    try:
        parts = {
            name: part
            for name, part in zip_file.unpack(content, _MAX_PARTS, MAX_UNPACKED)
            if name == _TYPE or name.endswith(_XML_SUFFIXES)  # not pictures, for instance
        }
    except zip_file.UnpacksTooLargeError as error:
        advice = "split the file, or remove pictures from it"
        raise ArchiveError(Code.TABLE_TOO_LARGE, _UNPACKED_TOO_LARGE, advice) from error
    except ValueError as error:
        raise ArchiveError(Code.BAD_TABLE, NO_SPREADSHEET, SAVE_AGAIN) from error
    if _ENCRYPTION in parts.get(_MANIFEST, b""):
        raise ArchiveError(Code.BAD_TABLE, "the file has a password", "save it without a password")
    scans: dict[str, SheetScan] = {}
    texts = CellTexts()
    for name, part in parts.items():
        if name != _TYPE:
            scans |= scan_part(name, part, texts)
    if texts.total > MAX_TEXT:
        raise ArchiveError(Code.TABLE_TOO_LARGE, TOO_MUCH_TEXT, "split the file")
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    result.seek(0)
    return Archive(result, scans, parts)


# XLSX and ODS files: the cells of their visible sheets.

_RELATIONS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_workbook(content: bytes, file: str, wanted: Mapping[str, Place]) -> dict[str, Sheet]:
    """Return some sheets of a workbook, or else all visible ones, by name.

    `file` is its name in messages, and the places are those of the settings that want the sheets.

    Raises CardgenError if the workbook cannot be read, if there is no such sheet, and if the library that reads
    workbooks is not installed.
    """
    calamine = _calamine(file)
    try:
        archive = open_archive(content)
        workbook = calamine.load_workbook(archive.content)
        names = _sheet_names(workbook, wanted)
        parts = _sheet_parts(archive.parts)
        scans = {name: archive.scans.get(parts.get(name, name), SheetScan({}, set())) for name in names.values()}
        return {name: _read_sheet(workbook, found, file, scans[found]) for name, found in names.items()}
    except ArchiveError as error:
        raise CardgenError(Diagnostic(error.code, error.message, Place(file), error.help)) from error
    except BaseException as error:
        if not isinstance(error, calamine.CalamineError | OSError | ValueError | ET.ParseError | _panic(error)):
            raise
        raise CardgenError(Diagnostic(Code.BAD_TABLE, NO_SPREADSHEET, Place(file), SAVE_AGAIN)) from error


def _panic(error: BaseException) -> type[BaseException]:
    """Return the type of an error of the library that no `except Exception` catches."""
    return type(error) if type(error).__name__ == "PanicException" else OSError


def _calamine(file: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - the type is that of a module
    try:
        import python_calamine  # imported here because few projects have workbooks
    except ImportError as error:
        message = "reading this file needs python-calamine, which is not installed"
        help_text = install_advice("tables", "save the table as CSV")
        raise CardgenError(Diagnostic(Code.NO_LIBRARY, message, Place(file), help_text)) from error
    return python_calamine


def _sheet_names(workbook: CalamineWorkbook, wanted: Mapping[str, Place]) -> dict[str, str]:
    """Return the names of the sheets to read by those that are wanted."""
    if not wanted:
        visible = (each.name for each in workbook.sheets_metadata if str(each.visible).endswith(".Visible"))
        return {name: name for name in visible}
    found = {name: as_choice(name, workbook.sheet_names) for name in wanted}
    unknown = [
        Diagnostic(
            Code.BAD_TABLE,
            f"unknown sheet '{name}'{did_you_mean(name, workbook.sheet_names)}",
            wanted[name],
            f"available: {', '.join(workbook.sheet_names)}",
        )
        for name, sheet in found.items()
        if sheet not in workbook.sheet_names
    ]
    if unknown:
        raise CardgenError(*unknown)
    return found


def _sheet_parts(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the names of an XLSX file's XML parts, by sheet. Raises ArchiveError if sheets share one."""
    if "xl/workbook.xml" not in parts:
        return {}
    relations = ET.fromstring(parts.get("xl/_rels/workbook.xml.rels", b"<none/>"))
    targets = {each.get("Id"): each.get("Target", "") for each in relations}
    sheets = ET.fromstring(parts["xl/workbook.xml"]).findall("{*}sheets/{*}sheet")
    names = {each.get("name", ""): _part_name(targets.get(each.get(_RELATIONS), "")) for each in sheets}
    if len({*names.values()}) < len(names):  # reading a part takes time for each of its sheets
        raise ArchiveError(Code.BAD_TABLE, NO_SPREADSHEET, SAVE_AGAIN)
    return names


def _part_name(target: str) -> str:
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _read_sheet(workbook: CalamineWorkbook, name: str, file: str, scan: SheetScan) -> Sheet:
    place = partial(cell_place, file, name)
    sheet = workbook.get_sheet_by_name(name)
    rows = [list(map(normalize, row)) for row in sheet.to_python(skip_empty_area=False)]
    # Give all rows of a merged cell its value, if it is in one column: it is what people see beside each row.
    left = MAX_CELLS
    for (top, column), (bottom, last) in sheet.merged_cell_ranges or ():
        below = range(top + 1, min(bottom + 1, len(rows), top + left))
        if column == last and below and column < len(rows[top]):
            left -= len(below)
            for at in below:
                if column < len(rows[at]) and rows[at][column] is None:
                    rows[at][column] = rows[top][column]
    for (row, column), cell in _cells_without_value(scan):
        rows += ([] for _ in range(row + 1 - len(rows)))
        rows[row] += [None] * (column + 1 - len(rows[row]))
        rows[row][column] = cell
    return Sheet(rows, place)


def _cells_without_value(scan: SheetScan) -> Iterator[tuple[tuple[int, int], Cell]]:
    yield from ((at, error_value(text)) for at, text in scan.errors.items())
    yield from ((at, uncomputed_value()) for at in scan.uncomputed)
