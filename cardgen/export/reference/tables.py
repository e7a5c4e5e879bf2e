"""Tables become column items: column widths, rows, repeated heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardgen.export.reference.column_items import ItemContent, Rule, TextLine, TypesetItem, with_marks
from cardgen.export.reference.text_setter import TextSetter
from cardgen.export.reference.typography import LEADING, leading
from cardgen.reference.document_tree import RichText, Table
from cardgen.sheet.column_balancing import NEVER, ColumnItem
from cardgen.text.lines import Style
from cardgen.text.markup import Phrase

# Space between columns, above and below the text of a row, and above a table, in em.
_GUTTER, _PAD, _GAP = 0.9, 0.2, 0.42
# The minimum width of a column, in millimeters.
_MIN_COLUMN = 0.5
# The penalties for breaking a table, and a table with fewer rows than the last number.
_BREAK, _BREAK_SHORT, _SHORT = 3.0, 9.0, 9


def table_items(setter: TextSetter, table: Table, x: float, width: float) -> list[TypesetItem]:
    """Set a table with a repeated head.

    A single row is never left alone before or after a break.
    """
    rows = _TableSetter(setter, table, x, width)
    em, count = setter.typography.em, len(table.rows)
    items: list[TypesetItem] = []
    if table.caption:
        items += setter.text(RichText(((Phrase(table.caption),),)), setter.typography.caption, x, width)
    head = (
        rows.row(table.head, setter.typography.table_head, "accent", 0.8)
        if any(c.plain_text for c in table.head)
        else None
    )
    if head:
        items.append(replace(head, space_above=0.0 if items else _GAP * em, break_penalty=NEVER if items else _BREAK))
    for number, cells in enumerate(table.rows):
        first, last = number == 0, number == count - 1
        item = rows.row(cells, setter.typography.body, "line", 0.5 if last else 0.25)
        gap = 0.6 * _GAP * em if first and not items else 0.0
        penalty = NEVER if last or (first and items) else _BREAK_SHORT if count < _SHORT else _BREAK
        items.append(replace(item, space_above=gap, break_penalty=penalty, repeat_header=head))
    return items


class _TableSetter:
    """Setter of one table, with columns fitted to their texts."""

    def __init__(self, setter: TextSetter, table: Table, x: float, width: float) -> None:
        self._setter, self._table, self._x, self._width = setter, table, x, width
        self._em = setter.typography.em
        self._gutter = _GUTTER * self._em
        self._widths = self._distribute(*self._measure_columns())

    def row(self, cells: Sequence[RichText], style: Style, rule: str, weight: float) -> TypesetItem:
        """Set one row with a rule below it.

        Its cells start on the same line.
        """
        marks: list[TextLine] = []
        pad = _PAD * self._em
        depth = pad + LEADING * self._em
        left = self._x
        for number, (prose, cell_width, align) in enumerate(zip(cells, self._widths, self._table.align, strict=True)):
            cell_style, y = self._cell_style(number, style), pad
            for paragraph in prose.paragraphs:
                for line in self._setter.lines(prose, paragraph, cell_style, cell_width, align):
                    marks.append(TextLine(line, left, y + self._setter.baseline(cell_style)))
                    y += leading(cell_style)
            depth = max(depth, y)
            left += cell_width + self._gutter
        item = ColumnItem(ItemContent(tuple(marks)), depth + pad)
        return with_marks(item, Rule(self._x, item.height, self._width, self._setter.typography.colour(rule), weight))

    def _cell_style(self, column: int, style: Style) -> Style:
        return style._replace(bold=True) if self._table.row_headers and column == 0 else style

    def _measure_columns(self) -> tuple[list[float], list[float]]:
        """Return the preferred and the minimum width of each column."""
        wanted = [0.0] * len(self._table.head)
        needed = [0.0] * len(self._table.head)
        body, head = self._setter.typography.body, self._setter.typography.table_head
        for cells, style in ((self._table.head, head), *((row, body) for row in self._table.rows)):
            for number, cell in enumerate(cells):
                most, least = self._setter.measure(cell, self._cell_style(number, style))
                wanted[number] = max(wanted[number], most)
                needed[number] = max(needed[number], least)
        return wanted, needed

    def _distribute(self, wanted: list[float], needed: list[float]) -> list[float]:
        """Return the width of each column.

        That is the preferred width if possible, and at least the minimum. Spare width is shared equally, unless the
        last column holds text; then that column gets all of it. If even the minimum widths do not fit, all columns are
        too narrow, and the words that do not fit are recorded as faults.
        """
        room = max(_MIN_COLUMN * len(wanted), self._width - self._gutter * (len(wanted) - 1))
        spare = room - sum(wanted)
        if spare >= 0:
            if self._table.align[-1] == "left":
                return [*wanted[:-1], wanted[-1] + spare]
            return [width + spare / len(wanted) for width in wanted]
        if sum(needed) > room:
            return [width * room / sum(needed) for width in needed]
        share = (room - sum(needed)) / (sum(wanted) - sum(needed))
        return [least + (most - least) * share for most, least in zip(wanted, needed, strict=True)]
