"""Columns: strips, which are never broken, are spread over the columns of some pages. Pure geometry, in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Generic, Literal, NamedTuple, TypeVar

T = TypeVar("T")

NEVER = inf
# What empty room at the foot of a column costs, as a multiple of its squared share of the column.
_EMPTY = 100.0
# What another column costs where nobody said how many there are.
_ANOTHER = 8.0
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


@dataclass(frozen=True, slots=True)
class Arrangement(Generic[T]):
    """Columns with all strips, and what it cost to break them where they are broken."""

    columns: tuple[Column[T], ...]
    cost: float


def arrange(strips: Sequence[Strip[T]], frame: Frame) -> Arrangement[T] | None:
    """The columns that hold all strips, as even as can be, breaking where it costs least; None where they are too few.

    Where the frame does not say how many columns there are, another one is begun only where that helps much.
    """
    ways = _ways(strips, frame)
    ends = ways[-1]
    if not ends:
        return None
    total, price = (frame.columns, -_EMPTY) if frame.columns else (0, _ANOTHER)
    number = min(ends, key=lambda end: ends[end].cost + (end - total) * price)
    columns: list[Column[T]] = []
    at, cost = len(strips), 0.0
    while at:
        way = ways[at][number]
        columns.append(_filled(strips, way.column, way.first, at))
        cost += strips[way.first].cost if way.first and not strips[way.first].start else 0.0
        at, number = way.first, way.before
    return Arrangement(_levelled(columns[::-1], frame), cost)


class _Way(NamedTuple):
    """The cheapest way to fill columns up to some strip: its last column, the strip that begins it, and its cost.

    `before` is how many columns there were before that one.
    """

    cost: float
    first: int
    column: int
    before: int


def _ways(strips: Sequence[Strip[T]], frame: Frame) -> list[dict[int, _Way]]:
    """For each place at which a column may begin, by how many columns there are before it, the cheapest way there."""
    ways: list[dict[int, _Way]] = [{} for _ in range(len(strips) + 1)]
    ways[0][0] = _Way(0.0, 0, 0, 0)
    for first in range(len(strips)):
        for before, way in _promising(ways[first], frame):
            turn = strips[first].start == "page"
            column = -(-before // frame.a_page) * frame.a_page if turn else before
            if frame.columns is not None and column >= frame.columns:
                continue
            for end, cost, empty in _endings(strips, first, frame.height(column)):
                open_end = end == len(strips) and frame.columns is None
                whole = way.cost + cost + (0.0 if open_end else _EMPTY * empty**2)
                known = ways[end].get(column + 1)
                if known is None or whole < known.cost:
                    ways[end][column + 1] = _Way(whole, first, column, before)
    return ways


def _promising(ways: dict[int, _Way], frame: Frame) -> list[tuple[int, _Way]]:
    """The ways that are worth going on: where columns do not end, those that waste most of them are not."""
    fewest = min(ways, default=0)
    return sorted((n, way) for n, way in ways.items() if frame.columns is not None or n <= fewest + frame.a_page)


def _endings(strips: Sequence[Strip[T]], first: int, room: float) -> Iterator[tuple[int, float, float]]:
    """Where a column that begins with the strip `first` may end, what that costs, and which share of it is empty."""
    again = strips[first].again
    depth = again.height if again else 0.0
    for end, strip in enumerate(strips[first:], first + 1):
        depth += strip.height + (strip.gap if end > first + 1 else 0.0)
        if depth > room + _GRAIN:
            return
        last = end == len(strips)
        forced = not last and bool(strips[end].start)
        price = 0.0 if last or forced else strips[end].cost
        if price != NEVER:
            yield end, price, (room - depth) / room
        if forced:
            return


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
    """The columns of a page end on one line, as far as their gaps can grow."""
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
    if spare <= _GRAIN or not whole:
        return column
    spare = min(spare, whole)
    placed, moved = [], 0.0
    for each, give in zip(column.placed, gives, strict=True):
        grown = spare * give / whole
        moved += grown
        placed.append(Placed(each.strip, each.y + moved, each.above + grown))
    return Column(column.number, tuple(placed), column.depth + moved)
