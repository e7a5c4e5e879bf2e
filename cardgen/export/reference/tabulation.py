"""Tables become strips: how wide their columns are, and where their cells stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.export.reference.strips import Band, Content, Rule, Words, marked
from cardgen.export.reference.typography import LEADING, leading
from cardgen.reference.tree import Prose, Table
from cardgen.sheet.columns import NEVER, Strip
from cardgen.text.lines import Style
from cardgen.text.markup import Phrase

if TYPE_CHECKING:
    from cardgen.export.reference.setting import Setter

# Between columns, above and below the words of a row, above a table: multiples of the body's size.
_GUTTER, _PAD, _GAP = 0.9, 0.2, 0.42
# No column is narrower, in millimetres, however many there are.
_NARROWEST = 0.5
# What it costs to break a table; a short one hardly ever is.
_BREAK, _BREAK_SHORT, _SHORT = 3.0, 9.0, 9


def strips(setter: Setter, table: Table, x: float, width: float) -> list[Band]:
    """A table: its head is repeated where it is broken, and neither the first nor the last row stands alone."""
    rows = _Rows(setter, table, x, width)
    em, count = setter.type.em, len(table.rows)
    found: list[Band] = []
    if table.caption:
        found += setter.text(Prose(((Phrase(table.caption),),)), setter.type.caption, x, width)
    head = rows.row(table.head, setter.type.table_head, "accent", 0.8) if any(c.plain for c in table.head) else None
    if head:
        found.append(replace(head, gap=0.0 if found else _GAP * em, cost=NEVER if found else _BREAK))
    for number, cells in enumerate(table.rows):
        first, last = number == 0, number == count - 1
        strip = rows.row(cells, setter.type.body, "line", 0.5 if last else 0.25)
        gap = 0.6 * _GAP * em if first and not found else 0.0
        cost = NEVER if last or (first and found) else _BREAK_SHORT if count < _SHORT else _BREAK
        found.append(replace(strip, gap=gap, cost=cost, again=head))
    return found


class _Rows:
    """Sets the rows of one table in columns that are as wide as the table wants them."""

    def __init__(self, setter: Setter, table: Table, x: float, width: float) -> None:
        self._setter, self._table, self._x, self._width = setter, table, x, width
        self._em = setter.type.em
        self._gutter = _GUTTER * self._em
        self._inner = self._shared(*self._measured())

    def row(self, cells: Sequence[Prose], style: Style, rule: str, weight: float) -> Band:
        """One row with a rule below it; its cells begin on one line."""
        marks: list[Words] = []
        pad = _PAD * self._em
        depth = pad + LEADING * self._em
        left = self._x
        for number, (prose, inner, align) in enumerate(zip(cells, self._inner, self._table.align, strict=True)):
            look, y = self._look(number, style), pad
            for paragraph in prose.paragraphs:
                for line in self._setter.lines(prose, paragraph, look, inner, align):
                    marks.append(Words(line, left, y + self._setter.baseline(look)))
                    y += leading(look)
            depth = max(depth, y)
            left += inner + self._gutter
        band = Strip(Content(tuple(marks)), depth + pad)
        return marked(band, Rule(self._x, band.height, self._width, self._setter.type.colour(rule), weight))

    def _look(self, column: int, style: Style) -> Style:
        return style._replace(bold=True) if self._table.named and column == 0 else style

    def _measured(self) -> tuple[list[float], list[float]]:
        """How wide each column would like to be, and must be."""
        wanted = [0.0] * len(self._table.head)
        needed = [0.0] * len(self._table.head)
        body, head = self._setter.type.body, self._setter.type.table_head
        for cells, style in ((self._table.head, head), *((row, body) for row in self._table.rows)):
            for number, cell in enumerate(cells):
                most, least = self._setter.measured(cell, self._look(number, style))
                wanted[number] = max(wanted[number], most)
                needed[number] = max(needed[number], least)
        return wanted, needed

    def _shared(self, wanted: list[float], needed: list[float]) -> list[float]:
        """What each column gets: what it wants, or at least what it needs. What is spare goes to all alike.

        Where the last column holds text, it alone takes what is spare. Columns that need more than there is are all
        too narrow, so that words in them are found to be too wide.
        """
        room = max(_NARROWEST * len(wanted), self._width - self._gutter * (len(wanted) - 1))
        spare = room - sum(wanted)
        if spare >= 0:
            if self._table.align[-1] == "left":
                return [*wanted[:-1], wanted[-1] + spare]
            return [width + spare / len(wanted) for width in wanted]
        if sum(needed) > room:
            return [width * room / sum(needed) for width in needed]
        share = (room - sum(needed)) / (sum(wanted) - sum(needed))
        return [least + (most - least) * share for most, least in zip(wanted, needed, strict=True)]
