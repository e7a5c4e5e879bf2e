"""Distances: what the players' answers say about who is near whom, and how moves change it."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.disengage import ADJACENT
from cardgen.rulesets.warcry.weapon import Weapon

# Longer than any battlefield, and just more than an inch.
FAR, BEYOND = 120.0, 0.01
COVER = "in cover"


class Distances:
    """The bounds of each distance in inches, and facts about pairs such as cover.

    Whoever picks an attack says that its target is in range. That is remembered, so that nothing that it excludes is
    offered. When one of the two moves, the distance changes by its move at most, and the facts are forgotten.
    """

    def __init__(self) -> None:
        self._bounds: dict[frozenset[Combatant], tuple[float, float]] = {}
        self._facts: dict[tuple[Combatant, Combatant, str], bool] = {}

    def bounds(self, one: Combatant, other: Combatant) -> tuple[float, float]:
        """Return the least and the greatest distance possible, in inches."""
        return self._bounds.get(frozenset((one, other)), (0.0, FAR))

    def claim(self, one: Combatant, other: Combatant, low: float, high: float) -> None:
        """Remember that a distance is between `low` and `high` inches."""
        before = self.bounds(one, other)
        self._bounds[frozenset((one, other))] = (max(low, before[0]), min(high, before[1]))

    def claim_apart(self, who: Combatant, others: Iterable[Combatant]) -> None:
        """Remember that others are more than 1 inch away."""
        for other in others:
            self.claim(who, other, ADJACENT + BEYOND, FAR)

    def move(self, who: Combatant, inches: int) -> None:
        """Widen the bounds of a fighter that has moved up to some inches, and forget its facts."""
        for pair, (low, high) in self._bounds.items():
            if who in pair:
                self._bounds[pair] = (max(0.0, low - inches), high + inches)
        self._forget_facts(who)

    def forget(self, who: Combatant) -> None:
        """Forget everything about a fighter that may be anywhere."""
        self._bounds = {pair: bounds for pair, bounds in self._bounds.items() if who not in pair}
        self._forget_facts(who)

    def _forget_facts(self, who: Combatant) -> None:
        self._facts = {key: value for key, value in self._facts.items() if who not in key[:2]}

    def is_within(self, one: Combatant, other: Combatant, inches: float) -> bool | None:
        """Return whether a distance is at most this, or None if that is unknown."""
        low, high = self.bounds(one, other)
        return True if high <= inches else False if low > inches else None

    def allows(self, one: Combatant, other: Combatant, weapon: Weapon, move: int = 0) -> bool:
        """Return whether a target may be in range of a weapon, after a move of some inches."""
        low, high = self.bounds(one, other)
        return low - move <= weapon.range and high + move >= weapon.min_range

    def fact(self, one: Combatant, other: Combatant, name: str = COVER) -> bool | None:
        """Return what is known about a pair: by default, whether `other` is in cover from `one`."""
        return self._facts.get((one, other, name))

    def note(self, one: Combatant, other: Combatant, value: bool, name: str = COVER) -> None:
        """Remember a fact about a pair."""
        self._facts[one, other, name] = value
