"""What the program uses of ReportLab's internals, and that the installed version has it.

A new version that renames one of them fails here with its name, and not somewhere in a PDF.
"""

from __future__ import annotations

import inspect
import io
import re
from typing import Any

from reportlab import rl_config
from reportlab.pdfbase import pdfdoc, pdfmetrics, ttfonts
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.pdf import resources
from tests.cases import each_case
from tests.export.pdf.inspection import FONTS
from tests.internals import parameters, uses

SHARED, FILE, SHEET = (f"export/pdf/{name}.py" for name in ("resources", "file", "writer"))
MODULES = {"reportlab.pdfbase", "reportlab.pdfbase.pdfdoc", "reportlab.pdfbase.ttfonts"}
# Attributes of ReportLab's objects that are not in its manual.
KNOWN = {
    "Catalog", "ExtGState", "GetPDFData", "Pages", "Pattern", "Reference", "XObject", "__NoDefault__", "addForm",
    "addSubsetObjects", "allProcs", "basicFonts", "charToGlyph", "dict", "format", "getCharWidth",
    "getSubsetInternalName", "idToObject", "idToObjectNumberAndVersion", "numberToId", "objectcounter", "splitString",
    "subfontNameX", "useA85", "xObjectName", "xobjDict",
}  # fmt: skip
USES: dict[str, set[str]] = {
    "_doc": {SHARED, FILE},
    "_code": {SHARED},
    "_formsinuse": {SHARED},
    "Reference": {SHARED, FILE},
    "addForm": {SHARED, FILE},
    "allProcs": {FILE},
    "basicFonts": {FILE},
    **{name: {SHARED} for name in ("ExtGState", "Pattern", "dict", "xobjDict")},
    "XObject": {SHARED},
    "format": {SHARED, FILE},
    "xObjectName": {SHARED, FILE},
    **{name: {FILE} for name in ("Catalog", "GetPDFData", "Pages", "__NoDefault__", "idToObject")},
    **{name: {FILE} for name in ("idToObjectNumberAndVersion", "numberToId", "objectcounter")},
    **{name: {SHARED} for name in ("addSubsetObjects", "charToGlyph", "getCharWidth", "getSubsetInternalName")},
    **{name: {SHARED} for name in ("splitString", "subfontNameX")},
    "useA85": {SHEET},
    **{
        f"TTFont.{name}": {SHARED}
        for name in ("_asciiReadable", "encoding", "face", "fontName", "shapable", "state")
    },
    "reportlab.pdfbase.pdfdoc": {SHARED, FILE},
    "reportlab.pdfbase.pdfdoc.PDFObject": {SHARED},
    "reportlab.pdfbase.pdfdoc.PDFDictionary": {SHARED},
    "reportlab.pdfbase.pdfdoc.PDFResourceDictionary": {SHARED, FILE},
    "reportlab.pdfbase.pdfmetrics": {SHARED},
    **{f"reportlab.pdfbase.ttfonts.{name}": {SHARED} for name in ("TTEncoding", "TTFError", "TTFont", "TTFontFace")},
}  # fmt: skip
SIGNATURES = {
    (pdfdoc.PDFDocument, "GetPDFData"): "self, canvas",
    (pdfdoc.PDFDocument, "Reference"): "self, obj, name",
    (pdfdoc.PDFDocument, "addForm"): "self, name, form",
    (pdfdoc.PDFDocument, "xobjDict"): "self, formnames",
    (pdfdoc.PDFResourceDictionary, "allProcs"): "self",
    (pdfdoc.PDFResourceDictionary, "basicFonts"): "self",
    (pdfdoc, "format"): "element, document, toplevel",
    (pdfdoc, "xObjectName"): "externalname",
    (ttfonts.TTFont, "getSubsetInternalName"): "self, subset, doc",
    (ttfonts.TTFont, "splitString"): "self, text, doc, encoding",
    (ttfonts.TTFontFace, "addSubsetObjects"): "self, doc, fontname, subset",
    (ttfonts.TTFontFace, "getCharWidth"): "self, code",
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


def test_a_lazy_font_has_all_that_a_font_of_reportlab_s_is_given() -> None:
    lazy = resources._lazy_font(FONTS.font("Source Sans 3"))
    given = set(re.findall(r"self\.(\w+) = ", inspect.getsource(ttfonts.TTFont.__init__)))
    assert {f"TTFont.{name}" for name in given} == {name for name in USES if name.startswith("TTFont.")}
    assert all(hasattr(lazy, name) for name in given)


def test_a_lazy_face_has_all_that_a_font_of_reportlab_s_looks_at() -> None:
    face = resources._lazy_font(FONTS.font("Source Sans 3")).face
    methods = (ttfonts.TTFont.splitString, ttfonts.TTFont.getSubsetInternalName, ttfonts.TTFont.addObjects)
    wanted = {name for method in methods for name in re.findall(r"\bface\.(\w+)", inspect.getsource(method))}
    assert wanted == {"addSubsetObjects", "charToGlyph", "getCharWidth", "name", "subfontNameX"}
    assert all(hasattr(face, name) for name in wanted)
