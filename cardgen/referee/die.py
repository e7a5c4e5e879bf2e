"""Exact dice: outcomes with whole-number weights, without floating point."""

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
    """A distribution: outcomes with positive whole-number weights, which have no common divisor.

    Two dice are equal if they give the same chances. Build one with `Die.of`, which reduces the weights.
    """

    weights: Mapping[T, int]
    total: int

    @classmethod
    def of(cls, weights: Mapping[T, int]) -> Die[T]:
        """Return the die with these weights, without outcomes of weight 0.

        Raises ValueError if a weight is negative or all are 0.
        """
        if any(weight < 0 for weight in weights.values()):
            raise ValueError("weights must not be negative")
        divisor = gcd(*weights.values())
        if not divisor:
            raise ValueError("at least one weight must be positive")
        kept = {outcome: weight // divisor for outcome, weight in weights.items() if weight}
        return cls(kept, sum(kept.values()))

    @classmethod
    def constant(cls, outcome: T) -> Die[T]:
        """Return the die with only this outcome."""
        return cls({outcome: 1}, 1)

    def __hash__(self) -> int:
        return hash(frozenset(self.weights.items()))

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        return ((outcome, Fraction(weight, self.total)) for outcome, weight in self.weights.items())

    def chance(self, predicate: Callable[[T], bool]) -> Fraction:
        """Return the chance that `predicate` is true for the outcome."""
        return Fraction(sum(weight for outcome, weight in self.weights.items() if predicate(outcome)), self.total)

    def chance_of(self, outcome: T) -> Fraction:
        """Return the chance of one outcome."""
        return Fraction(self.weights.get(outcome, 0), self.total)

    def mean(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """Return the mean of `value` over the outcomes."""
        total = Fraction(0)
        for outcome, weight in self.weights.items():
            total += value(outcome) * weight
        return total / self.total

    def map(self, change: Callable[[T], U]) -> Die[U]:
        """Return the distribution of `change(outcome)`; equal results are merged."""
        joined: dict[U, int] = {}
        for outcome, weight in self.weights.items():
            result = change(outcome)
            joined[result] = joined.get(result, 0) + weight
        return Die.of(joined)

    def flat_map(self, follow: Callable[[T], Die[U]]) -> Die[U]:
        """Return the distribution after rolling the die that follows each outcome."""
        return mixture([(follow(outcome), weight) for outcome, weight in self.weights.items()])


def mixture(parts: list[tuple[Die[T], int]]) -> Die[T]:
    """Return the mixture of dice, each with a weight."""
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
    """Return the fair die with faces from 1 to `sides`."""
    return Die(dict.fromkeys(range(1, sides + 1), 1), sides)
