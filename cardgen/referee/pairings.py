"""Results of round robins: single pairings, and the scores of crowds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

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
