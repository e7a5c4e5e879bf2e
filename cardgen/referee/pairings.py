"""Results of round robins: single pairings, and the scores of crowds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Pairing:
    """The chances of two competitors to win against each other.

    `one` and `other` are their indices. Both orders of play have the same weight.
    """

    one: int
    other: int
    wins: Fraction
    loses: Fraction


@dataclass(frozen=True, slots=True)
class CrowdScores:
    """The scores of all pairs of a crowd, in floating point.

    `classes` has the class of each competitor; those of one class have the same scores. `rows` yields for each class
    its scores against itself and the classes after it; a score is the chance to win, in which a draw counts half.
    """

    classes: tuple[int, ...]
    rows: Iterator[list[float]]
