"""Layers that a reader can show and hide (optional content, ISO 32000-1, 8.11), outlines and page labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.sheet.page import Layer, SheetPage

# Safe zones are for whoever draws a template; on paper they would be in the way.
_HIDDEN_LAYERS = frozenset({Layer.SAFE})


def layer_tag(layer: Layer) -> str:
    """The name by which the content of a page calls a layer."""
    return f"Layer{layer.name.title()}"


def add_layers(pdf: pikepdf.Pdf, pages: Iterable[SheetPage[Any]]) -> None:
    """Declare the layers that pages use, and number the pages."""
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
    """An outline of the groups, and below each its pieces, on the first page that has their front."""
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
