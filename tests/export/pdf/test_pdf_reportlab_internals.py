"""What the program uses of ReportLab's internals, and that the installed version has it.

A new version that renames one of them fails here with its name, and not somewhere in a PDF.
"""

from __future__ import annotations

import inspect
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from reportlab import rl_config
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.pdf import fonts
from tests.cases import each_case
from tests.internals import parameters, uses

SHARED, FILE, SHEET, FONT = (f"export/pdf/{name}.py" for name in ("resources", "file", "writer", "fonts"))
MODULES = {"reportlab.pdfbase", "reportlab.pdfbase.pdfdoc"}
# Attributes of ReportLab's objects that are not in its manual.
KNOWN = {
    "Catalog", "ExtGState", "GetPDFData", "Pages", "Pattern", "Reference", "XObject", "__NoDefault__", "_dynamicFont",
    "_multiByte", "addForm", "addObjects", "allProcs", "basicFonts", "delayedFonts", "dict", "fontName", "format",
    "idToObject", "idToObjectNumberAndVersion", "numberToId", "objectcounter", "useA85", "xObjectName", "xobjDict",
}  # fmt: skip
USES: dict[str, set[str]] = {
    "_doc": {SHARED, FILE},
    "_code": {SHARED},
    "_formsinuse": {SHARED},
    **{name: {FONT} for name in ("_dynamicFont", "_multiByte", "addObjects", "delayedFonts", "fontName")},
    "Reference": {SHARED, FILE, FONT},
    "addForm": {SHARED, FILE},
    "allProcs": {FILE},
    "basicFonts": {FILE},
    **{name: {SHARED} for name in ("ExtGState", "Pattern", "xobjDict")},
    "XObject": {SHARED},
    "dict": {SHARED, FONT},
    "format": {SHARED, FILE, FONT},
    "xObjectName": {SHARED, FILE},
    **{name: {FILE} for name in ("Catalog", "GetPDFData", "Pages", "__NoDefault__")},
    "idToObject": {FILE, FONT},
    **{name: {FILE} for name in ("idToObjectNumberAndVersion", "numberToId", "objectcounter")},
    "useA85": {SHEET},
    "reportlab.pdfbase.pdfdoc": {SHARED, FILE, FONT},
    "reportlab.pdfbase.pdfdoc.PDFObject": {SHARED},
    "reportlab.pdfbase.pdfdoc.PDFDictionary": {SHARED},
    "reportlab.pdfbase.pdfdoc.PDFResourceDictionary": {SHARED, FILE},
    "reportlab.pdfbase.pdfmetrics": {FONT},
}
SIGNATURES = {
    (pdfdoc.PDFDocument, "GetPDFData"): "self, canvas",
    (pdfdoc.PDFDocument, "Reference"): "self, obj, name",
    (pdfdoc.PDFDocument, "addForm"): "self, name, form",
    (pdfdoc.PDFDocument, "xobjDict"): "self, formnames",
    (pdfdoc.PDFResourceDictionary, "allProcs"): "self",
    (pdfdoc.PDFResourceDictionary, "basicFonts"): "self",
    (pdfdoc, "format"): "element, document, toplevel",
    (pdfdoc, "xObjectName"): "externalname",
    (pdfmetrics, "registerFont"): "font",
}


def test_the_list_is_complete() -> None:
    assert uses("reportlab", MODULES, KNOWN) == USES


@each_case(("owner", "name"), sorted(SIGNATURES, key=str), ids=str)
def test_its_functions_take_what_they_took(owner: Any, name: str) -> None:
    assert parameters(getattr(owner, name)) == SIGNATURES[owner, name]


def test_a_canvas_has_a_document_the_operators_of_its_page_and_the_forms_in_use() -> None:
    canvas = Canvas(io.BytesIO())
    assert isinstance(canvas._doc, pdfdoc.PDFDocument)
    assert isinstance(canvas._code, list)
    assert isinstance(canvas._formsinuse, list)
    canvas.addLiteral("0 0 m")
    assert canvas._code[-1] == "0 0 m"
    canvas.beginForm("form")
    canvas.endForm()
    canvas.doForm("form")
    assert canvas._formsinuse == ["form"]


def test_a_document_has_its_objects_by_number_until_it_is_written() -> None:
    canvas = Canvas(io.BytesIO())
    canvas.showPage()
    document = canvas._doc
    assert document.numberToId == dict(enumerate(document.idToObject, 1))
    assert document.objectcounter == len(document.numberToId)
    assert {name: number for name, (number, _) in document.idToObjectNumberAndVersion.items()} == {
        name: number for number, name in document.numberToId.items()
    }
    assert isinstance(document.Pages.pages, list)
    assert {"Outlines", "PageLabels"} < set(document.Catalog.__NoDefault__)
    assert document.Catalog.Pages is document.Pages
    assert isinstance(document.info, pdfdoc.PDFInfo)
    assert inspect.getsource(pdfdoc.PDFDocument.GetPDFData).rstrip().endswith("return self.format()")


def test_resources_and_dictionaries_are_open() -> None:
    resources = pdfdoc.PDFResourceDictionary()
    assert resources.XObject == resources.Pattern == resources.ExtGState == {}
    assert pdfdoc.PDFDictionary({"a": 1}).dict == {"a": 1}
    assert isinstance(Canvas(io.BytesIO())._doc.xobjDict([]).dict, dict)
    assert hasattr(rl_config, "useA85")


def test_objects_are_written_as_references_where_they_say_so() -> None:
    assert "__RefOnly__" in inspect.getsource(pdfdoc)


def test_a_document_embeds_fonts_when_it_ends_and_has_a_dictionary_of_them() -> None:
    document = Canvas(io.BytesIO(), initialFontName=fonts.no_font())._doc
    assert document.delayedFonts == []
    assert "fnt.addObjects(self)" in inspect.getsource(pdfdoc.PDFDocument.GetPDFData)
    assert document.idToObject["BasicFonts"].dict == {}


@pytest.mark.skipif(os.name != "posix", reason="such a folder cannot be made")
@pytest.mark.parametrize(
    "use", ["import cardgen.export.pdf.writer", "from cardgen.export.charts import qr_svg; qr_svg('x')"]
)
def test_reportlab_looks_for_no_fonts_in_the_current_folder(tmp_path: Path, use: str) -> None:
    """It takes folders of Windows for relative ones, and the colon in their names for the end of a name."""
    (tmp_path / "c:" / "windows" / "fonts").mkdir(parents=True)
    (tmp_path / "c").mkdir()
    code = f"{use}\nfrom reportlab import rl_config\nprint(rl_config.TTFSearchPath, rl_config.T1SearchPath)"
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "'c'" not in done.stdout
