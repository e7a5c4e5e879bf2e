"""A document is set: its blocks become strips of a column's width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

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
from cardgen.export.reference.tabulation import Cells, widths
from cardgen.export.reference.typography import LEADING, Typography
from cardgen.reference.tree import Block, Callout, Document, Passage, Points, Prose, Section, Table, Terms
from cardgen.sheet.columns import NEVER, Strip
from cardgen.text.galley import Compositor
from cardgen.text.lines import Align, Line, Style
from cardgen.text.markup import Icon, Paragraph, Phrase
from cardgen.units import MM_PER_POINT

# What it costs to begin a column: within a text or a table, between the items of a list, between blocks.
_INSIDE, _ITEM, _BLOCK = 1.5, 0.8, 0.4
_SHORT_TABLE = 6.0


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
        heading = self._plaque(section, width) if level == 1 else self._heading(section, level, width)
        body = list(self.blocks(section.blocks, 0.0, width))
        if body:
            body[0] = replace(body[0], cost=NEVER, gap=(0.55 if level == 1 else 0.2) * self._em, give=0.0)
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
                return self._table(block, x, width)
            case Terms():
                return self._terms(block, x, width)
        return self._callout(block, x, width)

    def text(self, prose: Prose, style: Style, x: float, width: float, align: Align = "left") -> list[Band]:
        """Paragraphs line by line; neither the first nor the last line of one stands alone."""
        strips: list[Band] = []
        for paragraph in prose.paragraphs:
            lines = self._lines(prose, paragraph, style, width, align)
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
        height = _leading(style)
        return Strip(Content((Words(line, x, self._compositor.baseline(style)),)), height, gap, give, cost)

    def _lines(
        self, prose: Prose, paragraph: Paragraph, style: Style, width: float, align: Align = "left"
    ) -> tuple[Line, ...]:
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

    def _plaque(self, section: Section, width: float) -> Band:
        """The heading of a section on top: light on a dark plaque."""
        style, em = self.type.heading(1), self._em
        inset, height = 0.7 * em, 2.05 * em
        lines = self._lines(
            Prose((_titled(section),), section.place), _titled(section), style, width - 2 * inset, "left"
        )
        depth = (len(lines) - 1) * _leading(style)
        ground = Fill(0, 0, width, height + depth, self.type.colour("plaque"), 0.35 * em, self.type.colour("frame"))
        first = self._compositor.baseline(style, height)
        words = (Words(line, inset, first + n * _leading(style)) for n, line in enumerate(lines))
        marks: tuple[Mark, ...] = (Anchor(section.id, section.title, 1), ground, *words)
        return Strip(Content(marks), height + depth, 1.25 * em, 1.6 * em, 0.0, section.start)

    def _heading(self, section: Section, level: int, width: float) -> Band:
        """The heading of a smaller section."""
        style, em = self.type.heading(level), self._em
        lines = self._lines(Prose((_titled(section),), section.place), _titled(section), style, width, "left")
        leading = _leading(style)
        words = tuple(Words(line, 0, self._compositor.baseline(style) + n * leading) for n, line in enumerate(lines))
        gap = (0.8 if level == 2 else 0.6) * em
        marks: tuple[Mark, ...] = (Anchor(section.id, section.title, level), *words)
        return Strip(Content(marks), len(lines) * leading, gap, 0.9 * em, _BLOCK / 2, section.start)

    def _points(self, points: Points, x: float, width: float) -> list[Band]:
        """A list: each item hangs behind its number or dot."""
        strips: list[Band] = []
        indent = (1.35 if points.numbered else 0.95) * self._em
        for number, item in enumerate(points.items):
            item_strips = list(self.blocks(item, x + indent, width - indent))
            if not item_strips:
                continue
            mark = f"{number + 1}" if points.numbered else "•"
            line, _ = self.one_line((Phrase(mark),), self.type.number)
            gap = (0.42 if number == 0 else 0.22) * self._em
            first = marked(item_strips[0], Words(line, x, self._compositor.baseline(self.type.number)))
            first = replace(first, gap=gap, give=0.3 * self._em, cost=_BLOCK if number == 0 else _ITEM)
            strips += [first, *item_strips[1:]]
        return strips

    def _terms(self, terms: Terms, x: float, width: float) -> list[Band]:
        """Each word bold in front of what it means, which hangs by a little."""
        strips: list[Band] = []
        for number, (word, prose) in enumerate(terms.entries):
            first, *others = prose.paragraphs or ((),)
            whole = replace(prose, paragraphs=((Phrase(f"{word}  ", bold=True), *first), *others))
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
        if title:
            line, _ = self.one_line((Phrase(title),), self.type.callout_title)
            heading = self.line(line, self.type.callout_title, x + inset)
            inner = [
                heading,
                *(replace(s, cost=NEVER, gap=0.1 * em, give=0.0) if n == 0 else s for n, s in enumerate(inner)),
            ]
        if inner:
            inner[0] = replace(inner[0], gap=0.0, give=0.0, cost=NEVER)
        top = Strip(Content((), ground), pad, 0.0, 0.0, NEVER)
        space: Band = Strip(Content(()), 0.0, 0.6 * em, 0.5 * em, _BLOCK)
        foot = Strip(Content((), ground), pad, 0.0, 0.0, NEVER)
        return [space, top, *(grounded(each, ground) for each in inner), foot]

    def _table(self, table: Table, x: float, width: float) -> list[Band]:
        """A table: its head is repeated where it is broken; neither first nor last row stands alone."""
        em = self._em
        cells = Cells(self, table)
        spans = widths(cells, width, 0.9 * em)
        strips: list[Band] = []
        if table.caption:
            strips += self.text(Prose(((Phrase(table.caption),),)), self.type.caption, x, width)
        head = self._row(cells.head, spans, table, x, (0.16 * em, 0.24 * em), self.type.table_head)
        whole = sum(spans) + 0.0
        rule = Rule(x, head.height, whole, self.type.colour("accent"), 0.8)
        head = marked(head, rule)
        strips.append(replace(head, gap=0.42 * em if not strips else 0.0, give=0.0, cost=NEVER if strips else _BLOCK))
        for number, row in enumerate(cells.rows):
            strip = self._row(row, spans, table, x, (0.2 * em, 0.2 * em), self.type.body)
            last = number == len(cells.rows) - 1
            line = Rule(x, strip.height, whole, self.type.colour("line"), 0.5 if last else 0.25)
            cost = NEVER if number == 0 or last else _SHORT_TABLE if len(cells.rows) < 9 else _INSIDE
            strips.append(replace(marked(strip, line), cost=cost, again=head))
        return strips

    def _row(
        self,
        row: Sequence[Prose],
        spans: Sequence[float],
        table: Table,
        x: float,
        pads: tuple[float, float],
        style: Style,
    ) -> Band:
        """One row; its cells begin on one line."""
        gutter, em = 0.9 * self._em, self._em
        marks: list[Words] = []
        deepest = 0.0
        left = x
        for number, (prose, span, align) in enumerate(zip(row, spans, table.align, strict=True)):
            look = replace(style, bold=True) if table.named and number == 0 else style
            depth = pads[0]
            inner = span - (gutter if number < len(spans) - 1 else 0.0)
            for paragraph in prose.paragraphs:
                for line in self._lines(prose, paragraph, look, inner, align):
                    marks.append(Words(line, left, depth + self._compositor.baseline(look)))
                    depth += _leading(look)
            deepest = max(deepest, depth)
            left += span
        return Strip(Content(tuple(marks)), max(deepest, pads[0] + LEADING * em) + pads[1])

    def _contents(self, document: Document, width: float) -> Iterator[Band]:
        """The list of sections with their pages."""
        style = self.type.body
        for section in document.sections:
            line, wide = self.one_line((Phrase(section.title, link=section.id),), style)
            strip = self.line(line, style, 0.0, gap=0.12 * self._em, cost=NEVER)
            baseline = self._compositor.baseline(style)
            number = PageNumber(section.id, width, baseline, style)
            leader = Rule(
                wide + 0.5 * self._em, baseline, width - wide - 2.2 * self._em, self.type.colour("line"), 0.25
            )
            yield marked(strip, leader, number)


def _leading(style: Style) -> float:
    """The distance of baselines in millimetres."""
    return style.leading * style.size * MM_PER_POINT


def _titled(section: Section) -> Paragraph:
    """A section's title with its icon in front."""
    words = Phrase(section.title)
    return (Icon(section.icon), Phrase("\u2002"), words) if section.icon else (words,)
