"""Shared by tests of tables: small workbooks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook


def xlsx(*sheets: Sequence[Sequence[Any]], hidden: int = -1, errors: Sequence[str] = ()) -> bytes:
    """Return an XLSX file with these sheets, called A, B, and so on; cells with an error are given by name."""
    workbook = Workbook()
    workbook.remove(workbook.active)
    for index, rows in enumerate(sheets):
        sheet = workbook.create_sheet(chr(ord("A") + index))
        for row in rows:
            sheet.append(list(row))
        for name in errors:
            sheet[name].data_type = "e"
        if index == hidden:
            sheet.sheet_state = "hidden"
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def repack(content: bytes, changes: Mapping[str, bytes]) -> bytes:
    """Return an archive with other or additional parts."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, changes.get(name, old.read(name)))
        for name in changes.keys() - set(old.namelist()):
            new.writestr(name, changes[name])
    return result.getvalue()


def ods(content_xml: str) -> bytes:
    """Return an ODS file with these rows of its only sheet, called A."""
    head = (
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
        '<table:table table:name="A">'
    )
    tail = "</table:table></office:spreadsheet></office:body></office:document-content>"
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", f"{head}{content_xml}{tail}")
    return result.getvalue()
