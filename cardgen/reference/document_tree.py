"""The document tree of a sheet, for all output formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from cardgen.diagnostic import Place
from cardgen.text.lines import Paragraph, Phrase

Align = Literal["left", "center", "right"]
Break = Literal["", "column", "page", "front"]


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
class RuleMark:
    """The name, index terms, and number of a rule, such as '3.2'.

    Cross-references to a rule have a placeholder as their text until it has its number.
    """

    PLACEHOLDER: ClassVar[str] = "?"

    id: str = ""
    terms: tuple[str, ...] = ()
    number: str = ""


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """A rule: blocks with one number."""

    mark: RuleMark
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ItemList:
    """A numbered or bulleted list; each item has blocks of its own.

    If its items are rules, `marks` has one for each.
    """

    items: tuple[tuple[Block, ...], ...]
    numbered: bool = False
    marks: tuple[RuleMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each row has as many cells as the head.

    With `row_headers`, the first cell of each row is its header. In a `legend`, it is an icon, which is printed 6.5 mm
    high.
    """

    head: tuple[RichText, ...]
    rows: tuple[tuple[RichText, ...], ...]
    align: tuple[Align, ...]
    caption: str = ""
    row_headers: bool = True
    legend: bool = False

    def without_row_headers(self) -> Table:
        """Return the table without row headers."""
        return replace(self, row_headers=False)

    def as_legend(self) -> Table:
        """Return the table as a legend: large icons with their names."""
        return replace(self, row_headers=False, legend=True)


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


class IndexEntry(NamedTuple):
    """A line of an index: a term, and the number and id of a rule; further lines of a term have ''."""

    word: str
    number: str
    id: str


@dataclass(frozen=True, slots=True)
class Index:
    """An index in alphabetical order."""

    entries: tuple[IndexEntry, ...]


Block: TypeAlias = TextBlock | RuleBlock | ItemList | Table | DefinitionList | Callout | Index


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
    number: str = ""

    @property
    def heading(self) -> str:
        """The number, if any, and the title."""
        return f"{self.number}\u2002{self.title}" if self.number else self.title

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


def map_texts(block: Block, change: Callable[[RichText], RichText]) -> Block:
    """Return a block in which all running texts are changed, including those of nested blocks."""
    match block:
        case TextBlock(text=text):
            return TextBlock(change(text))
        case Table():
            rows = tuple(tuple(map(change, row)) for row in block.rows)
            return replace(block, head=tuple(map(change, block.head)), rows=rows)
        case ItemList():
            return replace(block, items=tuple(tuple(map_texts(each, change) for each in item) for item in block.items))
        case Callout() | RuleBlock():
            return replace(block, blocks=tuple(map_texts(each, change) for each in block.blocks))
        case DefinitionList():
            return replace(block, entries=tuple((word, change(text)) for word, text in block.entries))
    return block


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
        # The other texts of a block, without those of nested blocks.
        match block:
            case Table():
                yield block.caption
            case DefinitionList():
                yield from (word for word, _ in block.entries)
            case Callout():
                yield block.title
            case Index():
                yield from (entry.word for entry in block.entries)
        yield from (prose.plain_text for prose in _block_prose(block))


def span_names(document: Document) -> set[str]:
    """Return the names of all spans in a document."""
    prose = chain.from_iterable(map(_block_prose, walk_blocks(document)))
    parts = chain.from_iterable(paragraph for text in prose for paragraph in text.paragraphs)
    return {name for part in parts for name in part.spans.split()}


def _block_prose(block: Block) -> Iterator[RichText]:
    """Yield the marked-up texts of a block, without those of nested blocks."""
    match block:
        case TextBlock(text=prose):
            yield prose
        case Table():
            yield from (cell for row in (block.head, *block.rows) for cell in row)
        case DefinitionList():
            yield from (prose for _, prose in block.entries)


def _walk_nested(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Callout | RuleBlock):
            yield from _walk_nested(block.blocks)
        elif isinstance(block, ItemList):
            for item in block.items:
                yield from _walk_nested(item)
