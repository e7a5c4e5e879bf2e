"""Postprocessing with pikepdf: artwork and form fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader, BufferedWriter, BytesIO
from itertools import chain
from typing import Any, BinaryIO

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.export.pdf.file import face_to_paper
from cardgen.face.face import Face, Field
from cardgen.runtime.atomic_write import ScratchFile
from cardgen.sheet.leaf import LABEL_STYLE, SheetPage
from cardgen.text.fonts import Font, Fonts, embed
from cardgen.units import Box, Matrix, apply, compose, to_points

_BUFFER = 1 << 16
_COPIED_KEYS = ("/BBox", "/Matrix", "/Resources", "/Group")
# ReportLab's prefix for the names of forms.
_FORM_PREFIX = "/FormXob."


def postprocess(
    document: BinaryIO, artwork: Mapping[str, bytes], pages: Sequence[SheetPage[Any]], fonts: Fonts
) -> ScratchFile:
    """Return a file of the document with artwork and form fields.

    Each placeholder form of `artwork` is replaced by the first page of its PDF; the fields come from `pages`.
    Gradients, opacity groups, and resources survive. `fonts` has the font of form fields.
    The same input gives the same bytes. Raises CardgenError if there is no room for temporary files.
    """
    # Mapped into memory, the document would count as our memory; pikepdf reads and writes a few bytes at a time.
    reader: Any = BufferedReader(document, _BUFFER)
    pdf = pikepdf.open(reader, access_mode=pikepdf.AccessMode.stream)
    placeholders = _form_xobjects(pdf) if artwork else {}
    for name, drawn in artwork.items():
        placeholder = placeholders[name]
        with pikepdf.open(BytesIO(drawn)) as source:
            form: Any = pdf.copy_foreign(source.pages[0].as_form_xobject())
        placeholder.write(form.read_raw_bytes(), filter=form.get("/Filter"))
        for key in _COPIED_KEYS:
            if key in form:
                placeholder[key] = form[key]
    add_form_fields(pdf, pages, fonts)
    file = ScratchFile()
    output = BufferedWriter(file, _BUFFER)
    pdf.save(
        output,
        deterministic_id=True,
        compress_streams=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    pdf.close()
    output.detach()  # flushed by pikepdf
    file.check()
    return file


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


_PRINT_FLAG = 4
_MULTILINE_FLAG = 1 << 12
_CENTRED_QUADDING = 1
_FIRST_CODE, _LAST_CODE = 32, 255
_CODES = range(_FIRST_CODE, _LAST_CODE + 1)
_NONSYMBOLIC = 1 << 5
_STEM_WIDTH = 80
# What the font brings along, because the text is not known in advance: Latin, Greek, Cyrillic, punctuation, currencies,
# fractions, arrows, and mathematical signs, as far as the font has them.
_SCRIPTS = (range(0x20, 0x530), range(0x1E00, 0x1F00), range(0x2010, 0x2300))
# It shows an empty field, and marks where a viewer puts the text.
_EMPTY_APPEARANCE = b"/Tx BMC\nEMC"
# A cross from corner to corner, at this part of the shorter side from the edges.
_CROSS_INSET = 0.18
_CROSS_WIDTH = 0.12
_ON, _OFF = Name.Yes, Name.Off


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

    A field is named after its card, the number of the copy if there are several, and itself: 'Ash 2 - Wounds'.
    """
    copies = Counter(placement.name for page in pages for placement in page.placements if placement.face.fields)
    numbers: Counter[str] = Counter()
    names: set[str] = set()
    for page in pages:
        on_page = []
        for placement in page.placements:
            if placement.face.fields:
                numbers[placement.name] += 1
            number = f" {numbers[placement.name]}" if copies[placement.name] > 1 else ""
            for field in placement.face.fields:
                box = _on_paper(
                    field.box,
                    compose(page.correction, face_to_paper(placement.slot, placement.face.size)),
                    placement.slot.turn,
                )
                name = _unique(f"{placement.name or 'Card'}{number} - {field.name}", names)
                on_page.append(FieldWidget(name, field, box, placement.slot.turn))
        yield tuple(on_page)


def _unique(name: str, names: set[str]) -> str:
    """Return a name that is not in `names`, without the periods that would make it a path, and add it there."""
    whole = name.replace(".", "")
    name, number = whole, 1
    while name in names:
        number += 1
        name = f"{whole} ({number})"
    names.add(name)
    return name


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
    form = _Form(pdf, fonts)
    fields = Array()
    for sheet, page, on_page in zip(pages, pdf.pages, widgets, strict=True):
        annotations = [
            pdf.make_indirect(form.widget_annotation(widget, sheet.paper.height, page.obj)) for widget in on_page
        ]
        if annotations:
            page.obj.Annots = Array(annotations)
            fields.extend(annotations)
    pdf.Root.AcroForm = Dictionary(Fields=fields, DR=form.resources, DA=form.default_appearance("", 11))


def _embed_font(pdf: pikepdf.Pdf, font: Font) -> pikepdf.Object:
    """Return a font for any text, embedded.

    Its encoding is WinAnsiEncoding, which all programs that fill forms know. Those that set other characters take their
    glyphs from the font file.
    """
    letters = [bytes([code]).decode("cp1252", "replace") for code in _CODES]
    characters = "".join(letters)
    widths = [round(1000 * font.face.advance(letter)) if font.face.has_glyph(letter) else 0 for letter in letters]
    top, depth = font.face.vertical_extent(characters)
    others = "".join(letter for letter in map(chr, chain.from_iterable(_SCRIPTS)) if font.face.has_glyph(letter))
    program = embed(font, characters + others)
    # not marked as a subset, which readers would not use for more text
    name = Name(f"/{font.key}")
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


class _Form:
    """Form of one document: its fonts and its fields, each with an appearance of its own."""

    def __init__(self, pdf: pikepdf.Pdf, fonts: Fonts) -> None:
        self._pdf, self._fonts = pdf, fonts
        self.resources = pdf.make_indirect(Dictionary(Font=Dictionary()))

    def default_appearance(self, family: str, size: float) -> str:
        """Return the operators that set typed text in a family, which is embedded at its first use."""
        font = self._fonts.font(family or LABEL_STYLE.family)
        name = f"/{font.key}"
        if name not in self.resources.Font:
            self.resources.Font[name] = _embed_font(self._pdf, font)
        return f"{name} {size:g} Tf 0 g"

    def widget_annotation(self, widget: FieldWidget, paper_height: float, page: pikepdf.Object) -> Dictionary:
        box, field = widget.box, widget.field
        corners = (box.x, paper_height - box.bottom, box.right, paper_height - box.y)
        width, height = (round(to_points(side), 3) for side in (box.width, box.height))
        annotation = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            T=widget.name,
            TU=widget.name,
            Rect=Array([round(to_points(corner), 3) for corner in corners]),
            F=_PRINT_FLAG,
            P=page,
        )
        if widget.turn:
            annotation.MK = Dictionary(R=-widget.turn % 360)
        if field.is_box:
            # The operators of a cross in a box; its sides are in points.
            side = min(width, height)
            inset = side * _CROSS_INSET
            right, top = width - inset, height - inset
            cross = (
                f"{inset:.3f} {inset:.3f} m {right:.3f} {top:.3f} l {inset:.3f} {top:.3f} m {right:.3f} {inset:.3f} l"
            )
            ticked = self._appearance(f"q 0 G 1 J {side * _CROSS_WIDTH:.3f} w {cross} S Q".encode(), width, height)
            states = {str(_ON): ticked, str(_OFF): self._appearance(_EMPTY_APPEARANCE, width, height)}
            annotation.update(Dictionary(FT=Name.Btn, V=_OFF, AS=_OFF, AP=Dictionary(N=Dictionary(states))))
            return annotation
        annotation.update(
            Dictionary(
                FT=Name.Tx,
                Ff=_MULTILINE_FLAG if field.multiline else 0,
                Q=_CENTRED_QUADDING if field.align == "center" else 0,
                DA=self.default_appearance(field.family, field.size),
                AP=Dictionary(N=self._appearance(_EMPTY_APPEARANCE, width, height)),
            )
        )
        return annotation

    def _appearance(self, operators: bytes, width: float, height: float) -> pikepdf.Object:
        """Return a new appearance, even if there is an equal one: programs that fill a form overwrite it."""
        return self._pdf.make_stream(
            operators,
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, width, height]),
            Resources=self.resources,
        )
