"""Fields that are filled in on the screen: AcroForm text fields over the faces that have some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.affine import Matrix, apply, compose
from cardgen.export.overlay import face_to_paper
from cardgen.face.face import Face, Field
from cardgen.sheet.page import SheetPage
from cardgen.units import Box, to_points

_PRINT_FLAG = 4
_MULTILINE_FLAG = 1 << 12
_CENTRED_QUADDING = 1
# What is typed on the screen is set by the viewer, which has this font; it cannot be embedded, as nobody knows what
# will be typed.
_FORM_FONT = "/Helv"


@dataclass(frozen=True, slots=True)
class FieldWidget:
    """A field on a page: its name in the document, its place in millimetres, and its angle in degrees, clockwise."""

    name: str
    field: Field
    box: Box
    turn: int


def page_widgets(pages: Sequence[SheetPage[Face]]) -> Iterator[tuple[FieldWidget, ...]]:
    """The fields of each page; a field that comes again is another one, with a number behind its name."""
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
    """Where a box of a face lies on the paper; sides stay sides, for nothing is turned but by quarters."""
    x, y = apply(matrix, box.x + box.width / 2, box.y + box.height / 2)
    width, height = (box.height, box.width) if turn % 180 else (box.width, box.height)
    return Box(x - width / 2, y - height / 2, width, height)


def add_form_fields(pdf: pikepdf.Pdf, pages: Sequence[SheetPage[Face]]) -> None:
    """Lay the fields of some pages over the pages of their document, one for one."""
    fields = Array()
    for sheet, page, on_page in zip(pages, pdf.pages, page_widgets(pages), strict=True):
        annotations = [
            pdf.make_indirect(_widget_annotation(widget, sheet.paper.height, page.obj)) for widget in on_page
        ]
        if annotations:
            page.obj.Annots = Array(annotations)
            fields.extend(annotations)
    if not len(fields):
        return
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    fonts = Dictionary({_FORM_FONT: pdf.make_indirect(font)})
    pdf.Root.AcroForm = Dictionary(
        Fields=fields, DR=Dictionary(Font=fonts), DA=_default_appearance(11), NeedAppearances=True
    )


def _widget_annotation(widget: FieldWidget, paper_height: float, page: pikepdf.Object) -> Dictionary:
    box, field = widget.box, widget.field
    corners = (box.x, paper_height - box.bottom, box.right, paper_height - box.y)
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
    )
    if widget.turn:
        annotation.MK = Dictionary(R=-widget.turn % 360)
    return annotation


def _default_appearance(size: float) -> str:
    return f"{_FORM_FONT} {size:g} Tf 0 g"
