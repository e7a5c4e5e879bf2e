"""How wide the columns of a table are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardgen.reference.tree import Table

if TYPE_CHECKING:
    from cardgen.export.reference.setting import Setter


class Cells:
    """The cells of a table, and how wide each of its columns would like to be, and must be."""

    def __init__(self, setter: Setter, table: Table) -> None:
        self.head, self.rows = table.head, table.rows
        self.wanted = [0.0] * len(table.head)
        self.needed = [0.0] * len(table.head)
        bold = setter.type.table_head
        for row, style in ((table.head, bold), *((row, setter.type.body) for row in table.rows)):
            for number, cell in enumerate(row):
                look = bold if table.named and number == 0 else style
                wanted, needed = setter.measured(cell, look)
                self.wanted[number] = max(self.wanted[number], wanted)
                self.needed[number] = max(self.needed[number], needed)


def widths(cells: Cells, whole: float, gutter: float) -> list[float]:
    """The width of each column, with the gutter behind all but the last: together they are as wide as the table."""
    inner = whole - gutter * (len(cells.wanted) - 1)
    found = _shared(cells.wanted, cells.needed, inner)
    return [width + (gutter if number < len(found) - 1 else 0.0) for number, width in enumerate(found)]


def _shared(wanted: Sequence[float], needed: Sequence[float], room: float) -> list[float]:
    """What each column gets of the room: what it wants, or at least what it needs."""
    spare = room - sum(wanted)
    if spare >= 0:
        return [width + spare / len(wanted) for width in wanted]
    short = sum(wanted) - sum(needed)
    share = max(0.0, room - sum(needed)) / short if short > 0 else 0.0
    return [least + (most - least) * share for most, least in zip(wanted, needed, strict=True)]
