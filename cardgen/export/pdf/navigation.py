"""Layers, bookmarks, and page labels of a document (ISO 32000-1, 8.11, 12.3.3, and 12.4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.export.pdf.file import PdfFile
from cardgen.export.pdf.page_marks import layer_tag
from cardgen.sheet.page import Layer, SheetPage

# Safe zones help template authors on screen, and are not printed.
_HIDDEN_LAYERS = frozenset({Layer.SAFE})


class Navigation:
    """The layers, bookmarks, and labels of the pages of one document."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._layers: dict[Layer, str] = {}
        self._labels: list[str] = []
        # By group and name: the index of the first page with a front of the piece.
        self._pieces: dict[str, dict[str, int]] = {}

    def add(self, page: SheetPage[Any]) -> Mapping[str, str]:
        """Add a page; return the references to its layers, by their names in the content of the page."""
        for group, name in page.pieces:
            self._pieces.setdefault(group, {}).setdefault(name, len(self._labels))
        self._labels.append(page.name)
        return {layer_tag(layer): self._layer(layer) for layer in _used_layers(page)}

    def entries(self) -> Mapping[str, str]:
        """Return the entries of the catalog, once all pages are drawn."""
        entries = {}
        if self._layers:
            entries["OCProperties"] = self._layer_properties()
        if any(self._labels):
            labels = " ".join(f"{index} << /P {_string(label)} >>" for index, label in enumerate(self._labels))
            entries["PageLabels"] = self._file.add_object(f"<< /Nums [{labels}] >>")
        if any(name for names in self._pieces.values() for name in names):
            entries["Outlines"] = self._outline()
        return entries

    def _layer(self, layer: Layer) -> str:
        if layer not in self._layers:
            self._layers[layer] = self._file.add_object(f"<< /Type /OCG /Name {_string(layer.value)} >>")
        return self._layers[layer]

    def _layer_properties(self) -> str:
        layers = [layer for layer in Layer if layer in self._layers]
        every = " ".join(self._layers[layer] for layer in layers)
        hidden = " ".join(self._layers[layer] for layer in layers if layer in _HIDDEN_LAYERS)
        return f"<< /OCGs [{every}] /D << /Name (Print) /Order [{every}] /OFF [{hidden}] >> >>"

    def _outline(self) -> str:
        """Write the bookmarks, closed groups of pieces, and return the reference to them."""
        (outline,) = self._file.reserve(1)
        headings = self._file.reserve(len(self._pieces))
        for heading, (group, names), links in zip(
            headings, self._pieces.items(), _links(outline, headings), strict=True
        ):
            inside = f"{links} {self._group(heading, names)}"
            self._file.write_object(heading, self._bookmark(group, min(names.values()), inside))
        self._file.write_object(outline, f"<< /Type /Outlines {_children(headings, len(headings))} >>")
        return outline

    def _group(self, heading: str, names: Mapping[str, int]) -> str:
        """Write the bookmarks of the pieces of a group, and return the entries that link its heading to them."""
        items = self._file.reserve(len(names))
        for item, (name, index), links in zip(items, names.items(), _links(heading, items), strict=True):
            self._file.write_object(item, self._bookmark(name, index, links))
        return _children(items, -len(items))

    def _bookmark(self, title: str, index: int, links: str) -> str:
        return f"<< /Title {_string(title)} /Dest [{self._file.page_reference(index)} /Fit] {links} >>"


def _links(parent: str, items: Sequence[str]) -> Iterator[str]:
    """Yield the entries that link each item to its parent and its neighbors."""
    for before, after in zip(("", *items), (*items[1:], ""), strict=False):
        previous, following = f" /Prev {before}" if before else "", f" /Next {after}" if after else ""
        yield f"/Parent {parent}{previous}{following}"


def _children(items: Sequence[str], count: int) -> str:
    """Return the entries that link a parent to its children; a negative count closes it."""
    return f"/First {items[0]} /Last {items[-1]} /Count {count}"


def _used_layers(page: SheetPage[Any]) -> Iterable[Layer]:
    used = {part.layer for parts in (page.strokes, page.outlines, page.labels) for part in parts}
    return [layer for layer in Layer if layer in used]


def _string(text: str) -> str:
    """Return a text string, which is in UTF-16 unless it is in ASCII."""
    if text.isascii() and text.isprintable():
        return "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"
    return f"<FEFF{text.encode('utf-16be', 'replace').hex()}>"
