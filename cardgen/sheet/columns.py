"""Columns: strips, which are never broken, are spread over the columns of some pages. Pure geometry, in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

NEVER = inf
# What empty room at the foot of a column costs, as a multiple of its squared share of the column.
_EMPTY = 100.0
_GRAIN = 1e-6


@dataclass(frozen=True, slots=True)
class Strip(Generic[T]):
    """A band across a column: a line of text, a row of a table, a heading.

    `gap` is the room above it, which is dropped at the top of a column, and `give` how far that may grow. `cost` is
    what it costs to begin a column here; NEVER forbids it. `start` asks for a new column or page. `again` is what is
    repeated above it when it comes first: the head of a table that is broken.
    """

    content: T
    height: float
    gap: float = 0.0
    give: float = 0.0
    cost: float = 0.0
    start: Literal["", "column", "page"] = ""
    again: Strip[T] | None = None


@dataclass(frozen=True, slots=True)
class Placed(Generic[T]):
    """A strip in its column: `y` is its upper edge from the column's top, `above` the room that it has over it."""

    strip: Strip[T]
    y: float
    above: float


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A column's number, counted through all pages from 0, what stands in it, and how deep that reaches."""

    number: int
    placed: tuple[Placed[T], ...]
    depth: float


@dataclass(frozen=True, slots=True)
class Frame:
    """The columns at hand: how many a page has, how many there are in all, and how high each of them is."""

    a_page: int
    height: Callable[[int], float]
    columns: int | None = None


def arrange(strips: Sequence[Strip[T]], frame: Frame) -> tuple[Column[T], ...] | None:
    """The columns that hold all strips, as even as can be, breaking where it costs least; None where they are too few.

    Where the frame does not say how many columns there are, as few pages are filled as can be.
    """
    ways = _Search(strips, frame).ways()
    ends = {number: way for number, way in ways[-1].items() if frame.columns is None or number <= frame.columns}
    if not ends:
        return None
    total = frame.columns or -(-min(ends) // frame.a_page) * frame.a_page
    last = min((number for number in ends if number <= total), key=lambda n: ends[n][0] + (total - n) * _EMPTY)
    spans: list[tuple[int, int, int]] = []
    at, number = len(strips), last
    while at:
        _, before, used = ways[at][number]
        spans.append((used, before, at))
        at, number = before, _entered(ways, before, used)
    spans.reverse()
    return _levelled([_filled(strips, *span) for span in spans], frame)


def _entered(ways: list[dict[int, tuple[float, int, int]]], at: int, used: int) -> int:
    """The number under which the way to `at` is kept, from which column `used` was filled."""
    return max(number for number in ways[at] if number <= used)


class _Search:
    """Finds the cheapest way to every place at which a column may begin."""

    def __init__(self, strips: Sequence[Strip[T]], frame: Frame) -> None:
        self._strips, self._frame = strips, frame

    def ways(self) -> list[dict[int, tuple[float, int, int]]]:
        """For each place, by the number of the next column: cost, where that column began, and its number."""
        ways: list[dict[int, tuple[float, int, int]]] = [{} for _ in range(len(self._strips) + 1)]
        ways[0][0] = (0.0, 0, 0)
        for first, known in enumerate(ways[:-1]):
            for number, (cost, *_) in _worthwhile(known):
                self._go_on(ways, first, self._entering(first, number), cost)
        return ways

    def _entering(self, first: int, number: int) -> int:
        """The column that really begins here: a strip may ask for a new page."""
        if self._strips[first].start != "page":
            return number
        return -(-number // self._frame.a_page) * self._frame.a_page

    def _go_on(self, ways: list[dict[int, tuple[float, int, int]]], first: int, number: int, cost: float) -> None:
        """Fill one column from `first`, and note every place at which it may end."""
        limit, room, count = self._frame.columns, self._frame.height(number), len(self._strips)
        if limit is not None and number >= limit:
            return
        again = self._strips[first].again
        depth = again.height if again else 0.0
        for end in range(first, count):
            strip = self._strips[end]
            depth += strip.height + (strip.gap if end > first else 0.0)
            if depth > room + _GRAIN:
                return
            after = self._strips[end + 1] if end + 1 < count else None
            forced = after is not None and bool(after.start)
            price = 0.0 if after is None or forced else after.cost
            if price != NEVER:
                whole = cost + price + _EMPTY * ((room - depth) / room) ** 2
                known = ways[end + 1].get(number + 1)
                if known is None or whole < known[0]:
                    ways[end + 1][number + 1] = (whole, first, number)
            if forced:
                return


def _worthwhile(known: dict[int, tuple[float, int, int]]) -> list[tuple[int, tuple[float, int, int]]]:
    """The ways by number of columns; of two that lead to the same page the dearer one is kept too, as it is shorter."""
    return sorted(known.items())


def _filled(strips: Sequence[Strip[T]], number: int, first: int, end: int) -> Column[T]:
    placed: list[Placed[T]] = []
    depth = 0.0
    again = strips[first].again
    if again:
        placed.append(Placed(again, 0.0, 0.0))
        depth = again.height
    for at in range(first, end):
        above = strips[at].gap if at > first else 0.0
        placed.append(Placed(strips[at], depth + above, above))
        depth += above + strips[at].height
    return Column(number, tuple(placed), depth)


def _levelled(columns: list[Column[T]], frame: Frame) -> tuple[Column[T], ...]:
    """The columns of a page end on one line where their gaps can grow that far."""
    least: dict[int, float] = {}
    for column in columns:
        page, spare = column.number // frame.a_page, frame.height(column.number) - column.depth
        least[page] = min(least.get(page, inf), spare)
    return tuple(
        _stretched(each, frame.height(each.number) - each.depth - least[each.number // frame.a_page])
        for each in columns
    )


def _stretched(column: Column[T], spare: float) -> Column[T]:
    gives = [placed.strip.give if placed.above else 0.0 for placed in column.placed]
    whole = sum(gives)
    if spare <= _GRAIN or spare > whole + _GRAIN:
        return column
    placed, moved = [], 0.0
    for each, give in zip(column.placed, gives, strict=True):
        grown = spare * give / whole
        moved += grown
        placed.append(Placed(each.strip, each.y + moved, each.above + grown))
    return Column(column.number, tuple(placed), column.depth + moved)
