"""Running text in columns: items that are broken into balanced columns and pages, by penalties, and placed there.

Lengths are in millimeters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from cardgen.sheet.leaf import FilledBox, TextMark, TypesetLine
from cardgen.text.lines import Style
from cardgen.units import Box

T = TypeVar("T")

NEVER = inf
# Penalty for empty space at the foot of a column, times its squared share of the column.
_EMPTY_PENALTY = 100.0
# Penalty for each column if their number is not given.
_EXTRA_COLUMN_PENALTY = 8.0
_EPSILON = 1e-6
# Pages in the units that breaks start.
_PAGES = {"page": 1, "front": 2}


@dataclass(frozen=True, slots=True)
class ColumnItem(Generic[T]):
    """Item of a column: line of text, table row, or heading.

    `space_above` is dropped at the top of a column and may grow by `stretch`. `break_penalty` is the penalty for a
    column that starts here; NEVER forbids it. `break_before` forces a new column, a new page, or
    the front of a new sheet of paper. `repeat_header` is repeated
    above the item if it starts a column, such as the header of a table. The spaces above all items of a page that start
    a section grow by the same amount.
    """

    content: T
    height: float
    space_above: float = 0.0
    stretch: float = 0.0
    break_penalty: float = 0.0
    break_before: Literal["", "column", "page", "front"] = ""
    repeat_header: ColumnItem[T] | None = None
    starts_section: bool = False


@dataclass(frozen=True, slots=True)
class PositionedItem(Generic[T]):
    """Item in its column.

    `y` is its upper edge from the top of the column, and `space_above` is the space left above it.
    """

    item: ColumnItem[T]
    y: float
    space_above: float


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """Column with its items.

    `number` counts through all pages from 0, and `depth` is the lower edge of the last item.
    """

    number: int
    items: tuple[PositionedItem[T], ...]
    depth: float


@dataclass(frozen=True, slots=True)
class ColumnGrid:
    """Available columns: number per page, height of each, and total number.

    `count` is None if there may be any number of columns.
    """

    per_page: int
    height: Callable[[int], float]
    count: int | None = None


@dataclass(frozen=True, slots=True)
class BalancedColumns(Generic[T]):
    """Columns with all items, and the total penalty of their breaks."""

    columns: tuple[Column[T], ...]
    cost: float


def balance_columns(items: Sequence[ColumnItem[T]], grid: ColumnGrid) -> BalancedColumns[T] | None:
    """Distribute all items over columns evenly, with the least penalties.

    Return None if the items do not fit. If the number of columns is not given, another column is started only if that
    helps much.
    """
    breakpoints = _breakpoints(items, grid)
    ends = breakpoints[-1]
    if not ends:
        return None
    total, price = (grid.count, -_EMPTY_PENALTY) if grid.count else (0, _EXTRA_COLUMN_PENALTY)
    number = min(ends, key=lambda end: ends[end].cost + (end - total) * price)
    columns: list[Column[T]] = []
    stop, cost = len(items), 0.0
    while stop:
        point = breakpoints[stop][number]
        columns.append(_fill(items, point.column, point.first, stop))
        cost += items[point.first].break_penalty if point.first and not items[point.first].break_before else 0.0
        stop, number = point.first, point.before
    # Align the feet of the columns of a page. First, the spaces above its sections grow evenly into the free space.
    # Then the other spaces stretch as far as they can.
    pages: dict[int, list[Column[T]]] = {}
    for column in columns[::-1]:
        pages.setdefault(column.number // grid.per_page, []).append(column)
    return BalancedColumns(tuple(aligned for page in pages.values() for aligned in _align_page(page, grid)), cost)


class _Breakpoint(NamedTuple):
    """Cheapest way to fill columns up to an item.

    `first` is the first item of the last column, `column` its number, and `before` the number of columns before it.
    """

    cost: float
    first: int
    column: int
    before: int


def _breakpoints(items: Sequence[ColumnItem[T]], grid: ColumnGrid) -> list[dict[int, _Breakpoint]]:
    """Return the cheapest breakpoints at each item.

    They are keyed by the number of columns before the item.
    """
    breakpoints: list[dict[int, _Breakpoint]] = [{} for _ in range(len(items) + 1)]
    breakpoints[0][0] = _Breakpoint(0.0, 0, 0, 0)
    for first in range(len(items)):
        for before, point in _active(breakpoints[first], grid):
            pages = _PAGES.get(items[first].break_before, 0) * grid.per_page
            column = -(-before // pages) * pages if pages else before
            if grid.count is not None and column >= grid.count:
                continue
            skipped = point.cost + _EMPTY_PENALTY * (column - before)
            for end, cost, empty in _feasible_ends(items, first, grid.height(column)):
                open_end = end == len(items) and grid.count is None
                whole = skipped + cost + (0.0 if open_end else _EMPTY_PENALTY * empty**2)
                best = breakpoints[end].get(column + 1)
                if best is None or whole < best.cost:
                    breakpoints[end][column + 1] = _Breakpoint(whole, first, column, before)
    return breakpoints


def _active(breakpoints: dict[int, _Breakpoint], grid: ColumnGrid) -> list[tuple[int, _Breakpoint]]:
    """Return the breakpoints to continue from.

    With unlimited columns, those that waste more than a page are dropped.
    """
    fewest = min(breakpoints, default=0)
    return sorted((n, way) for n, way in breakpoints.items() if grid.count is not None or n <= fewest + grid.per_page)


def _feasible_ends(items: Sequence[ColumnItem[T]], first: int, room: float) -> Iterator[tuple[int, float, float]]:
    """Yield feasible ends of a column that starts with item `first`.

    Each end comes with its penalty and the empty share of the column.
    """
    header = items[first].repeat_header
    depth = header.height if header else 0.0
    for end, item in enumerate(items[first:], first + 1):
        depth += item.height + (item.space_above if end > first + 1 else 0.0)
        if depth > room + _EPSILON:
            return
        last = end == len(items)
        forced = not last and bool(items[end].break_before)
        price = 0.0 if last or forced else items[end].break_penalty
        if price != NEVER:
            yield end, price, (room - depth) / room
        if forced:
            return


def _fill(items: Sequence[ColumnItem[T]], number: int, first: int, end: int) -> Column[T]:
    placed: list[PositionedItem[T]] = []
    depth = 0.0
    header = items[first].repeat_header
    if header:
        placed.append(PositionedItem(header, 0.0, 0.0))
        depth = header.height
    for at in range(first, end):
        above = items[at].space_above if at > first else 0.0
        placed.append(PositionedItem(items[at], depth + above, above))
        depth += above + items[at].height
    return Column(number, tuple(placed), depth)


def _align_page(columns: list[Column[T]], grid: ColumnGrid) -> Iterator[Column[T]]:
    # How much the space above each section of a page grows.
    room = inf
    for column in columns:
        stretches = [placed.item.stretch for placed in column.items if _starts_section(placed)]
        if stretches:
            spare = max(0.0, grid.height(column.number) - column.depth)
            room = min(room, spare / len(stretches), *stretches)
    growth = room if room < inf else 0.0
    spread = [_move_down(each, [growth * _starts_section(item) for item in each.items]) for each in columns]
    least = min(grid.height(each.number) - each.depth for each in spread)
    for column in spread:
        yield _stretch(column, grid.height(column.number) - column.depth - least)


def _starts_section(placed: PositionedItem[T]) -> bool:
    """Return whether an item starts a section below the top of its column."""
    return placed.item.starts_section and placed.space_above > 0


def _stretch(column: Column[T], spare: float) -> Column[T]:
    """Stretch the spaces within sections by up to `spare` in total."""
    gives = [
        placed.item.stretch if placed.space_above and not placed.item.starts_section else 0.0 for placed in column.items
    ]
    whole = sum(gives)
    if spare <= _EPSILON or not whole:
        return column
    return _move_down(column, [min(spare, whole) * give / whole for give in gives])


def _move_down(column: Column[T], growths: Sequence[float]) -> Column[T]:
    """Return the column with larger spaces above its items."""
    placed, moved = [], 0.0
    for each, growth in zip(column.items, growths, strict=True):
        moved += growth
        placed.append(PositionedItem(each.item, each.y + moved, each.space_above + growth))
    return Column(column.number, tuple(placed), column.depth + moved)


# The content of items of text.


class Background(NamedTuple):
    """Background of an item and the space above it.

    It has a color, and a bar in another color along its left edge.
    """

    x: float
    width: float
    colour: str
    bar: str
    bar_width: float


class PageReference(NamedTuple):
    """The page number of a section or rule, after a prefix, which is known once all columns are.

    It is right-aligned at `x`, with its baseline at `y`.
    """

    id: str
    x: float
    y: float
    style: Style
    prefix: str = ""

    def moved(self, dx: float, dy: float) -> PageReference:
        """Return the page number at another place."""
        return self._replace(x=self.x + dx, y=self.y + dy)


ItemMark: TypeAlias = TextMark | PageReference


@dataclass(frozen=True, slots=True)
class ItemContent:
    """All marks of an item, from its upper left corner and in paint order, and its background."""

    marks: tuple[ItemMark, ...]
    background: Background | None = None


TypesetItem: TypeAlias = ColumnItem[ItemContent]


def with_marks(item: TypesetItem, *marks: ItemMark) -> TypesetItem:
    """Return the item with additional marks on top."""
    return replace(item, content=replace(item.content, marks=(*item.content.marks, *marks)))


def with_background(item: TypesetItem, background: Background) -> TypesetItem:
    """Return an item and its repeated header with a background.

    An existing background is kept.
    """
    header = with_background(item.repeat_header, background) if item.repeat_header else None
    content = item.content if item.content.background else replace(item.content, background=background)
    return replace(item, content=content, repeat_header=header)


def column_marks(
    column: Column[ItemContent], x: float, y: float, page_number: Callable[[PageReference], TypesetLine] | None = None
) -> Iterator[TextMark]:
    """Yield the marks of a column whose upper left corner is at `x` and `y` on its page, backgrounds first.

    `page_number` sets the page numbers, if there are any.
    """
    for placed in column.items:
        ground = placed.item.content.background
        if ground:
            top, height = y + placed.y - placed.space_above, placed.space_above + placed.item.height
            yield FilledBox(Box(x + ground.x, top, ground.width, height), ground.colour)
            yield FilledBox(Box(x + ground.x, top, ground.bar_width, height), ground.bar)
    for placed in column.items:
        for mark in (each.moved(x, y + placed.y) for each in placed.item.content.marks):
            if isinstance(mark, PageReference):
                assert page_number is not None, "page numbers of a text without sections"
                yield page_number(mark)
            else:
                yield mark
