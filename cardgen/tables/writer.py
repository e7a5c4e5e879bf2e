"""Tables written from cards: the inverse of reading them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.runtime.escapes import escape_xml as escape
from cardgen.runtime.escapes import quoteattr
from cardgen.runtime.installation import install_advice
from cardgen.source import Data
from cardgen.tables.columns import KIND
from cardgen.tables.csv_file import defuse
from cardgen.tables.table import CellError, FieldShape, as_cell_text, convert_cell, normalize, shape_at
from cardgen.validation.base import ModelClasses, accepted_keys

# Cells of a table from cards: the inverse of reading their columns.

Path: TypeAlias = tuple[str, ...]


def card_grid(cards: Sequence[Mapping[str, Data]], kind: str, models: ModelClasses) -> list[list[str]]:
    """Return the table of the cards of a kind.

    The first row contains the names of the columns.

    Maps of single values have a column for each key, such as 'stats.M'.
    """
    paths = list(_paths(cards, models))
    rows = [[cell_text(_value_at(card, path), shape_at(models, path)) for path in paths] for card in cards]
    header = [".".join(path) for path in paths]
    if any(row and row[0].startswith("#") for row in rows):  # Such a row would be a comment.
        return [[KIND, *header], *([kind, *row] for row in rows)]
    return [header, *rows]


def _paths(cards: Sequence[Mapping[str, Data]], models: ModelClasses) -> Iterator[Path]:
    """Yield the path of each column, in the order of the model's keys."""
    order = {key: index for index, key in enumerate(accepted_keys(models))}
    for key in sorted({key for card in cards for key in card}, key=lambda key: (order.get(key, len(order)), key)):
        values = [card[key] for card in cards if key in card]
        inner = dict.fromkeys(name for value in values if isinstance(value, dict) for name in value)
        if inner and all(map(_is_flat, values)):
            yield from ((key, name) for name in inner)
        else:
            yield (key,)


def _is_flat(value: Data) -> bool:
    """Return whether a map contains only single values.

    Its keys can then be parts of the names of columns.
    """
    return (
        isinstance(value, dict)
        and bool(value)
        and all("." not in key and isinstance(below, str | int | float | bool) for key, below in value.items())
    )


def _value_at(card: Mapping[str, Data], path: Path) -> Data:
    value: Data = dict(card)
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def cell_text(value: Data, shape: FieldShape) -> str:
    """Return the text of a cell that is read as `value`.

    Return '' for no value.
    """
    if value is None:
        return ""
    if shape.is_text and isinstance(value, str):
        return as_cell_text(value)
    return next((text for text in _plain_forms(value) if _is_read_as(text, value, shape)), _yaml(value))


def _plain_forms(value: Data) -> Iterator[str]:
    """Yield texts without brackets and quotation marks that may be read as a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value:
        items = list(map(_item, value))
        yield "; ".join(items)
        yield "\n".join(items)


def _item(value: Data) -> str:
    """Return the item of a list, if possible without brackets."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and len(value) == 1:
        ((key, below),) = value.items()
        if isinstance(below, str):
            return f"{key}: {below}"
    return _yaml(value)


def _yaml(value: Data) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_read_as(text: str, value: Data, shape: FieldShape) -> bool:
    cell = normalize(text)
    try:
        return cell is not None and convert_cell(cell, shape) == value
    except CellError:
        return False


# Write a grid of cells as CSV, XLSX, or ODS.
# All cells are text, and none is a formula.

_BYTE_ORDER_MARK = "\ufeff"
_DATE = (1980, 1, 1, 0, 0, 0)

_MAX_XLSX_TEXT = 32_767

Grid: TypeAlias = Sequence[Sequence[str]]


def write_csv(grid: Grid) -> bytes:
    """Return a CSV file with commas, in UTF-8 with byte-order mark.

    Spreadsheets need the mark to recognize the encoding.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([defuse(cell) for cell in row] for row in grid)
    return (_BYTE_ORDER_MARK + text.getvalue()).encode()


def write_xlsx(grid: Grid, title: str) -> bytes:
    """Return an XLSX file with one sheet.

    Raises CardgenError if the library that writes it is not installed.
    """
    try:
        from openpyxl import Workbook  # imported here because it takes long to load
        from openpyxl.cell import WriteOnlyCell
    except ImportError as error:
        help_text = install_advice("tables", "write CSV")
        message = "writing XLSX needs openpyxl, which is not installed"
        raise CardgenError(Diagnostic(Code.NO_LIBRARY, message, Place("--output"), help_text)) from error
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet(title)
    for row in grid:
        if any(len(text) > _MAX_XLSX_TEXT for text in row):
            message = f"a cell would have more than {_MAX_XLSX_TEXT:,} characters, the limit of XLSX"
            raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, Place("--output"), "write CSV, ODS, or JSON"))
        cells = []
        for text in row:
            cell = WriteOnlyCell(sheet, value=text or None)
            cell.number_format = "@"
            if text:
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    result = io.BytesIO()
    workbook.save(result)
    return result.getvalue()


_MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>"""
_CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.2">
<office:automatic-styles><number:text-style style:name="N"><number:text-content/></number:text-style>
<style:style style:name="T" style:family="table-cell" style:data-style-name="N"/></office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name={name}>{rows}</table:table>
</office:spreadsheet></office:body></office:document-content>"""


def write_ods(grid: Grid, title: str) -> bytes:
    """Return an ODS file with one sheet."""
    rows = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in grid)
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": _MANIFEST,
        "content.xml": _CONTENT.format(name=quoteattr(title), rows=rows),
    }
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        for name, part in parts.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, _DATE), part, method)
    return result.getvalue()


def _ods_cell(text: str) -> str:
    if not text:
        return '<table:table-cell table:style-name="T"/>'
    return f'<table:table-cell table:style-name="T" office:value-type="string">{_paragraphs(text)}</table:table-cell>'


def _paragraphs(text: str) -> str:
    """Return lines as paragraphs; ODS would merge several spaces into one."""
    return "".join(f"<text:p>{_spaces(line.split('  '))}</text:p>" for line in text.split("\n"))


def _spaces(parts: Iterable[str]) -> str:
    return '<text:s text:c="2"/>'.join(map(escape, parts))
