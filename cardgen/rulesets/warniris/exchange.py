"""Attacks in general: what a weapon does to the cards in play on average, and what a card endures from them.

Tests are exact: a success is the attribute, held within 1 to 5, out of 6 (section 3). Until the last division all
figures are whole numbers, in 36ths of a point, for an attack takes two Tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from cardgen.check.table import Table
from cardgen.rulesets.warniris.changes import HIGHEST, LOWEST, Fighter, fighters
from cardgen.rulesets.warniris.kinds import Character

SIDES = 6
# Fewer figures than these have no middle to measure from.
_ENOUGH = 8


class Blow(NamedTuple):
    """An attack: the attribute that hits, whether a power's, Penetration and Damage."""

    hits: int
    power: bool
    penetration: int
    damage: int


class Guard(NamedTuple):
    """What resists an attack."""

    body: int
    spirit: int


@cache
def damage(blow: Blow, guard: Guard) -> int:
    """The mean Damage of an attack on somebody, in 36ths."""
    resists = (guard.spirit if blow.power else guard.body) - blow.penetration
    return _held(blow.hits) * (SIDES - _held(resists)) * blow.damage


def _held(attribute: int) -> int:
    return max(LOWEST, min(HIGHEST, attribute))


def blows(fighter: Fighter) -> list[Blow]:
    """The attacks of a card that do damage."""
    stats = fighter.stats
    return [
        Blow(stats.spirit if weapon.type == "P" else stats.mind, weapon.type == "P", weapon.penetration, weapon.damage)
        for weapon in fighter.weapons
        if weapon.damage
    ]


def guard(fighter: Fighter) -> Guard:
    """What a card resists with."""
    return Guard(fighter.stats.body, fighter.stats.spirit)


class Standing(NamedTuple):
    """Where a figure stands among all others: its rank from the top, and their range."""

    figure: Fraction
    rank: int
    among: int
    lowest: Fraction
    highest: Fraction


class Figures:
    """One figure for each Character in play, by its id, and how they are spread."""

    def __init__(self, by_id: Mapping[str, Fraction]) -> None:
        self._by_id = by_id
        self._ordered = sorted(by_id.values())
        self._fences = _outer_fences(self._ordered) if len(self._ordered) >= _ENOUGH else None

    def far_out(self, name: str) -> Standing | None:
        """The standing of a figure that lies outside Tukey's outer fences, or None."""
        figure = self._by_id.get(name)
        if figure is None or self._fences is None or self._fences[0] <= figure <= self._fences[1]:
            return None
        rank = 1 + sum(other > figure for other in self._ordered)
        return Standing(figure, rank, len(self._ordered), self._ordered[0], self._ordered[-1])


def _outer_fences(ordered: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Three times the width of the middle half beyond it, on both sides."""
    low, high = ordered[len(ordered) // 4], ordered[-1 - len(ordered) // 4]
    return low - 3 * (high - low), high + 3 * (high - low)


def dealt(table: Table) -> Figures:
    """The mean Damage of each Character's best attack on the cards in play; not of those without one."""
    targets = Counter(map(guard, table.fact(fighters)))
    return Figures(
        {
            character.id: Fraction(max(_over(targets, blow) for blow in mine), SIDES**2 * targets.total())
            for character in _last_first(table)
            if (mine := blows(character))
        }
    )


def endured(table: Table) -> Figures:
    """How many attacks of the cards in play each Character endures: its Wounds by the mean Damage."""
    attacks = Counter(blow for fighter in table.fact(fighters) for blow in blows(fighter))
    guards = set(map(guard, table.all(Character)))
    taken = {mine: sum(damage(blow, mine) * count for blow, count in attacks.items()) for mine in guards}
    return Figures(
        {
            character.id: Fraction(character.stats.wounds * SIDES**2 * attacks.total(), taken[guard(character)])
            for character in _last_first(table)
            if taken[guard(character)]
        }
    )


def _last_first(table: Table) -> Sequence[Character]:
    """All Characters, so that of two with one id the one that is looked at remains."""
    return tuple(table.all(Character))[::-1]


def _over(targets: Counter[Guard], blow: Blow) -> int:
    return sum(damage(blow, target) * count for target, count in targets.items())
