"""Postprocessing with pikepdf: artwork, layers, outline, page labels, form fields."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.affine import Matrix, apply, compose
from cardgen.export.page_marks import layer_tag
from cardgen.export.pdf_faces import face_to_paper
from cardgen.face.face import Face, Field
from cardgen.sheet.page import Layer, SheetPage
from cardgen.units import Box, to_points

_COPIED_KEYS = ("/BBox", "/Matrix", "/Resources", "/Group")
# ReportLab's prefix for the names of forms.
_FORM_PREFIX = "/FormXob."


def postprocess(document: bytes, artwork: Mapping[str, bytes], pages: Sequence[SheetPage[Any]] = ()) -> bytes:
    """Return the document with artwork, layers, bookmarks, page labels, and form fields.

    Each placeholder form of `artwork` is replaced by the first page of its PDF; the rest comes from `pages`. Gradients,
    opacity groups, and resources survive. The same input gives the same bytes.
    """
    pdf = pikepdf.open(io.BytesIO(document))
    placeholders = _form_xobjects(pdf) if artwork else {}
    for name, drawn in artwork.items():
        _fill_placeholder(pdf, placeholders[name], drawn)
    if pages:
        add_layers(pdf, pages)
        add_outline(pdf, pages)
        add_form_fields(pdf, pages)
    out = io.BytesIO()
    pdf.save(
        out,
        deterministic_id=True,
        compress_streams=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    return out.getvalue()


def _form_xobjects(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """Return all form XObjects by their name on the canvas.

    Faces share one resource dictionary.
    """
    forms: dict[str, Any] = {}
    for each in pdf.objects:
        listed: Any = each.get("/Resources", {}) if isinstance(each, pikepdf.Stream) else each
        if isinstance(listed, pikepdf.Dictionary) and (listed is each or not listed.is_indirect):
            for key, form in listed.get("/XObject", {}).items():
                forms.setdefault(key.removeprefix(_FORM_PREFIX), form)
    return forms


def _fill_placeholder(pdf: pikepdf.Pdf, placeholder: Any, rendered: bytes) -> None:
    with pikepdf.open(io.BytesIO(rendered)) as source:
        form: Any = pdf.copy_foreign(source.pages[0].as_form_xobject())
    placeholder.write(form.read_raw_bytes(), filter=form.get("/Filter"))
    for key in _COPIED_KEYS:
        if key in form:
            placeholder[key] = form[key]


# Safe zones help template authors on screen, and are not printed.
_HIDDEN_LAYERS = frozenset({Layer.SAFE})


def add_layers(pdf: pikepdf.Pdf, pages: Iterable[SheetPage[Any]]) -> None:
    """Declare the layers that pages use, and add page labels."""
    used: dict[Layer, Any] = {}
    numbers: list[Any] = []
    for page, pdf_page in zip(pages, pdf.pages, strict=True):
        layers = _used_layers(page)
        for layer in layers:
            if layer not in used:
                used[layer] = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(layer.value)))
        if layers:
            pdf_page.obj.Resources.Properties = Dictionary({f"/{layer_tag(layer)}": used[layer] for layer in layers})
        numbers += [len(numbers) // 2, Dictionary(P=String(page.name))]
    if used:
        groups = [used[layer] for layer in Layer if layer in used]
        hidden = [used[layer] for layer in Layer if layer in used and layer in _HIDDEN_LAYERS]
        configuration = Dictionary(Name=String("Print"), Order=Array(groups), OFF=Array(hidden))
        pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=configuration)
    if any(page.name for page in pages):
        pdf.Root.PageLabels = Dictionary(Nums=Array(numbers))


def add_outline(pdf: pikepdf.Pdf, pages: Sequence[SheetPage[Any]]) -> None:
    """Add an outline of groups and their pieces.

    A piece links to the first page with its front.
    """
    groups: dict[str, dict[str, int]] = {}
    for number, page in enumerate(pages):
        for group, name in page.pieces:
            groups.setdefault(group, {}).setdefault(name, number)
    if not any(name for names in groups.values() for name in names):
        return
    with pdf.open_outline() as outline:
        for group, names in groups.items():
            heading = pikepdf.OutlineItem(group, min(names.values()))
            heading.children.extend(pikepdf.OutlineItem(name, number) for name, number in names.items())
            heading.is_closed = True
            outline.root.append(heading)


def _used_layers(page: SheetPage[Any]) -> list[Layer]:
    used = {part.layer for parts in (page.strokes, page.outlines, page.labels) for part in parts}
    return [layer for layer in Layer if layer in used]


_PRINT_FLAG = 4
_MULTILINE_FLAG = 1 << 12
_CENTRED_QUADDING = 1
# The viewer sets text typed on screen in this font, which every viewer has; a subset cannot be embedded, because the
# text is not known in advance.
_FORM_FONT = "/Helv"


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


def add_form_fields(pdf: pikepdf.Pdf, pages: Sequence[SheetPage[Face]]) -> None:
    """Add the form fields of pages to their document, page by page."""
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
