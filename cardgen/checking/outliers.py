"""Outliers by Tukey's outer fences, for any figure of any card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeAlias

# Quartiles of fewer figures than this are meaningless.
_MIN_FIGURES = 8
# How often other figures are added before it is seen whether they settle the matter.
_MOST_ROUNDS = 16


class Standing(NamedTuple):
    """A figure's rank from the top, and the range of all figures."""

    figure: Fraction
    rank: int
    among: int
    lowest: Fraction
    highest: Fraction


# Figures by the id of a Character; None if the Character has no such figure.
FiguresById: TypeAlias = Mapping[str, Fraction | None]


class Outliers:
    """The distribution of a figure over all Characters in play, by their ids; figures of 0 do not count.

    `figures` are the figures to check. `others` returns the other figures, of which there are at most `number`. It is
    called only if one of `figures` could be an outlier, and the others are looked up in order only until none could be:
    a mapping can compute each of them when it is looked up, the quickest first.
    """

    def __init__(self, figures: FiguresById, others: Callable[[], FiguresById] = dict, number: int = 0) -> None:
        self._figures, self._others = figures, others
        self._known = dict(figures)
        self._none_possible = self._all_within_fences(number) or self._is_settled_by_others()

    def _is_settled_by_others(self) -> bool:
        """Add other figures to the known ones until no figure can be an outlier; return whether that is so."""
        others = self._others()
        pending = [name for name in others if name not in self._figures]
        size = 1 + len(pending) // _MOST_ROUNDS
        for end in range(size, len(pending) + size, size):
            self._known |= {name: others[name] for name in pending[end - size : end]}
            if self._all_within_fences(max(0, len(pending) - end)):
                return True
        return False

    def _all_within_fences(self, unknown: int) -> bool:
        """Return whether no figure can be an outlier, whatever the `unknown` ones."""
        own, ordered = [figure for figure in self._figures.values() if figure], _sorted_figures(self._known)
        if not own:
            return True
        if unknown >= len(ordered):
            return False
        low, high = _outer_fences(ordered, unknown)
        return low <= min(own) and max(own) <= high

    def find(self, name: str) -> Standing | None:
        """Return the standing of a figure outside Tukey's outer fences, or None."""
        figure = None if self._none_possible else self._outlying.get(name)
        if figure is None:
            return None
        rank = 1 + sum(other > figure for other in self._ordered)
        return Standing(figure, rank, len(self._ordered), self._ordered[0], self._ordered[-1])

    @cached_property
    def _ordered(self) -> list[Fraction]:
        return _sorted_figures(self._known)

    @cached_property
    def _outlying(self) -> Mapping[str, Fraction]:
        if len(self._ordered) < _MIN_FIGURES:
            return {}
        low, high = _outer_fences(self._ordered)
        return {name: figure for name, figure in self._figures.items() if figure and not low <= figure <= high}


def _sorted_figures(figures: FiguresById) -> list[Fraction]:
    """Sort figures, counting equal ones first, since most cards share theirs."""
    counts = Counter(figure.as_integer_ratio() for figure in figures.values() if figure)
    distinct = sorted((Fraction(*ratio), count) for ratio, count in counts.items())
    return [figure for figure, count in distinct for _ in range(count)]


def _outer_fences(ordered: Sequence[Fraction], unknown: int = 0) -> tuple[Fraction, Fraction]:
    """Return the fences: three interquartile ranges below the lower and above the upper quartile.

    The range counts as at least half the median, because a few cards can be alike by chance. If `unknown` figures are
    missing, these are the narrowest fences that they could lead to, or narrower ones.
    """
    quarter = (len(ordered) + unknown) // 4
    low, high = ordered[quarter], ordered[-1 - quarter]
    width = max(high - low, ordered[(len(ordered) - 1 - unknown) // 2] / 2)
    return low - 3 * width, high + 3 * width
