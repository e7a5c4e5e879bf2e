"""Fields that are filled in on the screen: AcroForm text fields over the faces that have some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.affine import Matrix, apply, compose
from cardgen.export.overlay import standing
from cardgen.face.face import Face, Field
from cardgen.sheet.page import Page
from cardgen.units import Box, points

_PRINT = 4
_MULTILINE = 1 << 12
_CENTRED = 1
# What is typed on the screen is set by the viewer, which has this font; it cannot be embedded, as nobody knows what
# will be typed.
_FONT = "/Helv"


@dataclass(frozen=True, slots=True)
class Widget:
    """A field on a page: its name in the document, its place in millimetres, and its angle in degrees, clockwise."""

    name: str
    field: Field
    box: Box
    turn: int


def widgets(pages: Sequence[Page[Face]]) -> Iterator[tuple[Widget, ...]]:
    """The fields of each page; a field that comes again is another one, with a number behind its name."""
    counts: dict[str, int] = {}
    for page in pages:
        found = []
        for placement in page.placements:
            for field in placement.face.fields:
                number = counts[field.name] = counts.get(field.name, 0) + 1
                name = field.name if number == 1 else f"{field.name} {number}"
                box = _on_paper(
                    field.box, compose(page.adjust, standing(placement.slot, placement.face.size)), placement.slot.turn
                )
                found.append(Widget(name, field, box, placement.slot.turn))
        yield tuple(found)


def _on_paper(box: Box, matrix: Matrix, turn: int) -> Box:
    """Where a box of a face lies on the paper; sides stay sides, for nothing is turned but by quarters."""
    x, y = apply(matrix, box.x + box.width / 2, box.y + box.height / 2)
    width, height = (box.height, box.width) if turn % 180 else (box.width, box.height)
    return Box(x - width / 2, y - height / 2, width, height)


def add(pdf: pikepdf.Pdf, pages: Sequence[Page[Face]]) -> None:
    """Lay the fields of some pages over the pages of their document, one for one."""
    fields = Array()
    for sheet, page, found in zip(pages, pdf.pages, widgets(pages), strict=True):
        made = [pdf.make_indirect(_widget(widget, sheet.paper.height, page.obj)) for widget in found]
        if made:
            page.obj.Annots = Array(made)
            fields.extend(made)
    if not len(fields):
        return
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    fonts = Dictionary({_FONT: pdf.make_indirect(font)})
    pdf.Root.AcroForm = Dictionary(Fields=fields, DR=Dictionary(Font=fonts), DA=_appearance(11), NeedAppearances=True)


def _widget(widget: Widget, paper_height: float, page: pikepdf.Object) -> Dictionary:
    box, field = widget.box, widget.field
    corners = (box.x, paper_height - box.bottom, box.right, paper_height - box.y)
    made = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name.Tx,
        T=widget.name,
        TU=widget.name,
        Rect=Array([round(points(corner), 3) for corner in corners]),
        F=_PRINT,
        Ff=_MULTILINE if field.multiline else 0,
        Q=_CENTRED if field.align == "center" else 0,
        DA=_appearance(field.size),
        P=page,
    )
    if widget.turn:
        made.MK = Dictionary(R=-widget.turn % 360)
    return made


def _appearance(size: float) -> str:
    return f"{_FONT} {size:g} Tf 0 g"
