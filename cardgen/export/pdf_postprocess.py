"""Postprocessing with pikepdf: artwork, layers, outline, page labels, form fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BufferedReader, BufferedWriter, BytesIO
from itertools import pairwise
from typing import Any, BinaryIO

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.export.page_marks import layer_tag
from cardgen.export.pdf_form_fields import add_form_fields
from cardgen.runtime.scratch_file import ScratchFile
from cardgen.sheet.page import Layer, SheetPage
from cardgen.text.fonts import Fonts

_BUFFER = 1 << 16
_COPIED_KEYS = ("/BBox", "/Matrix", "/Resources", "/Group")
# ReportLab's prefix for the names of forms.
_FORM_PREFIX = "/FormXob."


def postprocess(
    document: BinaryIO, artwork: Mapping[str, bytes], pages: Sequence[SheetPage[Any]] = (), fonts: Fonts | None = None
) -> ScratchFile:
    """Return a file of the document with artwork, layers, bookmarks, page labels, and form fields.

    Each placeholder form of `artwork` is replaced by the first page of its PDF; the rest comes from `pages`. Gradients,
    opacity groups, and resources survive. `fonts` has the font of form fields; they are left out without it. The same
    input gives the same bytes. Raises CardgenError if there is no room for temporary files.
    """
    # Mapped into memory, the document would count as our memory; pikepdf reads and writes a few bytes at a time.
    reader: Any = BufferedReader(document, _BUFFER)
    pdf = pikepdf.open(reader, access_mode=pikepdf.AccessMode.stream)
    placeholders = _form_xobjects(pdf) if artwork else {}
    for name, drawn in artwork.items():
        _fill_placeholder(pdf, placeholders[name], drawn)
    if pages:
        add_layers(pdf, pages)
        add_outline(pdf, pages)
        if fonts is not None:
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


def _fill_placeholder(pdf: pikepdf.Pdf, placeholder: Any, rendered: bytes) -> None:
    with pikepdf.open(BytesIO(rendered)) as source:
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
    # pikepdf's own outline takes three times as long.
    pdf_pages = [page.obj for page in pdf.pages]
    outline = pdf.Root.Outlines = pdf.make_indirect(Dictionary(Type=Name.Outlines))
    headings = [
        pdf.make_indirect(_outline_item(group, pdf_pages[min(names.values())])) for group, names in groups.items()
    ]
    _link_outline_items(outline, headings)
    for heading, names in zip(headings, groups.values(), strict=True):
        items = [pdf.make_indirect(_outline_item(name, pdf_pages[number])) for name, number in names.items()]
        _link_outline_items(heading, items)
        heading.Count = -len(items)  # closed


def _outline_item(title: str, page: Any) -> Dictionary:
    return Dictionary(Title=String(title), Dest=Array([page, Name.Fit]), Count=0)


def _link_outline_items(parent: Any, items: Sequence[Any]) -> None:
    """Make items the children of another, in order."""
    parent.First, parent.Last, parent.Count = items[0], items[-1], len(items)
    for item in items:
        item.Parent = parent
    for item, following in pairwise(items):
        item.Next, following.Prev = following, item


def _used_layers(page: SheetPage[Any]) -> list[Layer]:
    used = {part.layer for parts in (page.strokes, page.outlines, page.labels) for part in parts}
    return [layer for layer in Layer if layer in used]
