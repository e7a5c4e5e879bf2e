"""XLSX and ODS files: the cells of their visible sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.tables.archive import open_archive
from cardgen.tables.codes import Code
from cardgen.tables.sheet import Cell, Sheet, cell_place, error_value, normalize, uncomputed_value
from cardgen.tables.sheet_scan import NO_SPREADSHEET, SAVE_AGAIN, ArchiveError, SheetScan
from cardgen.validation.suggestion import did_you_mean

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

_RELATIONS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_workbook(content: bytes, file: str, sheet: str | None, sheet_setting: Place) -> list[Sheet]:
    """Return a sheet of a workbook, or else all visible ones.

    `file` is its name in messages.

    Raises CardgenError if the workbook cannot be read, if there is no such sheet (at `sheet_setting`), and if the
    library that reads workbooks is not installed.
    """
    calamine = _calamine(file)
    try:
        archive = open_archive(content)
        workbook = calamine.load_workbook(archive.content)
        names = _sheet_names(workbook, sheet, sheet_setting)
        parts = _sheet_parts(archive.parts)
        scans = {name: archive.scans.get(parts.get(name, name), SheetScan({}, set())) for name in names}
        return [_read_sheet(workbook, name, file, scans[name]) for name in names]
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
        help_text = "run pip install '.[tables]' in a checkout of cardgen, or save the table as CSV"
        raise CardgenError(Diagnostic(Code.NO_LIBRARY, message, Place(file), help_text)) from error
    return python_calamine


def _sheet_names(workbook: CalamineWorkbook, sheet: str | None, setting: Place) -> list[str]:
    if sheet is None:
        return [each.name for each in workbook.sheets_metadata if str(each.visible).endswith(".Visible")]
    if sheet not in workbook.sheet_names:
        message = f"unknown sheet '{sheet}'{did_you_mean(sheet, workbook.sheet_names)}"
        help_text = f"available: {', '.join(workbook.sheet_names)}"
        raise CardgenError(Diagnostic(Code.BAD_TABLE, message, setting, help_text))
    return [sheet]


def _sheet_parts(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the names of an XLSX file's XML parts, by sheet."""
    if "xl/workbook.xml" not in parts:
        return {}
    relations = ET.fromstring(parts.get("xl/_rels/workbook.xml.rels", b"<none/>"))
    targets = {each.get("Id"): each.get("Target", "") for each in relations}
    sheets = ET.fromstring(parts["xl/workbook.xml"]).findall("{*}sheets/{*}sheet")
    return {each.get("name", ""): _part_name(targets.get(each.get(_RELATIONS), "")) for each in sheets}


def _part_name(target: str) -> str:
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _read_sheet(workbook: CalamineWorkbook, name: str, file: str, scan: SheetScan) -> Sheet:
    place = partial(cell_place, file, name)
    rows = [list(map(normalize, row)) for row in workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)]
    for (row, column), cell in _cells_without_value(scan):
        rows += ([] for _ in range(row + 1 - len(rows)))
        rows[row] += [None] * (column + 1 - len(rows[row]))
        rows[row][column] = cell
    return Sheet(rows, place)


def _cells_without_value(scan: SheetScan) -> Iterator[tuple[tuple[int, int], Cell]]:
    yield from ((at, error_value(text)) for at, text in scan.errors.items())
    yield from ((at, uncomputed_value()) for at in scan.uncomputed)
