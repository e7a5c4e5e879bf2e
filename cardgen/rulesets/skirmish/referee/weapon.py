"""Weapons as the procedures use them."""

from __future__ import annotations

from typing import NamedTuple

MOST_STRENGTH = 10


class Weapon(NamedTuple):
    """A weapon: its range in inches (0 in close combat), its Strength, and its rules.

    `strength` is a number, or 0 for that of the user, to which `bonus` is added always, `charge_bonus` in the turn of a
    charge, and `first_bonus` in the first round of a combat. `first_strength` replaces all of them in that round.
    """

    name: str
    range: int = 0
    strength: int = 0
    bonus: int = 0
    charge_bonus: int = 0
    first_bonus: int = 0
    first_strength: int = 0
    hands: int = 1
    attacks: int = 0
    shots: int = 1
    shots_within: int = 0
    shots_penalty: int = 0
    piercing: int = 0
    rules: frozenset[str] = frozenset()

    @property
    def is_ranged(self) -> bool:
        """Whether it is for the Shooting phase."""
        return self.range > 0

    def in_round(self, user: int, *, charges: bool, first: bool, is_extra: bool = True) -> tuple[int, int]:
        """Return the Strength and the armor piercing of an attack in a round of close combat.

        With the rule 'extra-only', the first round improves only extra attacks.
        """
        if first and self.first_strength and (is_extra or "extra-only" not in self.rules):
            return self.first_strength, self.piercing
        extra = self.bonus + self.charge_bonus * charges + self.first_bonus * first
        return min(MOST_STRENGTH, (self.strength or user) + extra), 0 if self.first_strength else self.piercing


HAND_WEAPON = Weapon("Hand weapon", rules=frozenset({"parry"}))
