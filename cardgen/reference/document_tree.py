"""The document tree of a sheet, for all output formats."""

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
    """Running text: its paragraphs, and its place in the source."""

    paragraphs: tuple[Paragraph, ...]
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def plain_text(self) -> str:
        """The text without markup and icons."""
        return " ".join(
            "".join(part.text for part in paragraph if isinstance(part, Phrase)) for paragraph in self.paragraphs
        )


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of paragraphs."""

    text: RichText


@dataclass(frozen=True, slots=True)
class ItemList:
    """A numbered or bulleted list; each item has blocks of its own."""

    items: tuple[tuple[Block, ...], ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each row has as many cells as the head.

    With `row_headers`, the first cell of each row is its header.
    """

    head: tuple[RichText, ...]
    rows: tuple[tuple[RichText, ...], ...]
    align: tuple[Align, ...]
    caption: str = ""
    row_headers: bool = True

    def without_row_headers(self) -> Table:
        """Return the table without row headers."""
        return replace(self, row_headers=False)


@dataclass(frozen=True, slots=True)
class DefinitionList:
    """Terms with their definitions."""

    entries: tuple[tuple[str, RichText], ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A callout: a note or an example."""

    kind: Literal["note", "example"]
    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = TextBlock | ItemList | Table | DefinitionList | Callout


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its blocks, and subsections; cross-references name its `id`."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()
    icon: str = ""
    start: Break = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    def walk(self, level: int = 1) -> Iterator[tuple[int, Section]]:
        """Yield the section and all sections below it, each with its level."""
        yield level, self
        for section in self.sections:
            yield from section.walk(level + 1)


@dataclass(frozen=True, slots=True)
class Document:
    """A sheet.

    `contents` adds a table of contents, and `credit` is its footer.
    """

    id: str
    title: str
    subtitle: str
    sections: tuple[Section, ...]
    credit: str = ""
    contents: bool = False
    language: str = "en-GB"

    def walk(self) -> Iterator[tuple[int, Section]]:
        """Yield all sections in order, each with its level, from 1."""
        for section in self.sections:
            yield from section.walk()


def walk_blocks(document: Document) -> Iterator[Block]:
    """Yield all blocks of a document, including nested ones, in reading order."""
    for _, section in document.walk():
        yield from _walk_nested(section.blocks)


def document_texts(document: Document) -> Iterator[str]:
    """Yield all texts of a document, without markup and icons."""
    yield from (document.title, document.subtitle, document.credit)
    for _, section in document.walk():
        yield section.title
    for block in walk_blocks(document):
        yield from _block_texts(block)


def _block_texts(block: Block) -> Iterator[str]:
    """Yield the texts of a block, without those of nested blocks."""
    match block:
        case TextBlock(text=prose):
            yield prose.plain_text
        case Table():
            yield block.caption
            yield from (cell.plain_text for row in (block.head, *block.rows) for cell in row)
        case DefinitionList():
            for word, prose in block.entries:
                yield word
                yield prose.plain_text
        case Callout():
            yield block.title


def _walk_nested(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Callout):
            yield from _walk_nested(block.blocks)
        elif isinstance(block, ItemList):
            for item in block.items:
                yield from _walk_nested(item)
