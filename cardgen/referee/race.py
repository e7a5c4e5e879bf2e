"""Duels as races: chances from what each side alone does to the other.

In a race, nothing heals, and a blow depends on the two fighters but not on the Wounds that they have left. Then the
walks of both sides are independent, except for damage that an attack returns to the attacker, which is part of the walk
of that attack. Fighter A's advantage (its chance to win less its chance to lose) is a sum over the blows:

    P(A stands after the blow, B stood before it) - P(A stood before the blow, B stands after it)

Each chance is a product of a number of A's attack and a number of B's attack, so the advantage is the scalar product of
two vectors. The numbers of a vector are exact until they are rounded once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from math import fsum, lcm
from operator import add, mul, sub
from typing import NamedTuple, TypeAlias

# Weights by damage to the target and damage returned to the attacker.
BlowWeights: TypeAlias = Mapping[tuple[int, int], int]
# Weights by the returned damage so far and by an exclusive limit of the target's damage.
Walk: TypeAlias = list[list[int]]
# Exact numbers, as numerators and denominators.
Ratios: TypeAlias = tuple[tuple[int, int], ...]
Vector: TypeAlias = Sequence[float]


class Assault(NamedTuple):
    """What one fighter does to another: its vectors if it goes first, and if it goes second.

    If A goes first, its advantage over B is the scalar product of A's `first` and B's `second[form]`, with A's `form`.
    A shorter vector continues with zeros.
    """

    first: Vector
    second: tuple[Vector, ...]
    form: int = 0


class ExactAssault(NamedTuple):
    """The same before it is rounded."""

    first: Ratios
    second: tuple[Ratios, ...]
    form: int = 0

    def rounded(self) -> Assault:
        """Return the assault with correctly rounded numbers."""
        return Assault(_rounded(self.first), tuple(map(_rounded, self.second)), self.form)


def _rounded(ratios: Ratios) -> Vector:
    return array("d", [numerator / denominator for numerator, denominator in ratios])


def exact_advantage(first: ExactAssault, second: ExactAssault) -> Fraction:
    """Return the advantage of who goes first as a fraction."""
    pairs = zip(first.first, second.second[first.form], strict=False)
    return sum((Fraction(one * other, below * beneath) for (one, below), (other, beneath) in pairs), Fraction(0))


def exact_score(one: ExactAssault, other: ExactAssault) -> Fraction:
    """Return the score of `one` over both orders; a draw counts half."""
    return Fraction(1, 2) + (exact_advantage(one, other) - exact_advantage(other, one)) / 4


def scores(pairs: Iterable[tuple[Assault, Assault]]) -> list[float]:
    """Return the scores of the first of each pair as `exact_score` does, within `error_bound`."""
    return [
        0.5
        + (fsum(map(mul, one.first, other.second[one.form])) - fsum(map(mul, other.first, one.second[other.form]))) / 4
        for one, other in pairs
    ]


def error_bound(blows: int) -> float:
    """Return a bound of the error of `scores` for duels with at most this many blows.

    A blow adds at most 2 to the sum of the absolute terms of an advantage. Each term has three roundings, of both
    numbers and of their product; the sum is rounded once, and so are their difference and the score.
    """
    return (3 * blows + 2) * 2.0**-53


def stand(most_wounds: int) -> Walk:
    """Return the walk before the first blow."""
    return [[0] + [1] * most_wounds]


def advance(walk: Walk, blow: BlowWeights) -> Walk:
    """Return the walk after a blow; its weights are multiplied by the total weight of the blow."""
    width = len(walk[0])
    after = [[0] * width for _ in range(len(walk) + max(returned for _, returned in blow))]
    for returned_before, weights in enumerate(walk):
        for (damage, returned), share in blow.items():
            if damage < width:
                row = after[returned_before + returned]
                row[damage:] = [old + share * new for old, new in zip(row[damage:], weights, strict=False)]
    return after


def marginal(blow: BlowWeights, *, damage: bool) -> BlowWeights:
    """Return only the damage of a blow, or only the damage that it returns."""
    weights: dict[tuple[int, int], int] = {}
    for (dealt, returned), share in blow.items():
        key = (dealt, 0) if damage else (0, returned)
        weights[key] = weights.get(key, 0) + share
    return weights


class TurnRace:
    """The race of an attack in rounds of activations, in which first attacks may return damage.

    `blow` is an attack that returns no damage, and an activation is `attacks` of them. With `countered`, the first
    attack of an activation of the fighter that goes first returns damage, and costs the other fighter an attack.
    """

    def __init__(
        self,
        blow: BlowWeights,
        countered: BlowWeights | None,
        rounds: int,
        attacks: int,
        most_wounds: int,
    ) -> None:
        self.rounds, self.attacks, self.most_wounds = rounds, attacks, most_wounds
        self.total = lcm(sum(blow.values()), sum(countered.values()) if countered else 1)
        self.blow, self.countered = scale(blow, self.total), countered and scale(countered, self.total)

    def assault(self, wounds: int) -> ExactAssault:
        """Return the assault on a target with these Wounds."""
        forms = self._second(wounds, self.attacks, 1), self._second(wounds, self.attacks - 1, wounds)
        return ExactAssault(self._first(wounds), forms, int(self.countered is not None))

    def _first(self, wounds: int) -> Ratios:
        totals = [self.total ** (self.attacks * min(after, self.rounds)) for after in range(1, self.rounds + 2)]
        return tuple(
            (by_wounds[wounds], total)
            for by_activation in self._coefficients
            for by_wounds, total in zip(by_activation, totals, strict=True)
        )

    def _second(self, wounds: int, attacks: int, returned: int) -> Ratios:
        """Return the chances that the target stands, by activations, for each damage below `returned`."""
        blows = [attacks * activation for activation in range(self.rounds + 1)]
        return tuple(
            (self._plain_walks[count][wounds - before], self.total**count)
            for before in range(returned)
            for count in blows
        )

    @cached_property
    def _plain_walks(self) -> list[list[int]]:
        """The weights after each number of attacks that return no damage."""
        walks = [stand(self.most_wounds)]
        for _ in range(self.rounds * self.attacks):
            walks.append(advance(walks[-1], self.blow))
        return [walk[0] for walk in walks]

    @cached_property
    def _coefficients(self) -> list[list[list[int]]]:
        """The numerators of `first`, by returned damage, by the other fighter's activations so far, and by Wounds."""
        returned = max((returned for _, returned in self.countered or ()), default=0) * self.rounds
        sums = [[[0] * (self.most_wounds + 1) for _ in range(self.rounds + 1)] for _ in range(returned + 1)]
        walk = stand(self.most_wounds)
        for activation in range(self.rounds):
            if activation:
                _add(sums, activation, walk, self.total**self.attacks)
            walk = self._activate(walk, partial(_add, sums, activation))
            _add(sums, activation, walk, -1)
        _add(sums, self.rounds, walk, 1)
        return sums

    def _activate(self, walk: Walk, add: Callable[[Walk, int], None]) -> Walk:
        """Return the walk after an activation of the fighter that goes first, and add its advantage."""
        for attack in range(self.attacks):
            blow = self.countered if self.countered and not attack else self.blow
            later = self.total ** (self.attacks - 1 - attack)
            add(advance(walk, marginal(blow, damage=False)), later)
            add(advance(walk, marginal(blow, damage=True)), -later)
            walk = advance(walk, blow)
        return walk


def _add(sums: list[list[list[int]]], activation: int, walk: Walk, factor: int) -> None:
    for by_activation, weights in zip(sums, walk, strict=False):
        old = by_activation[activation]
        by_activation[activation] = [one + factor * other for one, other in zip(old, weights, strict=True)]


def scale(blow: BlowWeights, total: int) -> dict[tuple[int, int], int]:
    """Return the blow with another total weight, which must be a multiple of its own."""
    factor = total // sum(blow.values())
    return {damage: weight * factor for damage, weight in blow.items()}


class Standing:
    """The chance that a target still stands, blow by blow.

    The target gets `healing` Wounds back at the first call of `healed` by which it has lost as many.
    """

    __slots__ = ("_healing", "_layers", "_total")

    def __init__(self, wounds: int, healing: int = 0) -> None:
        # The weights of fewer Wounds lost than each number, before and after the healing.
        self._layers, self._total, self._healing = stand(wounds), 1, healing
        if healing:
            self._layers.append([0] * (wounds + 1))

    @property
    def chance(self) -> Fraction:
        """The chance that fewer Wounds are lost than the target has."""
        return Fraction(sum(layer[-1] for layer in self._layers), self._total)

    def chance_below(self, damage: int) -> Fraction:
        """Return the chance that the target stands, and that the damage so far is less than this."""
        limits = damage, max(0, damage - self._healing)
        weights = (layer[min(limit, len(layer) - 1)] for layer, limit in zip(self._layers, limits, strict=False))
        return Fraction(sum(weights), self._total)

    def healed(self) -> Standing:
        """Return what follows a moment at which the target may heal."""
        if not self._healing:
            return self
        (before, after), points = self._layers, self._healing
        unused = before[points] if points < len(before) else before[-1]
        back = [*(weight - unused for weight in before[points:])]
        back += [before[-1] - unused] * (len(before) - len(back))
        return self._then([[min(weight, unused) for weight in before], [*map(add, after, back)]], 1)

    def after(self, *blows: Mapping[int, int]) -> Standing:
        """Return what follows a blow, given as weights of damage.

        If the Wounds that are left matter, the first blow is that to a target with 1, and so on; the last is that to
        all others.
        """
        if len(blows) == 1:
            (blow,) = blows
            damages = {(damage, 0): weight for damage, weight in blow.items()}
            return self._then(advance(self._layers, damages), sum(blow.values()))
        total = lcm(*[sum(blow.values()) for blow in blows])
        return self._then([_after_each(layer, blows, total) for layer in self._layers], total)

    def _then(self, layers: Walk, total: int) -> Standing:
        then = Standing.__new__(Standing)
        then._layers, then._total, then._healing = layers, self._total * total, self._healing
        return then


def _after_each(before: Sequence[int], blows: Sequence[Mapping[int, int]], total: int) -> list[int]:
    """Return the weights of fewer Wounds lost than each number after a blow that depends on those left."""
    wounds = len(before) - 1
    weights = [0] * wounds
    for lost, weight in enumerate(map(sub, before[1:], before)):
        blow = blows[min(wounds - lost, len(blows)) - 1]
        factor = weight * (total // sum(blow.values()))
        for damage, share in blow.items():
            if lost + damage < wounds:
                weights[lost + damage] += factor * share
    return [0, *accumulate(weights)]
