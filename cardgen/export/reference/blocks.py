"""Blocks of a reference sheet become column items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from cardgen.diagnostic import Place
from cardgen.export.reference import tables
from cardgen.export.reference.column_items import (
    Anchor,
    Background,
    FilledBox,
    ItemContent,
    ItemMark,
    PageReference,
    Rule,
    TextLine,
    TypesetItem,
    with_background,
    with_marks,
)
from cardgen.export.reference.typography import Typography, leading
from cardgen.reference.document_tree import (
    Block,
    Callout,
    DefinitionList,
    Document,
    ItemList,
    RichText,
    Section,
    Table,
    TextBlock,
)
from cardgen.sheet.column_balancing import NEVER, ColumnItem
from cardgen.text.galley import Compositor
from cardgen.text.lines import Align, Line, Style
from cardgen.text.markup import Icon, Paragraph, Phrase

# What it costs to begin a column: within a text, between the items of a list, between blocks.
_INSIDE, _ITEM, _BLOCK = 3.0, 2.0, 1.5
# A list of so few items is hardly ever broken.
_SHORT_LIST = 5
# What it costs beside: soon after a heading, and within a call-out.
_SOON, _FIRST_LINES, _CALLOUT = 6.0, 5, 12.0


@dataclass(slots=True)
class SettingFaults:
    """What did not go into its place: words wider than their column, and characters that no font has."""

    broken_words: list[RichText] = field(default_factory=list)
    missing_glyphs: dict[str, RichText] = field(default_factory=dict)


class BlockSetter:
    """Sets blocks at one size of the body. `faults` gathers what cannot be set."""

    def __init__(self, typography: Typography, compositor: Compositor) -> None:
        self.typography = typography
        self.faults = SettingFaults()
        self._compositor = compositor
        self._em = typography.em

    def document(self, document: Document, width: float) -> list[TypesetItem]:
        """All strips of a document, in columns of a width."""
        items = list(self._contents(document, width)) if document.contents else []
        return [*items, *chain.from_iterable(self.section(each, 1, width) for each in document.sections)]

    def section(self, section: Section, level: int, width: float) -> list[TypesetItem]:
        """A section with all below it."""
        heading = self._heading(section, level, width)
        body = list(self.blocks(section.blocks, 0.0, width))
        if body:
            body[0] = replace(
                body[0], break_penalty=NEVER, space_above=(0.55 if level == 1 else 0.2) * self._em, stretch=0.0
            )
            body = _penalised(body, _SOON, _FIRST_LINES)
        lower = [self.section(each, level + 1, width) for each in section.sections]
        if lower and not body:
            lower[0][0] = replace(lower[0][0], break_penalty=NEVER, space_above=0.55 * self._em, stretch=0.0)
        return [heading, *body, *chain.from_iterable(lower)]

    def blocks(self, blocks: Iterable[Block], x: float, width: float) -> Iterator[TypesetItem]:
        """Blocks one below the other, from `x` on."""
        introduced = False
        for block in blocks:
            items = self._block(block, x, width)
            for number, item in enumerate(items):
                yield replace(item, break_penalty=NEVER) if introduced and not number else item
            introduced = isinstance(block, TextBlock) and block.text.plain_text.endswith(":")

    def _block(self, block: Block, x: float, width: float) -> list[TypesetItem]:
        match block:
            case TextBlock(text=prose):
                return self.text(prose, self.typography.body, x, width)
            case ItemList():
                return self._points(block, x, width)
            case Table():
                return tables.table_items(self, block, x, width)
            case DefinitionList():
                return self._terms(block, x, width)
        return self._callout(block, x, width)

    def text(self, prose: RichText, style: Style, x: float, width: float, align: Align = "left") -> list[TypesetItem]:
        """Paragraphs line by line; neither the first nor the last line of one stands alone."""
        items: list[TypesetItem] = []
        for paragraph in prose.paragraphs:
            lines = self.lines(prose, paragraph, style, width, align)
            for number, line in enumerate(lines):
                alone = number in (1, len(lines) - 1)
                gap, give = (0.42 * self._em, 0.5 * self._em) if number == 0 else (0.0, 0.0)
                penalty = _BLOCK if number == 0 else NEVER if alone else _INSIDE
                items.append(self.line(line, style, x, gap=gap, give=give, cost=penalty))
        return items

    def line(
        self, line: Line, style: Style, x: float, *, gap: float = 0.0, give: float = 0.0, cost: float = 0.0
    ) -> TypesetItem:
        """A strip with one line, which hangs from a baseline at 0."""
        height = leading(style)
        return ColumnItem(ItemContent((TextLine(line, x, self.baseline(style)),)), height, gap, give, cost)

    def baseline(self, style: Style, height: float | None = None) -> float:
        """How far below a line's upper edge its baseline is; with a height, so that capitals stand in its middle."""
        return self._compositor.baseline(style, height)

    def lines(
        self, prose: RichText, paragraph: Paragraph, style: Style, width: float, align: Align = "left"
    ) -> tuple[Line, ...]:
        """The lines of a paragraph, each with its baseline at 0."""
        paragraph_lines = self._compositor.set_paragraph(paragraph, style, width, align)
        if paragraph_lines.has_broken_word:
            self.faults.broken_words.append(prose)
        for character in paragraph_lines.missing:
            self.faults.missing_glyphs.setdefault(character, prose)
        return paragraph_lines.lines

    def single_line(self, paragraph: Paragraph, style: Style) -> tuple[Line, float]:
        """A paragraph on one line, and its width in millimetres."""
        return self._compositor.set_line(paragraph, style)

    def measure(self, prose: RichText, style: Style) -> tuple[float, float]:
        """How wide a text is on one line, and its widest word, in millimetres."""
        widths = [self._compositor.measure(paragraph, style) for paragraph in prose.paragraphs] or [(0.0, 0.0)]
        return max(wanted for wanted, _ in widths), max(needed for _, needed in widths)

    def _heading(self, section: Section, level: int, width: float) -> TypesetItem:
        """The heading of a section: on top light on a dark plaque, below that among the text."""
        style, em = self.typography.heading(level), self._em
        inset = 0.75 * em if level == 1 else 0.0
        indent = inset + (1.75 * style.size / self.typography.size * em if section.icon else 0.0)
        title = RichText(((Phrase(section.title),),), section.place)
        lines = self.lines(title, title.paragraphs[0], style, width - indent - inset)
        depth = (len(lines) - 1) * leading(style)
        height = 2.0 * em if level == 1 else leading(style)
        first = self.baseline(style, height if level == 1 else None)
        marks: list[ItemMark] = [Anchor(section.id, section.title, level)]
        if level == 1:
            colours = self.typography.colour("plaque"), self.typography.colour("frame")
            marks.append(FilledBox(0, 0, width, height + depth, colours[0], 0.35 * em, colours[1]))
        if section.icon:
            icon, wide = self.single_line((Icon(section.icon),), self.typography.icon(level))
            marks.append(TextLine(icon, (indent + inset - 0.5 * em - wide) / 2, first))
        marks += (TextLine(line, indent, first + n * leading(style)) for n, line in enumerate(lines))
        gap, give, penalty = (1.25, 2.0, 0.0) if level == 1 else (0.85 if level == 2 else 0.6, 1.6, _BLOCK / 2)
        return ColumnItem(ItemContent(tuple(marks)), height + depth, gap * em, give * em, penalty, section.start)

    def _points(self, points: ItemList, x: float, width: float) -> list[TypesetItem]:
        """A list: each item hangs behind its number or dot."""
        items: list[TypesetItem] = []
        indent = (1.35 if points.numbered else 0.95) * self._em
        penalty = _ITEM if len(points.items) > _SHORT_LIST else 2 * _ITEM
        for number, item in enumerate(points.items):
            item_strips = list(self.blocks(item, x + indent, width - indent))
            if not item_strips:
                continue
            mark = f"{number + 1}" if points.numbered else "•"
            line, _ = self.single_line((Phrase(mark),), self.typography.number)
            gap = (0.42 if number == 0 else 0.22) * self._em
            first = with_marks(item_strips[0], TextLine(line, x, self.baseline(self.typography.number)))
            first = replace(
                first, space_above=gap, stretch=0.3 * self._em, break_penalty=_BLOCK if number == 0 else penalty
            )
            items += [first, *item_strips[1:]]
        return items

    def _terms(self, terms: DefinitionList, x: float, width: float) -> list[TypesetItem]:
        """Each word bold in front of what it means, which hangs by a little."""
        items: list[TypesetItem] = []
        for number, (word, prose) in enumerate(terms.entries):
            first, *others = prose.paragraphs or ((),)
            whole = replace(prose, paragraphs=((Phrase(f"{word}\u2002", bold=True), *first), *others))
            entry = self.text(whole, self.typography.body, x, width)
            gap = (0.42 if number == 0 else 0.26) * self._em
            penalty = _BLOCK if number == 0 else _ITEM
            items += [replace(entry[0], space_above=gap, stretch=0.3 * self._em, break_penalty=penalty), *entry[1:]]
        return items

    def _callout(self, callout: Callout, x: float, width: float) -> list[TypesetItem]:
        """A piece on a ground of its own, with a bar at its left."""
        em, bar = self._em, 0.3 * self._em
        inset, pad = 0.95 * em, 0.5 * em
        ground = Background(x, width, self.typography.colour("glow"), self.typography.colour("gilt"), bar)
        inner = list(self.blocks(callout.blocks, x + inset, width - inset - 0.6 * em))
        title = callout.title or ("Example" if callout.kind == "example" else "")
        if title and inner:
            words = RichText(((Phrase(title),),), _callout_place(callout))
            heading = self.text(words, self.typography.callout_title, x + inset, width - inset - 0.6 * em)
            inner[0] = replace(inner[0], break_penalty=NEVER, space_above=0.1 * em, stretch=0.0)
            inner = [*heading, *inner]
        if inner:
            inner[0] = replace(inner[0], space_above=0.0, stretch=0.0, break_penalty=NEVER)
        top = ColumnItem(ItemContent((), ground), pad, 0.0, 0.0, NEVER)
        space: TypesetItem = ColumnItem(ItemContent(()), 0.0, 0.6 * em, 0.5 * em, _BLOCK)
        foot = ColumnItem(ItemContent((), ground), pad, 0.0, 0.0, NEVER)
        return [space, top, *(with_background(each, ground) for each in _penalised(inner, _CALLOUT, len(inner))), foot]

    def _contents(self, document: Document, width: float) -> Iterator[TypesetItem]:
        """The list of sections with their pages."""
        style, em = self.typography.body, self._em
        for section in document.sections:
            title = RichText(((Phrase(section.title, link=section.id),),), section.place)
            *others, last = self.text(title, style, 0.0, width - 2.6 * em)
            wide = max(piece.x + piece.width for piece in _first_line(last).pieces)
            leader = Rule(
                wide + 0.5 * em, self.baseline(style), width - wide - 2.2 * em, self.typography.colour("line"), 0.25
            )
            number = PageReference(section.id, width, self.baseline(style), style)
            for item in (*others, with_marks(last, leader, number)):
                yield replace(item, space_above=0.12 * em, stretch=0.0, break_penalty=NEVER)


def _first_line(item: TypesetItem) -> Line:
    """The first line of text on a strip."""
    return next(mark.line for mark in item.content.marks if isinstance(mark, TextLine))


def _callout_place(callout: Callout) -> Place | None:
    """Where a call-out was written, as far as its first text knows."""
    return next((block.text.place for block in callout.blocks if isinstance(block, TextBlock)), None)


def _penalised(items: Sequence[TypesetItem], penalty: float, count: int) -> list[TypesetItem]:
    """The strips, where beginning a column with one of the first `count` costs so much more."""
    return [
        replace(each, break_penalty=each.break_penalty + penalty) if n < count else each for n, each in enumerate(items)
    ]
