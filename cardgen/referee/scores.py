"""Results of round robins: single pairings, scores, their matrix, cycles of three, fit to cost, order by likeness."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import dist, exp, fsum, inf, isnan, log, sqrt
from operator import add, mul
from statistics import median
from typing import Any, Literal, NamedTuple, TypeAlias

# A class, and the classes against which its scores are wanted.
RowTask: TypeAlias = tuple[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The chances of two competitors to win against each other.

    `one` and `other` are their indices. Both orders of play have the same weight.
    """

    one: int
    other: int
    wins: Fraction
    loses: Fraction


class Work(NamedTuple):
    """What a row of scores takes: attacks and assaults that are new, races, and joint chains.

    An attack is one on all targets that differ only in their Wounds, and an assault one on a target with these Wounds.
    """

    attacks: float = 0
    assaults: float = 0
    races: float = 0
    chains: float = 0


@dataclass(frozen=True, slots=True)
class CrowdScores:
    """The scores of all pairs of a crowd, in floating point.

    `classes` has the class of each competitor; those of one class have the same scores. A score is the chance to win,
    in which a draw counts half. `row` returns the scores of a class against some classes. `contents` tells all that the
    scores of each class depend on, in plain text, so that scores can be stored; without it, they are not stored.
    `work` returns the work of each of some rows, which as many processes compute in turn; without it, all pairs take
    about the same time.
    """

    classes: tuple[int, ...]
    row: Callable[[int, Sequence[int]], list[float]]
    contents: tuple[str, ...] = ()
    work: Callable[[Sequence[RowTask], int], list[Work]] | None = None

    @property
    def rows(self) -> Iterator[list[float]]:
        """The scores of each class against itself and the classes after it."""
        count = max(self.classes, default=-1) + 1
        return (self.row(number, range(number, count)) for number in range(count))


# A list of fractions, in which None is not known, or an array of floats, in which NaN is not.
ScoreRow: TypeAlias = MutableSequence[Any]
UNKNOWN = float("nan")


def empty_row(size: int, *, exact: bool) -> ScoreRow:
    """Return a row without scores; floats take 8 bytes each."""
    return [None] * size if exact else array("d", [UNKNOWN]) * size


def is_known(score: Score | None) -> bool:
    """Return whether a score has been computed."""
    return score is not None and not (isinstance(score, float) and isnan(score))


class ScoreMatrix:
    """The scores of each class (row) against each (column); equal fighters have the same chances."""

    def __init__(self, size: int, *, exact: bool) -> None:
        self.rows = [empty_row(size, exact=exact) for _ in range(size)]
        for number, row in enumerate(self.rows):
            row[number] = HALF if exact else 0.5

    def gaps(self, number: int) -> list[int]:
        """Return the classes after `number` against which the score of this class is not known."""
        row = self.rows[number]
        return [other for other in range(number + 1, len(row)) if not is_known(row[other])]

    def fill(self, number: int, others: Sequence[int], scores: Sequence[Score]) -> None:
        """Enter the scores of a class against others, and those of the others against it. They are other classes.

        Floats are rounded to a multiple of 2**-53, so that one less a score is exact, and either gives the other.
        """
        row = self.rows[number]
        for other, score in zip(others, scores, strict=True):
            its_score = self.rows[other][number] = 1 - score
            row[other] = 1 - its_score


# Fractions, or for crowds floats whose error is below TOLERANCE.
Score: TypeAlias = Fraction | float
Scores: TypeAlias = Sequence[Sequence[Score | None]]
Trio: TypeAlias = tuple[int, int, int]

HALF, TOLERANCE = Fraction(1, 2), 1e-12
# The clearest cycles are those above a score, which is searched for until they are at most this many times too many.
_SURPLUS, _MOST_SEARCHES = 20, 20


@dataclass(frozen=True, slots=True)
class Cycles:
    """The number of all cycles, and the clearest with their lowest scores."""

    count: int
    clearest: list[tuple[Score, Trio]]


def find_cycles(scores: Scores, most: int | None = None) -> Cycles:
    """Return the cycles of a round robin; with `most`, only that many in full, the clearest."""
    rows = [[0 if score is None else score for score in row] for row in scores]
    columns = list(zip(*rows, strict=True))
    is_exact = not any(isinstance(score, float) for row in rows[:1] for score in row)
    graph = _Graph(rows, columns, HALF if is_exact else 0.5 + TOLERANCE)
    count, searches = graph.count, 0
    low, high = float(graph.least), 1.0
    while most is not None and graph.count > _SURPLUS * most and searches < _MOST_SEARCHES:
        # The graph at `low` has enough cycles, and that at `high` has not.
        searches += 1
        middle = (low + high) / 2
        narrower = _Graph(rows, columns, middle)
        if narrower.count >= most:
            graph, low = narrower, middle
        else:
            high = middle
    clearest = sorted(graph.cycles(), key=lambda each: (-each[0], each[1]))
    return Cycles(count, clearest[:most])


def varied(clearest: Iterable[tuple[Score, Trio]], most: int) -> list[tuple[Score, Trio]]:
    """Return up to `most` cycles in order, without those that share two cards with an earlier one."""
    chosen: list[tuple[Score, Trio]] = []
    for cycle in clearest:
        if len(chosen) == most:
            break
        if all(len({*cycle[1]} & {*other}) < 2 for _, other in chosen):
            chosen.append(cycle)
    return chosen


class _Graph:
    """The wins by more than a score, as bits: the losers of each winner, and the winners over each loser."""

    def __init__(self, rows: Sequence[Sequence[Score]], columns: Sequence[Sequence[Score]], least: Score) -> None:
        self.rows, self.least = rows, least
        self.losers = [_bits(score > least for score in reversed(row)) for row in rows]
        self.winners = [_bits(score > least for score in reversed(column)) for column in columns]

    @cached_property
    def count(self) -> int:
        """The number of cycles."""
        losers = self.losers
        return (
            sum(
                (losers[loser] & winners).bit_count()
                for winner, winners in enumerate(self.winners)
                for loser in self._beaten_by(winner)
            )
            // 3
        )

    def cycles(self) -> set[tuple[Score, Trio]]:
        """Return all cycles with their lowest scores."""
        return {
            self._cycle(winner, loser, third)
            for winner, winners in enumerate(self.winners)
            for loser in self._beaten_by(winner)
            for third in _places(self.losers[loser] & winners)
        }

    def _beaten_by(self, winner: int) -> list[int]:
        least = self.least
        return [loser for loser, score in enumerate(self.rows[winner]) if score > least]

    def _cycle(self, a: int, b: int, c: int) -> tuple[Score, Trio]:
        return min(self.rows[a][b], self.rows[b][c], self.rows[c][a]), _trio(a, b, c)


def _bits(values: Iterable[bool]) -> int:
    return int("".join(["1" if value else "0" for value in values]), 2)


def _places(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def _trio(a: int, b: int, c: int) -> Trio:
    """Return the same cycle in its usual rotation, from the lowest upward or from the highest downward."""
    low = min(a, b, c)
    a, b, c = (a, b, c) if a == low else (b, c, a) if b == low else (c, a, b)
    return (a, b, c) if b < c else (b, c, a)


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


# Usual seconds of each kind of work. Only their proportions count, and only until rows of each kind have been timed.
_USUAL = Work(attacks=7e-4, assaults=3e-5, races=8e-6, chains=1.5e-2)
# The usual proportions count as much as this share of the work that has been timed.
_PRIOR = 0.02
# Neighboring blocks are merged when there are more than this, and rates are improved as often for each estimate.
_MOST_BLOCKS, _SWEEPS = 64, 10


class _Block(NamedTuple):
    """Some rows: their work and the seconds that they took together."""

    work: Work
    seconds: float

    def __add__(self, other: object) -> _Block:
        assert isinstance(other, _Block)
        return _Block(Work(*map(add, self.work, other.work)), self.seconds + other.seconds)


class RemainingTime:
    """Estimates the remaining time.

    `work` returns the work of each row; it is called when an estimate is first wanted, because counting takes time.
    `workers` processes compute the rows in turn. Several of them start with their first rows, which tell nothing.
    """

    def __init__(self, work: Callable[[], Sequence[Work]], workers: int, started: float) -> None:
        self._work, self._workers, self._ends = work, workers, [started]
        self._rows: Sequence[Work] = ()
        self._blocks: list[_Block] = []
        self._counted = 0
        self._rates = _USUAL

    def add(self, now: float) -> None:
        """Add the next row, which is complete now."""
        self._ends.append(now)

    def seconds(self) -> float:
        """Return the estimate of the remaining seconds."""
        self._rows = self._rows or self._work()
        # Add the complete rows to the blocks: as many together as there are processes, which end at about one time.
        while self._counted + self._workers < len(self._ends):
            first, end = self._counted, self._counted + self._workers
            self._counted = end
            if first or self._workers == 1:
                work = Work(*map(sum, zip(*self._rows[first:end], strict=True)))
                self._blocks.append(_Block(work, self._ends[end] - self._ends[first]))
        while len(self._blocks) > _MOST_BLOCKS:
            pairs = zip(self._blocks[::2], [*self._blocks[1::2], _Block(Work(), 0.0)], strict=False)
            self._blocks = [one + other for one, other in pairs]
        for _ in range(_SWEEPS):
            self._improve()
        left = map(sum, zip(*self._rows[len(self._ends) - 1 :], strict=True))
        return fsum(map(mul, self._rates, left))

    def _improve(self) -> None:
        """Share the time of each block among its kinds of work by their rates, and take the rates of the shares.

        Repeated, this leads to the rates under which the blocks are most likely to take their time.
        """
        done, seconds = [0.0] * len(_USUAL), [0.0] * len(_USUAL)
        for work, whole in self._blocks:
            shares = [*map(mul, self._rates, work)]
            factor = whole / (sum(shares) or 1.0)
            seconds = [before + share * factor for before, share in zip(seconds, shares, strict=True)]
            done = [*map(add, done, work)]
        whole = fsum(map(mul, _USUAL, done))
        if not whole:
            return
        speed, prior = fsum(seconds) / whole, _PRIOR * whole
        self._rates = Work(
            *[
                (each + prior * speed) / (count + prior / usual)
                for each, count, usual in zip(seconds, done, _USUAL, strict=True)
            ]
        )


# Columns that represent all others.
LANDMARKS = 48


def cluster_order(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return the places of the rows, similar ones next to each other. The matrix must be square."""
    if not rows:
        return []
    means = [fsum(row) / len(row) for row in rows]
    columns = _landmarks(rows)
    sketches = [[row[column] for column in columns] for row in rows]
    distances = [array("d", [dist(one, other) for other in sketches]) for one in sketches]
    for place, row in enumerate(distances):
        row[place] = inf
    return _Clusters(distances, means).order()


def _landmarks(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return columns that are far from each other, the first of which is farthest from the mean of all."""
    columns = rows if len(rows) <= LANDMARKS else [*zip(*rows, strict=True)]
    if len(rows) <= LANDMARKS:
        return [*range(len(rows))]
    chosen = [0]
    nearest = [dist(columns[0], column) for column in columns]
    while len(chosen) < LANDMARKS and max(nearest) > 0:
        chosen.append(nearest.index(max(nearest)))
        last = columns[chosen[-1]]
        nearest = [min(old, dist(last, column)) for old, column in zip(nearest, columns, strict=True)]
    return chosen


class _Clusters:
    """Clusters of rows, merged until there is one; a merged cluster takes the place of one of its parts."""

    def __init__(self, distances: list[array[float]], means: Sequence[float]) -> None:
        self._distances, self._means = distances, [*means]
        self._members: dict[int, list[int]] = {place: [place] for place in range(len(distances))}

    def order(self) -> list[int]:
        """Merge all clusters, and return the order of their members."""
        chain: list[int] = []
        while len(self._members) > 1:
            if not chain:
                chain.append(next(iter(self._members)))
            row = self._distances[chain[-1]]
            nearest = row.index(min(row))
            if len(chain) > 1 and row[chain[-2]] == row[nearest]:
                self._merge(chain.pop(), chain.pop())
            else:
                chain.append(nearest)
        (members,) = self._members.values()
        return members

    def _merge(self, one: int, other: int) -> None:
        """Merge two clusters into the first."""
        mine, its = self._members[one], self._members.pop(other)
        is_first = (-self._means[one], mine) <= (-self._means[other], its)
        first, second = (mine, its) if is_first else (its, mine)
        share = len(mine) / (len(mine) + len(its))
        self._means[one] = share * self._means[one] + (1 - share) * self._means[other]
        self._members[one] = first + second
        distances, its_row = self._distances, self._distances[other]
        row = array("d", [share * a + (1 - share) * b for a, b in zip(distances[one], its_row, strict=True)])
        row[one] = row[other] = inf
        distances[one] = row
        for place in self._members:
            distances[place][one], distances[place][other] = row[place], inf
        row[one] = inf
