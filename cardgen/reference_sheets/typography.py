"""What columns consist of: lines of text, tables, boxes, and rules, set in the sheet's type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from cardgen.face.theme import Theme
from cardgen.reference.document_tree import RichText, Table
from cardgen.sheet.columns import NEVER, ColumnItem, ItemContent, TypesetItem, with_marks
from cardgen.sheet.leaf import Stroke, TypesetLine
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import Align, Line, Paragraph, Phrase, Style
from cardgen.units import MM_PER_POINT

LEADING = 1.22
# What a theme needs for sheets: colors for light and dark mode, and fonts.
COLOURS = (
    "ink",
    "soft",
    "glow",
    "panel",
    "line",
    "accent",
    "plaque",
    "frame",
    "light",
    "gilt",
    "edge",
    "lattice",
    "or",
)
FONTS = ("display", "text")


def missing_from_theme(theme: Theme) -> tuple[str, ...]:
    """Return what a theme lacks for sheets.

    For example 'the color gilt' and 'the font text'.
    """
    colours = (f"the color {name}" for name in COLOURS if name not in theme.colours)
    return (*colours, *(f"the font {name}" for name in FONTS if name not in theme.fonts))


@dataclass(frozen=True)
class Typography:
    """The typography of a sheet whose body has `size` points.

    Lengths are in millimeters.
    """

    theme: Theme
    size: float

    @cached_property
    def em(self) -> float:
        """The body size in millimeters."""
        return self.size * MM_PER_POINT

    @cached_property
    def body(self) -> Style:
        """Running text."""
        return self._style("text", 1.0, "ink")

    @cached_property
    def number(self) -> Style:
        """Numbers of list items."""
        return self._style("text", 1.0, "accent", bold=True)

    @cached_property
    def table_head(self) -> Style:
        """Headings of table columns."""
        return self._style("text", 1.0, "ink", bold=True)

    @cached_property
    def caption(self) -> Style:
        """Captions above tables."""
        return self._style("text", 1.0, "soft", bold=True)

    @cached_property
    def callout_title(self) -> Style:
        """Titles of callouts."""
        return self._style("display", 1.0, "accent", bold=True, caps=True, tracking=0.06)

    def heading(self, level: int) -> Style:
        """Return the style of a heading: level 1 is on a plaque."""
        if level == 1:
            return self._style("display", 1.2, "light", bold=True, caps=True, tracking=0.06)
        if level == 2:
            return self._style("display", 1.3, "accent", bold=True)
        return self._style("text", 1.0, "ink", bold=True)

    def icon(self, level: int) -> Style:
        """Return the style of the icon in front of a heading."""
        return self.heading(level)._replace(colour=self.colour("gilt" if level == 1 else "accent"))

    def title(self, size: float) -> Style:
        """Return the style of the sheet's title, at a size in points."""
        return self._fixed("display", size, "ink", bold=True, caps=True, tracking=0.06)

    def subtitle(self, size: float) -> Style:
        """Return the style of the line beside the title."""
        return self._fixed("display", size, "soft", italic=True)

    def running(self, size: float) -> Style:
        """Return the style of running heads and the foot."""
        return self._fixed("text", size, "soft")

    def colour(self, name: str) -> str:
        """Return a color of the theme."""
        return self.theme.colour(name)

    def _style(self, font: str, share: float, colour: str, **more: bool | float) -> Style:
        return self._fixed(font, self.size * share, colour, **more)

    def _fixed(self, font: str, size: float, colour: str, **more: bool | float) -> Style:
        return Style(
            family=self.theme.fonts[font].family,
            size=size,
            colour=self.colour(colour),
            leading=LEADING,
            spans=self.theme.span_looks,
            families=self.theme.fonts[font].by_script,
            **more,  # type: ignore[arg-type]
        )


def leading(style: Style) -> float:
    """Return the distance between baselines in millimeters."""
    return style.leading * style.size * MM_PER_POINT


def scale(style: Style, share: float) -> Style:
    """Return the style at a fraction of its size."""
    return style._replace(size=style.size * share)


# The penalty for a column break between two lines of a paragraph, and between two blocks.
_LINE_PENALTY, BLOCK_PENALTY = 3.0, 1.5


@dataclass(slots=True)
class SettingFaults:
    """Texts with words wider than their column, and missing glyphs."""

    broken_words: list[RichText] = field(default_factory=list)
    missing_glyphs: dict[str, RichText] = field(default_factory=dict)


class TextSetter:
    """Setter of texts at one body size; `faults` collects misfits."""

    def __init__(self, typography: Typography, compositor: Compositor) -> None:
        self.typography = typography
        self.faults = SettingFaults()
        self._compositor = compositor
        self._em = typography.em

    def text(self, prose: RichText, style: Style, x: float, width: float, align: Align = "left") -> list[TypesetItem]:
        """Set paragraphs line by line, without widows and orphans."""
        items: list[TypesetItem] = []
        for paragraph in prose.paragraphs:
            lines = self.lines(prose, paragraph, style, width, align)
            for number, line in enumerate(lines):
                alone = number in (1, len(lines) - 1)
                gap, give = (0.42 * self._em, 0.5 * self._em) if number == 0 else (0.0, 0.0)
                penalty = BLOCK_PENALTY if number == 0 else NEVER if alone else _LINE_PENALTY
                items.append(self.line(line, style, x, gap=gap, give=give, cost=penalty))
        return items

    def line(
        self, line: Line, style: Style, x: float, *, gap: float = 0.0, give: float = 0.0, cost: float = 0.0
    ) -> TypesetItem:
        """Return an item for one line whose baseline is at 0."""
        height = leading(style)
        return ColumnItem(ItemContent((TypesetLine(line, x, self.baseline(style)),)), height, gap, give, cost)

    def baseline(self, style: Style, height: float | None = None) -> float:
        """Return the depth of the baseline below a line's top.

        With `height`, return it for capitals centered in that height.
        """
        return self._compositor.baseline(style, height)

    def lines(
        self, prose: RichText, paragraph: Paragraph, style: Style, width: float, align: Align = "left"
    ) -> tuple[Line, ...]:
        """Break a paragraph into lines with baselines at 0, recording faults."""
        paragraph_lines = self._compositor.set_paragraph(paragraph, style, width, align)
        if paragraph_lines.has_broken_word:
            self.faults.broken_words.append(prose)
        for character in paragraph_lines.missing:
            self.faults.missing_glyphs.setdefault(character, prose)
        return paragraph_lines.lines

    def single_line(self, paragraph: Paragraph, style: Style) -> tuple[Line, float]:
        """Set a paragraph on one line.

        Return the line and its width in millimeters.
        """
        return self._compositor.set_line(paragraph, style)

    def measure(self, prose: RichText, style: Style) -> tuple[float, float]:
        """Return the width of a text and of its widest word.

        The text is measured on one line, in millimeters.
        """
        widths = [self._compositor.measure(paragraph, style) for paragraph in prose.paragraphs] or [(0.0, 0.0)]
        return max(wanted for wanted, _ in widths), max(needed for _, needed in widths)


# Space between columns, above and below the text of a row, and above a table, in em.
_GUTTER, _PAD, _GAP = 0.9, 0.2, 0.42
# The height of the icons of a legend and of its rows, in millimeters. An icon is 0.95 em high.
_LEGEND_ICON, _LEGEND_ROW = 6.5, 7.6
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
        marks: list[TypesetLine] = []
        if self._table.legend:
            return self._legend_row(cells, rule, weight)
        pad = _PAD * self._em
        depth = pad + LEADING * self._em
        left = self._x
        for number, (prose, cell_width, align) in enumerate(zip(cells, self._widths, self._table.align, strict=True)):
            cell_style, y = self._cell_style(number, style), pad
            for paragraph in prose.paragraphs:
                for line in self._setter.lines(prose, paragraph, cell_style, cell_width, align):
                    marks.append(TypesetLine(line, left, y + self._setter.baseline(cell_style)))
                    y += leading(cell_style)
            depth = max(depth, y)
            left += cell_width + self._gutter
        item = self._ruled(marks, depth + pad, rule, weight)
        # Cells to write in have rules between them.
        is_blank = not any(cell.plain_text for cell in cells[1:])
        return with_marks(item, *self._column_rules(item.height)) if is_blank else item

    def _column_rules(self, height: float) -> Iterator[Stroke]:
        """Yield the rules between the cells of a row."""
        x, colour = self._x - self._gutter / 2, self._setter.typography.colour("line")
        for width in self._widths[:-1]:
            x += width + self._gutter
            yield Stroke(x, 0.0, x, height, colour=colour, weight=0.25)

    def _legend_row(self, cells: Sequence[RichText], rule: str, weight: float) -> TypesetItem:
        """Set a row of a legend, with all cells centered in its height."""
        columns = []
        for number, (prose, cell_width) in enumerate(zip(cells, self._widths, strict=True)):
            style = self._cell_style(number, self._setter.typography.body)
            found = [self._setter.lines(prose, each, style, cell_width) for each in prose.paragraphs]
            columns.append((style, [line for lines in found for line in lines]))
        pad = 2 * _PAD * self._em
        depth = max(_LEGEND_ROW, *(leading(style) * len(lines) + pad for style, lines in columns[1:]))
        marks: list[TypesetLine] = []
        left = self._x
        for (style, lines), cell_width in zip(columns, self._widths, strict=True):
            first = self._setter.baseline(style, depth) - leading(style) * (len(lines) - 1) / 2
            marks += [TypesetLine(line, left, first + leading(style) * number) for number, line in enumerate(lines)]
            left += cell_width + self._gutter
        return self._ruled(marks, depth, rule, weight)

    def _ruled(self, marks: Sequence[TypesetLine], height: float, rule: str, weight: float) -> TypesetItem:
        item = ColumnItem(ItemContent(tuple(marks)), height)
        end, y = self._x + self._width, item.height
        return with_marks(item, Stroke(self._x, y, end, y, colour=self._setter.typography.colour(rule), weight=weight))

    def _cell_style(self, column: int, style: Style) -> Style:
        if column == 0 and self._table.legend:
            return style._replace(size=_LEGEND_ICON / 0.95 / MM_PER_POINT)
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
