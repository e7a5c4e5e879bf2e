"""Layers that a reader can show and hide (optional content, ISO 32000-1, 8.11), outlines and page labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.sheet.page import Layer, Page

# Safe zones are for whoever draws a template; on paper they would be in the way.
_HIDDEN = frozenset({Layer.SAFE})


def tag(layer: Layer) -> str:
    """The name by which the content of a page calls a layer."""
    return f"Layer{layer.name.title()}"


def link(pdf: pikepdf.Pdf, pages: Iterable[Page[Any]]) -> None:
    """Declare the layers that pages use, and number the pages."""
    used: dict[Layer, Any] = {}
    numbers: list[Any] = []
    for page, made in zip(pages, pdf.pages, strict=True):
        layers = _layers(page)
        for layer in layers:
            if layer not in used:
                used[layer] = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(layer.value)))
        if layers:
            made.obj.Resources.Properties = Dictionary({f"/{tag(layer)}": used[layer] for layer in layers})
        numbers += [len(numbers) // 2, Dictionary(P=String(page.name))]
    if used:
        groups = [used[layer] for layer in Layer if layer in used]
        hidden = [used[layer] for layer in Layer if layer in used and layer in _HIDDEN]
        configuration = Dictionary(Name=String("Print"), Order=Array(groups), OFF=Array(hidden))
        pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=configuration)
    if any(page.name for page in pages):
        pdf.Root.PageLabels = Dictionary(Nums=Array(numbers))


def bookmarks(pdf: pikepdf.Pdf, pages: Sequence[Page[Any]]) -> None:
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


def _layers(page: Page[Any]) -> list[Layer]:
    found = {part.layer for parts in (page.strokes, page.outlines, page.labels) for part in parts}
    return [layer for layer in Layer if layer in found]
