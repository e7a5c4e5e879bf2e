"""A document is set: its blocks become strips of a column's width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from cardgen.diagnostic import Place
from cardgen.export.reference import tabulation
from cardgen.export.reference.strips import (
    Anchor,
    Band,
    Content,
    Fill,
    Ground,
    Mark,
    PageNumber,
    Rule,
    Words,
    grounded,
    marked,
)
from cardgen.export.reference.typography import Typography, leading
from cardgen.reference.tree import Block, Callout, Document, Passage, Points, Prose, Section, Table, Terms
from cardgen.sheet.columns import NEVER, Strip
from cardgen.text.galley import Compositor
from cardgen.text.lines import Align, Line, Style
from cardgen.text.markup import Icon, Paragraph, Phrase

# What it costs to begin a column: within a text, between the items of a list, between blocks.
_INSIDE, _ITEM, _BLOCK = 3.0, 2.0, 1.5
# A list of so few items is hardly ever broken.
_FEW = 5
# What it costs beside: soon after a heading, and within a call-out.
_SOON, _FIRST_LINES, _CALLOUT = 6.0, 5, 12.0


@dataclass(slots=True)
class Faults:
    """What did not go into its place: words wider than their column, and characters that no font has."""

    torn: list[Prose] = field(default_factory=list)
    missing: dict[str, Prose] = field(default_factory=dict)


class Setter:
    """Sets blocks at one size of the body. `faults` gathers what cannot be set."""

    def __init__(self, typography: Typography, compositor: Compositor) -> None:
        self.type = typography
        self.faults = Faults()
        self._compositor = compositor
        self._em = typography.em

    def document(self, document: Document, width: float) -> list[Band]:
        """All strips of a document, in columns of a width."""
        strips = list(self._contents(document, width)) if document.contents else []
        return [*strips, *chain.from_iterable(self.section(each, 1, width) for each in document.sections)]

    def section(self, section: Section, level: int, width: float) -> list[Band]:
        """A section with all below it."""
        heading = self._heading(section, level, width)
        body = list(self.blocks(section.blocks, 0.0, width))
        if body:
            body[0] = replace(body[0], cost=NEVER, gap=(0.55 if level == 1 else 0.2) * self._em, give=0.0)
            body = _dearer(body, _SOON, _FIRST_LINES)
        lower = [self.section(each, level + 1, width) for each in section.sections]
        if lower and not body:
            lower[0][0] = replace(lower[0][0], cost=NEVER, gap=0.55 * self._em, give=0.0)
        return [heading, *body, *chain.from_iterable(lower)]

    def blocks(self, blocks: Iterable[Block], x: float, width: float) -> Iterator[Band]:
        """Blocks one below the other, from `x` on."""
        led = False
        for block in blocks:
            strips = self._block(block, x, width)
            for number, strip in enumerate(strips):
                yield replace(strip, cost=NEVER) if led and not number else strip
            led = isinstance(block, Passage) and block.prose.plain.endswith(":")

    def _block(self, block: Block, x: float, width: float) -> list[Band]:
        match block:
            case Passage(prose=prose):
                return self.text(prose, self.type.body, x, width)
            case Points():
                return self._points(block, x, width)
            case Table():
                return tabulation.strips(self, block, x, width)
            case Terms():
                return self._terms(block, x, width)
        return self._callout(block, x, width)

    def text(self, prose: Prose, style: Style, x: float, width: float, align: Align = "left") -> list[Band]:
        """Paragraphs line by line; neither the first nor the last line of one stands alone."""
        strips: list[Band] = []
        for paragraph in prose.paragraphs:
            lines = self.lines(prose, paragraph, style, width, align)
            for number, line in enumerate(lines):
                alone = number in (1, len(lines) - 1)
                gap, give = (0.42 * self._em, 0.5 * self._em) if number == 0 else (0.0, 0.0)
                cost = _BLOCK if number == 0 else NEVER if alone else _INSIDE
                strips.append(self.line(line, style, x, gap=gap, give=give, cost=cost))
        return strips

    def line(
        self, line: Line, style: Style, x: float, *, gap: float = 0.0, give: float = 0.0, cost: float = 0.0
    ) -> Band:
        """A strip with one line, which hangs from a baseline at 0."""
        height = leading(style)
        return Strip(Content((Words(line, x, self.baseline(style)),)), height, gap, give, cost)

    def baseline(self, style: Style, height: float | None = None) -> float:
        """How far below a line's upper edge its baseline is; with a height, so that capitals stand in its middle."""
        return self._compositor.baseline(style, height)

    def lines(
        self, prose: Prose, paragraph: Paragraph, style: Style, width: float, align: Align = "left"
    ) -> tuple[Line, ...]:
        """The lines of a paragraph, each with its baseline at 0."""
        galley = self._compositor.set(paragraph, style, width, align)
        if galley.torn:
            self.faults.torn.append(prose)
        for character in galley.missing:
            self.faults.missing.setdefault(character, prose)
        return galley.lines

    def one_line(self, paragraph: Paragraph, style: Style) -> tuple[Line, float]:
        """A paragraph on one line, and its width in millimetres."""
        return self._compositor.line(paragraph, style)

    def measured(self, prose: Prose, style: Style) -> tuple[float, float]:
        """How wide a text is on one line, and its widest word, in millimetres."""
        found = [self._compositor.measured(paragraph, style) for paragraph in prose.paragraphs] or [(0.0, 0.0)]
        return max(wanted for wanted, _ in found), max(needed for _, needed in found)

    def _heading(self, section: Section, level: int, width: float) -> Band:
        """The heading of a section: on top light on a dark plaque, below that among the text."""
        style, em = self.type.heading(level), self._em
        inset = 0.75 * em if level == 1 else 0.0
        indent = inset + (1.75 * style.size / self.type.size * em if section.icon else 0.0)
        title = Prose(((Phrase(section.title),),), section.place)
        lines = self.lines(title, title.paragraphs[0], style, width - indent - inset)
        depth = (len(lines) - 1) * leading(style)
        height = 2.0 * em if level == 1 else leading(style)
        first = self.baseline(style, height if level == 1 else None)
        marks: list[Mark] = [Anchor(section.id, section.title, level)]
        if level == 1:
            colours = self.type.colour("plaque"), self.type.colour("frame")
            marks.append(Fill(0, 0, width, height + depth, colours[0], 0.35 * em, colours[1]))
        if section.icon:
            icon, wide = self.one_line((Icon(section.icon),), self.type.icon(level))
            marks.append(Words(icon, (indent + inset - 0.5 * em - wide) / 2, first))
        marks += (Words(line, indent, first + n * leading(style)) for n, line in enumerate(lines))
        gap, give, cost = (1.25, 2.0, 0.0) if level == 1 else (0.85 if level == 2 else 0.6, 1.6, _BLOCK / 2)
        return Strip(Content(tuple(marks)), height + depth, gap * em, give * em, cost, section.start)

    def _points(self, points: Points, x: float, width: float) -> list[Band]:
        """A list: each item hangs behind its number or dot."""
        strips: list[Band] = []
        indent = (1.35 if points.numbered else 0.95) * self._em
        price = _ITEM if len(points.items) > _FEW else 2 * _ITEM
        for number, item in enumerate(points.items):
            item_strips = list(self.blocks(item, x + indent, width - indent))
            if not item_strips:
                continue
            mark = f"{number + 1}" if points.numbered else "•"
            line, _ = self.one_line((Phrase(mark),), self.type.number)
            gap = (0.42 if number == 0 else 0.22) * self._em
            first = marked(item_strips[0], Words(line, x, self.baseline(self.type.number)))
            first = replace(first, gap=gap, give=0.3 * self._em, cost=_BLOCK if number == 0 else price)
            strips += [first, *item_strips[1:]]
        return strips

    def _terms(self, terms: Terms, x: float, width: float) -> list[Band]:
        """Each word bold in front of what it means, which hangs by a little."""
        strips: list[Band] = []
        for number, (word, prose) in enumerate(terms.entries):
            first, *others = prose.paragraphs or ((),)
            whole = replace(prose, paragraphs=((Phrase(f"{word}\u2002", bold=True), *first), *others))
            entry = self.text(whole, self.type.body, x, width)
            gap = (0.42 if number == 0 else 0.26) * self._em
            cost = _BLOCK if number == 0 else _ITEM
            strips += [replace(entry[0], gap=gap, give=0.3 * self._em, cost=cost), *entry[1:]]
        return strips

    def _callout(self, callout: Callout, x: float, width: float) -> list[Band]:
        """A piece on a ground of its own, with a bar at its left."""
        em, bar = self._em, 0.3 * self._em
        inset, pad = 0.95 * em, 0.5 * em
        ground = Ground(x, width, self.type.colour("glow"), self.type.colour("gilt"), bar)
        inner = list(self.blocks(callout.blocks, x + inset, width - inset - 0.6 * em))
        title = callout.title or ("Example" if callout.sort == "example" else "")
        if title and inner:
            words = Prose(((Phrase(title),),), _place_of(callout))
            heading = self.text(words, self.type.callout_title, x + inset, width - inset - 0.6 * em)
            inner[0] = replace(inner[0], cost=NEVER, gap=0.1 * em, give=0.0)
            inner = [*heading, *inner]
        if inner:
            inner[0] = replace(inner[0], gap=0.0, give=0.0, cost=NEVER)
        top = Strip(Content((), ground), pad, 0.0, 0.0, NEVER)
        space: Band = Strip(Content(()), 0.0, 0.6 * em, 0.5 * em, _BLOCK)
        foot = Strip(Content((), ground), pad, 0.0, 0.0, NEVER)
        return [space, top, *(grounded(each, ground) for each in _dearer(inner, _CALLOUT, len(inner))), foot]

    def _contents(self, document: Document, width: float) -> Iterator[Band]:
        """The list of sections with their pages."""
        style, em = self.type.body, self._em
        for section in document.sections:
            title = Prose(((Phrase(section.title, link=section.id),),), section.place)
            *others, last = self.text(title, style, 0.0, width - 2.6 * em)
            wide = max(piece.x + piece.width for piece in _line_of(last).pieces)
            leader = Rule(
                wide + 0.5 * em, self.baseline(style), width - wide - 2.2 * em, self.type.colour("line"), 0.25
            )
            number = PageNumber(section.id, width, self.baseline(style), style)
            for strip in (*others, marked(last, leader, number)):
                yield replace(strip, gap=0.12 * em, give=0.0, cost=NEVER)


def _line_of(strip: Band) -> Line:
    """The first line of text on a strip."""
    return next(mark.line for mark in strip.content.marks if isinstance(mark, Words))


def _place_of(callout: Callout) -> Place | None:
    """Where a call-out was written, as far as its first text knows."""
    return next((block.prose.place for block in callout.blocks if isinstance(block, Passage)), None)


def _dearer(strips: Sequence[Band], price: float, count: int) -> list[Band]:
    """The strips, where beginning a column with one of the first `count` costs so much more."""
    return [replace(each, cost=each.cost + price) if n < count else each for n, each in enumerate(strips)]
