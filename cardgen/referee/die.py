"""The exact die: outcomes with whole-number weights. No float enters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Die(Generic[T]):
    """Outcomes and their weights: positive whole numbers without a common divisor.

    Two dice are equal when they give the same chances. Build one with `Die.of`, which keeps that promise.
    """

    weights: Mapping[T, int]
    total: int

    @classmethod
    def of(cls, weights: Mapping[T, int]) -> Die[T]:
        """The die with these weights; those of 0 are left out. Raises ValueError for weights that no die has."""
        if any(weight < 0 for weight in weights.values()):
            raise ValueError("a weight is negative")
        divisor = gcd(*weights.values())
        if not divisor:
            raise ValueError("no outcome has any weight")
        kept = {outcome: weight // divisor for outcome, weight in weights.items() if weight}
        return cls(kept, sum(kept.values()))

    @classmethod
    def constant(cls, outcome: T) -> Die[T]:
        """The die that always shows this."""
        return cls({outcome: 1}, 1)

    def __hash__(self) -> int:
        return hash(frozenset(self.weights.items()))

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        return ((outcome, Fraction(weight, self.total)) for outcome, weight in self.weights.items())

    def chance(self, predicate: Callable[[T], bool]) -> Fraction:
        """How likely it is that `which` holds of the outcome."""
        return Fraction(sum(weight for outcome, weight in self.weights.items() if predicate(outcome)), self.total)

    def chance_of(self, outcome: T) -> Fraction:
        """Return how likely one outcome is."""
        return Fraction(self.weights.get(outcome, 0), self.total)

    def mean(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """The mean of a value of the outcome."""
        total = Fraction(0)
        for outcome, weight in self.weights.items():
            total += value(outcome) * weight
        return total / self.total

    def map(self, change: Callable[[T], U]) -> Die[U]:
        """What becomes of each outcome; equal results are joined."""
        joined: dict[U, int] = {}
        for outcome, weight in self.weights.items():
            result = change(outcome)
            joined[result] = joined.get(result, 0) + weight
        return Die.of(joined)

    def flat_map(self, follow: Callable[[T], Die[U]]) -> Die[U]:
        """Go on with the die that each outcome leads to."""
        return mixture([(follow(outcome), weight) for outcome, weight in self.weights.items()])


def mixture(parts: list[tuple[Die[T], int]]) -> Die[T]:
    """The die that first picks one of several dice by their weights."""
    common = 1
    for die, _ in parts:
        common *= die.total // gcd(common, die.total)
    joined: dict[T, int] = {}
    for die, share in parts:
        scale = share * (common // die.total)
        for outcome, weight in die.weights.items():
            joined[outcome] = joined.get(outcome, 0) + weight * scale
    return Die.of(joined)


def uniform(sides: int) -> Die[int]:
    """The die with faces from 1 to `sides`."""
    return Die(dict.fromkeys(range(1, sides + 1), 1), sides)
