"""Cycles of three: each beats the next, as in rock, paper, scissors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

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
