"""The document tree of a sheet: pure data, from which every output format is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from cardgen.diagnostic import Place
from cardgen.text.markup import Paragraph, Phrase

Align = Literal["left", "center", "right"]
Break = Literal["", "column", "page"]


@dataclass(frozen=True, slots=True)
class RichText:
    """Running text: its paragraphs, and where it was written."""

    paragraphs: tuple[Paragraph, ...]
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def plain_text(self) -> str:
        """The words alone."""
        return " ".join(
            "".join(part.text for part in paragraph if isinstance(part, Phrase)) for paragraph in self.paragraphs
        )


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some paragraphs."""

    text: RichText


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list: numbered steps, or points without an order. Each has blocks of its own."""

    items: tuple[tuple[Block, ...], ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: every row has as many cells as the head. The first cell of a row names it when `named` says so."""

    head: tuple[RichText, ...]
    rows: tuple[tuple[RichText, ...], ...]
    align: tuple[Align, ...]
    caption: str = ""
    row_headers: bool = True

    def without_row_headers(self) -> Table:
        """The same, with the first cell of a row set as it is written."""
        return replace(self, row_headers=False)


@dataclass(frozen=True, slots=True)
class DefinitionList:
    """Words with their explanations."""

    entries: tuple[tuple[str, RichText], ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A piece that stands out: a note, or an example."""

    kind: Literal["note", "example"]
    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = TextBlock | ItemList | Table | DefinitionList | Callout


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what stands under it, and smaller sections. `id` is what cross-references call it."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()
    icon: str = ""
    start: Break = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    def walk(self, level: int = 1) -> Iterator[tuple[int, Section]]:
        """The section itself and all below it, each with its level."""
        yield level, self
        for section in self.sections:
            yield from section.walk(level + 1)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole sheet. `contents` asks for a list of its sections in front of them, `credit` stands at its foot."""

    id: str
    title: str
    subtitle: str
    sections: tuple[Section, ...]
    credit: str = ""
    contents: bool = False
    language: str = "en-GB"

    def walk(self) -> Iterator[tuple[int, Section]]:
        """All sections in their order, each with its level, 1 for those on top."""
        for section in self.sections:
            yield from section.walk()


def walk_blocks(document: Document) -> Iterator[Block]:
    """Every block of a document, those inside others too, in reading order."""
    for _, section in document.walk():
        yield from _walk_nested(section.blocks)


def _walk_nested(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Callout):
            yield from _walk_nested(block.blocks)
        elif isinstance(block, ItemList):
            for item in block.items:
                yield from _walk_nested(item)
