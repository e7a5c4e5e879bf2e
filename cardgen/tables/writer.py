"""Write a grid of cells as CSV, XLSX, or ODS.

All cells are text, and none is a formula.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime.xml_escape import escape, quoteattr
from cardgen.tables.codes import Code
from cardgen.tables.formula_guard import defuse

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
        help_text = "run pip install '.[tables]' in a checkout of cardgen, or write CSV"
        message = "writing XLSX needs openpyxl, which is not installed"
        raise CardgenError(Diagnostic(Code.NO_LIBRARY, message, Place("--output"), help_text)) from error
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet(title)
    for row in grid:
        if any(len(text) > _MAX_XLSX_TEXT for text in row):
            message = f"a cell would have more than {_MAX_XLSX_TEXT:,} characters, the limit of XLSX"
            raise CardgenError(Diagnostic(Code.TOO_LARGE, message, Place("--output"), "write CSV, ODS, or JSON"))
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
