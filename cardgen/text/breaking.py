"""Breaking rows of items into lines: as few lines as can be, and among those the most even.

Pure arithmetic. An item is what may not be broken; item k reaches from `begins[k]` to `ends[k]` of one long row,
and a line of the items i to j is `ends[j] - begins[i]` wide. Both grow from item to item. The space between two
items lies between the end of one and the beginning of the next; a hyphen is part of an item's end, so that ends
may lie behind the next beginning.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import inf
from operator import sub

# Lines so far: where the next one begins, what they cost, and the last item of each.
_PartialBreaks = tuple[float, float, tuple[int, ...]]
# Rounding must not send a word that fits exactly to the next line.
_EPSILON = 1e-6
# What `pack` lets pass must pass here, however it is rounded.
_TOLERANCE = 2 * _EPSILON
# What a hyphen costs, measured against a line that is empty (1.0).
_HYPHEN_PENALTY = 0.04
# A last line under this share of the width looks lost.
_SHORT_LAST_LINE = 0.4


def greedy_breaks(begins: Sequence[float], ends: Sequence[float], width: float) -> list[int]:
    """The last item of each line when every line takes as many items as go in; this makes the fewest lines.

    An item that is wider than `width` gets a line of its own.
    """
    lasts: list[int] = []
    first, count = 0, len(ends)
    width += _EPSILON
    while first < count:
        last = max(first, bisect_right(ends, begins[first] + width, first) - 1)
        lasts.append(last)
        first = last + 1
    return lasts


def balanced_breaks(
    begins: Sequence[float],
    ends: Sequence[float],
    hyphens: Sequence[bool],
    width: float,
    *,
    balance_last_line: bool = False,
) -> list[int]:
    """The last item of each line: as few lines as `pack` needs, with the least sum of squared empty space.

    The last line may stay short, unless `last_line_too`, but not very short. When an item is wider than `width`
    there is nothing to even out, and the answer is that of `pack`.
    """
    latest = greedy_breaks(begins, ends, width)
    if len(latest) < 2 or max(map(sub, ends, begins)) > width + _EPSILON:
        return latest
    search = _BreakSearch(begins, ends, hyphens, width, width if balance_last_line else width * _SHORT_LAST_LINE)
    return search.best_breaks(latest)


class _BreakSearch:
    """The search for the cheapest lines; a last line costs nothing from the width `short` on."""

    def __init__(
        self, begins: Sequence[float], ends: Sequence[float], hyphens: Sequence[bool], width: float, short: float
    ) -> None:
        self._begins, self._ends, self._hyphens = begins, ends, hyphens
        self._width, self._short = width, short
        self._hyphen_cost = _HYPHEN_PENALTY * width * width

    def best_breaks(self, latest: list[int]) -> list[int]:
        """Line by line, the best way to each item at which the line may end."""
        bound = self._cost(latest) * (1 + _EPSILON) + _EPSILON
        ways: list[_PartialBreaks] = [(self._begins[0], 0.0, ())]
        for window in list(zip(self._earliest(len(latest)), latest, strict=True))[:-1]:
            ways = list(self._extend(ways, window, bound))
        return [*min(ways, key=self._final_cost)[2], latest[-1]]

    def _extend(self, ways: list[_PartialBreaks], window: tuple[int, int], bound: float) -> Iterator[_PartialBreaks]:
        """Ways that are one line longer and can still be cheaper than what is known to go."""
        begins, ends, width = self._begins, self._ends, self._width
        for last in range(window[0], window[1] + 1):
            room, cheapest, best = width - ends[last], bound, None
            for way in ways:
                empty = room + way[0]
                if empty < -_TOLERANCE:
                    continue
                square = empty * empty
                if square >= cheapest:
                    break  # It only grows from way to way.
                if way[1] + square < cheapest:
                    cheapest, best = way[1] + square, way
            if best is not None:
                cost = cheapest + self._hyphen_cost if self._hyphens[last] else cheapest
                yield begins[last + 1], cost, (*best[2], last)

    def _final_cost(self, way: _PartialBreaks) -> float:
        line = self._ends[-1] - way[0]
        return inf if line > self._width + _TOLERANCE else way[1] + max(0.0, self._short - line) ** 2

    def _cost(self, lasts: list[int]) -> float:
        cost, begin = 0.0, self._begins[0]
        for last in lasts[:-1]:
            cost += (self._width - self._ends[last] + begin) ** 2 + self._hyphen_cost * self._hyphens[last]
            begin = self._begins[last + 1]
        return self._final_cost((begin, cost, ()))

    def _earliest(self, lines: int) -> list[int]:
        """The first item at which each line may end so that the rest still goes into the remaining lines."""
        last = len(self._ends) - 1
        lasts = [last]
        for _ in range(lines - 1):
            last = bisect_left(self._begins, self._ends[last] - self._width - _TOLERANCE) - 1
            lasts.append(last)
        # Every line holds an item, even where the first ones could stay empty.
        return [max(line, last) for line, last in enumerate(reversed(lasts))]
