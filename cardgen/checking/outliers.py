"""Outliers by Tukey's outer fences, for any figure of any card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeAlias

# Fewer figures than these have no middle to measure from.
_MIN_FIGURES = 8


class Standing(NamedTuple):
    """Where a figure stands among all others: its rank from the top, their range, and what it is about."""

    figure: Fraction
    rank: int
    among: int
    lowest: Fraction
    highest: Fraction


# A figure for each Character, by its id; None for one that has none.
FiguresById: TypeAlias = Mapping[str, Fraction | None]


class Outliers:
    """One figure for each Character in play, by its id, and how they are spread; figures of 0 do not count.

    `mine` are those that are asked for. The `others`, whose `number` is known, take long to work out; that is done
    only where one of `mine` could be far out.
    """

    def __init__(self, figures: FiguresById, others: Callable[[], FiguresById] = dict, number: int = 0) -> None:
        self._figures, self._others = figures, others
        self._none_possible = _all_within_fences(_sorted_figures(figures), number)

    def find(self, name: str) -> Standing | None:
        """The standing of a figure that lies outside Tukey's outer fences, or None."""
        figure = None if self._none_possible else self._outlying.get(name)
        if figure is None:
            return None
        rank = 1 + sum(other > figure for other in self._ordered)
        return Standing(figure, rank, len(self._ordered), self._ordered[0], self._ordered[-1])

    @cached_property
    def _ordered(self) -> list[Fraction]:
        return _sorted_figures({**self._others(), **self._figures})

    @cached_property
    def _outlying(self) -> Mapping[str, Fraction]:
        if len(self._ordered) < _MIN_FIGURES:
            return {}
        low, high = _outer_fences(self._ordered)
        return {name: figure for name, figure in self._figures.items() if figure and not low <= figure <= high}


def _sorted_figures(figures: FiguresById) -> list[Fraction]:
    """Sorted, at the cost of those that differ: most cards share their figure with others."""
    counts = Counter(figure.as_integer_ratio() for figure in figures.values() if figure)
    distinct = sorted((Fraction(*ratio), count) for ratio, count in counts.items())
    return [figure for figure, count in distinct for _ in range(count)]


def _all_within_fences(ordered: Sequence[Fraction], unknown: int) -> bool:
    """Whether all lie inside the outer fences, whatever so many `unknown` figures may be."""
    if unknown >= len(ordered):
        return False
    low, high = _outer_fences(ordered, unknown)
    return low <= ordered[0] and ordered[-1] <= high


def _outer_fences(ordered: Sequence[Fraction], unknown: int = 0) -> tuple[Fraction, Fraction]:
    """Three times the width of the middle half beyond it, on both sides; few cards, alike by chance, count as wider.

    Where so many figures are `unknown`, fences that are as near as they can make them, or nearer.
    """
    quarter = (len(ordered) + unknown) // 4
    low, high = ordered[quarter], ordered[-1 - quarter]
    width = max(high - low, ordered[(len(ordered) - 1 - unknown) // 2] / 2)
    return low - 3 * width, high + 3 * width
