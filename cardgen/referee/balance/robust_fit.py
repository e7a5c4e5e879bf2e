"""Robust fit of strength against cost, with the band of ordinary values.

Strength is a mean score between 0 and 1. The fit is a line of the log-odds of the strength over the logarithm of the
cost, through medians (Theil, Sen): up to 29 % of the cards can be anything without moving it far.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import median
from typing import Literal, TypeAlias

# A fit needs this many cards, and this many different costs.
FEWEST_CARDS, FEWEST_COSTS = 5, 3
# The band is this many robust standard deviations wide on each side: about 19 of 20 normal values are in it.
BAND_WIDTH = 2.0
# The median absolute deviation of normal values, as a share of their standard deviation.
_MAD_SHARE = 0.6745
# Strengths of 0 and 1 have no log-odds; those of slopes are limited.
_LEAST, _MOST_SLOPES = 0.0005, 500_000

Side: TypeAlias = Literal["", "strong", "weak"]


@dataclass(frozen=True, slots=True)
class StrengthFit:
    """A line of log-odds over the logarithm of the cost, and the robust standard deviation around it."""

    slope: float
    intercept: float
    deviation: float

    @classmethod
    def of(cls, cards: Sequence[tuple[float, float]]) -> StrengthFit | None:
        """Return the fit of costs and strengths; None for too few of them. Costs that are not positive do not count."""
        points = sorted((log(cost), _log_odds(strength)) for cost, strength in cards if cost > 0)
        if len(points) < FEWEST_CARDS or len({x for x, _ in points}) < FEWEST_COSTS:
            return None
        slope = median(_slopes(points))
        intercept = median(y - slope * x for x, y in points)
        deviation = median(abs(y - slope * x - intercept) for x, y in points) / _MAD_SHARE
        return cls(slope, intercept, deviation)

    def expected(self, cost: float) -> float:
        """Return the strength that is usual for a cost."""
        return _strength(self._line(cost))

    def band(self, cost: float) -> tuple[float, float]:
        """Return the lowest and the highest ordinary strength for a cost."""
        width = BAND_WIDTH * self.deviation
        return _strength(self._line(cost) - width), _strength(self._line(cost) + width)

    def deviations(self, cost: float, strength: float) -> float:
        """Return how far a strength is above the usual one, in robust standard deviations; 0 if there are none."""
        return (_log_odds(strength) - self._line(cost)) / self.deviation if self.deviation else 0.0

    def side(self, cost: float, strength: float) -> Side:
        """Return whether a strength is above the band, below it, or, if it is in the band, ''."""
        low, high = self.band(cost)
        clamped = _strength(_log_odds(strength))
        return "strong" if clamped > high else "weak" if clamped < low else ""

    def usual_cost(self, strength: float) -> float | None:
        """Return the cost for which a strength is usual; None if stronger cards do not cost more."""
        return exp((_log_odds(strength) - self.intercept) / self.slope) if self.slope > 0 else None

    def ordinary_costs(self, strength: float) -> tuple[float, float] | None:
        """Return the lowest and the highest cost for which a strength is in the band."""
        if self.slope <= 0:
            return None
        width = BAND_WIDTH * self.deviation
        low, high = ((_log_odds(strength) - self.intercept + each) / self.slope for each in (-width, width))
        return exp(low), exp(high)

    def _line(self, cost: float) -> float:
        return self.intercept + self.slope * log(cost)


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return how far two numbers rise together, from -1 to 1 (Spearman); None if one of them is always the same."""
    firsts, seconds = (_ranks([pair[side] for pair in pairs]) for side in (0, 1))
    middle = (len(pairs) + 1) / 2
    spreads = [sum((rank - middle) ** 2 for rank in ranks) for ranks in (firsts, seconds)]
    if not all(spreads):
        return None
    common = sum((one - middle) * (other - middle) for one, other in zip(firsts, seconds, strict=True))
    return common / sqrt(spreads[0] * spreads[1])


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value from 1 on; equal values share the mean of their ranks."""
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + 1 + bisect_right(ordered, value)) / 2 for value in values]


def _slopes(points: Sequence[tuple[float, float]]) -> Iterator[float]:
    """Yield the slopes between pairs of points, of many points only between some."""
    size = len(points)
    step = size * (size - 1) // 2 // _MOST_SLOPES + 1
    for distance in range(1, size, step):
        for (x, y), (other_x, other_y) in zip(points, points[distance:], strict=False):
            if x != other_x:
                yield (other_y - y) / (other_x - x)


def _log_odds(strength: float) -> float:
    clamped = min(max(strength, _LEAST), 1 - _LEAST)
    return log(clamped / (1 - clamped))


def _strength(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds)) if log_odds > 0 else 1 - 1 / (1 + exp(log_odds))
