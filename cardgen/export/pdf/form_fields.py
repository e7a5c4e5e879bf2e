"""Form fields to fill in on screen, with an embedded font."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.affine import Matrix, apply, compose
from cardgen.export.pdf.faces import face_to_paper
from cardgen.export.pdf.page_marks import LABEL_STYLE
from cardgen.face.face import Face, Field
from cardgen.sheet.page import SheetPage
from cardgen.text.fonts import Font, Fonts, embed
from cardgen.units import Box, to_points

_PRINT_FLAG = 4
_MULTILINE_FLAG = 1 << 12
_CENTRED_QUADDING = 1
# The font in which the viewer sets what is typed on screen. It has all characters of its encoding, because the text is
# not known in advance.
_FORM_FONT = "/Form"
_FIRST_CODE, _LAST_CODE = 32, 255
_CODES = range(_FIRST_CODE, _LAST_CODE + 1)
_NONSYMBOLIC = 1 << 5
_STEM_WIDTH = 80
# It shows an empty field, and marks where a viewer puts the text.
_EMPTY_APPEARANCE = b"/Tx BMC\nEMC"


@dataclass(frozen=True, slots=True)
class FieldWidget:
    """Form field on a page: unique name, box, and rotation.

    The box is in millimeters, the rotation in degrees, clockwise.
    """

    name: str
    field: Field
    box: Box
    turn: int


def page_widgets(pages: Sequence[SheetPage[Face]]) -> Iterator[tuple[FieldWidget, ...]]:
    """Yield the form fields of each page.

    A name that occurs again gets a number, so that it is a separate field.
    """
    counts: dict[str, int] = {}
    for page in pages:
        on_page = []
        for placement in page.placements:
            for field in placement.face.fields:
                number = counts[field.name] = counts.get(field.name, 0) + 1
                name = field.name if number == 1 else f"{field.name} {number}"
                box = _on_paper(
                    field.box,
                    compose(page.correction, face_to_paper(placement.slot, placement.face.size)),
                    placement.slot.turn,
                )
                on_page.append(FieldWidget(name, field, box, placement.slot.turn))
        yield tuple(on_page)


def _on_paper(box: Box, matrix: Matrix, turn: int) -> Box:
    """Return the box on paper; quarter turns keep it a box."""
    x, y = apply(matrix, box.x + box.width / 2, box.y + box.height / 2)
    width, height = (box.height, box.width) if turn % 180 else (box.width, box.height)
    return Box(x - width / 2, y - height / 2, width, height)


def add_form_fields(pdf: pikepdf.Pdf, pages: Sequence[SheetPage[Face]], fonts: Fonts) -> None:
    """Add the form fields of pages to their document, page by page."""
    widgets = tuple(page_widgets(pages))
    if not any(widgets):
        return
    resources = Dictionary(Font=Dictionary({_FORM_FONT: _embed_font(pdf, fonts.font(LABEL_STYLE.family))}))
    appearances = _Appearances(pdf, resources)
    fields = Array()
    for sheet, page, on_page in zip(pages, pdf.pages, widgets, strict=True):
        annotations = [
            pdf.make_indirect(_widget_annotation(widget, sheet.paper.height, page.obj, appearances))
            for widget in on_page
        ]
        if annotations:
            page.obj.Annots = Array(annotations)
            fields.extend(annotations)
    pdf.Root.AcroForm = Dictionary(Fields=fields, DR=resources, DA=_default_appearance(11))


def _embed_font(pdf: pikepdf.Pdf, font: Font) -> pikepdf.Object:
    """Return a font for any text in WinAnsiEncoding, embedded."""
    letters = [bytes([code]).decode("cp1252", "replace") for code in _CODES]
    characters = "".join(letters)
    widths = [round(1000 * font.face.advance(letter)) if font.face.has_glyph(letter) else 0 for letter in letters]
    top, depth = font.face.vertical_extent(characters)
    program = embed(font, characters)
    name = Name(f"/CGFORM+{font.key}")
    file = pdf.make_stream(program, Length1=len(program))
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=_NONSYMBOLIC,
        FontBBox=Array([0, round(-1000 * depth), max(widths), round(1000 * top)]),
        ItalicAngle=0,
        Ascent=round(1000 * font.ascent),
        Descent=round(-1000 * font.descent),
        CapHeight=round(1000 * font.cap_height),
        StemV=_STEM_WIDTH,
        FontFile2=file,
    )
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.TrueType,
            BaseFont=name,
            FirstChar=_FIRST_CODE,
            LastChar=_LAST_CODE,
            Widths=Array(widths),
            Encoding=Name.WinAnsiEncoding,
            FontDescriptor=pdf.make_indirect(descriptor),
        )
    )


class _Appearances:
    """Appearances of empty fields, shared by fields of one size."""

    def __init__(self, pdf: pikepdf.Pdf, resources: Dictionary) -> None:
        self._pdf, self._resources = pdf, resources
        self._by_size: dict[tuple[float, float], pikepdf.Object] = {}

    def of(self, width: float, height: float) -> pikepdf.Object:
        """Return the appearance of a field; its sides are in points."""
        size = (width, height)
        if size not in self._by_size:
            self._by_size[size] = self._pdf.make_stream(
                _EMPTY_APPEARANCE,
                Type=Name.XObject,
                Subtype=Name.Form,
                BBox=Array([0, 0, *size]),
                Resources=self._resources,
            )
        return self._by_size[size]


def _widget_annotation(
    widget: FieldWidget, paper_height: float, page: pikepdf.Object, appearances: _Appearances
) -> Dictionary:
    box, field = widget.box, widget.field
    corners = (box.x, paper_height - box.bottom, box.right, paper_height - box.y)
    width, height = (round(to_points(side), 3) for side in (box.width, box.height))
    annotation = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name.Tx,
        T=widget.name,
        TU=widget.name,
        Rect=Array([round(to_points(corner), 3) for corner in corners]),
        F=_PRINT_FLAG,
        Ff=_MULTILINE_FLAG if field.multiline else 0,
        Q=_CENTRED_QUADDING if field.align == "center" else 0,
        DA=_default_appearance(field.size),
        P=page,
        AP=Dictionary(N=appearances.of(width, height)),
    )
    if widget.turn:
        annotation.MK = Dictionary(R=-widget.turn % 360)
    return annotation


def _default_appearance(size: float) -> str:
    return f"{_FORM_FONT} {size:g} Tf 0 g"
