"""Warriors as the procedures use them, and their state during a game."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from cardgen.game import find_by_name
from cardgen.rulesets.skirmish.referee.charts import NEVER
from cardgen.rulesets.skirmish.referee.weapon import HAND_WEAPON, Weapon

FIT, DOWN, STUNNED, OUT = STATES = ("fit", "knocked down", "stunned", "out of action")
FALLEN = (DOWN, STUNNED)
# The faces of an injury roll.
INJURIES = (DOWN, DOWN, STUNNED, STUNNED, OUT, OUT)
# The rulings in force, as pairs of a ruling and its setting.
Rules: TypeAlias = frozenset[tuple[str, str]]


def worse(one: str, other: str) -> str:
    """Return the worse of two states."""
    return max(one, other, key=STATES.index)


class Health(NamedTuple):
    """What is left of a warrior: Wounds, state, and whether it has its mount and has lost its frenzy."""

    wounds: int
    state: str = FIT
    is_mounted: bool = False
    is_calm: bool = False

    def __str__(self) -> str:
        wounds = f"{self.wounds} {'Wound' if self.wounds == 1 else 'Wounds'}"
        return self.state if self.state != FIT else f"{wounds}, mounted" if self.is_mounted else wounds


class Mount(NamedTuple):
    """A mount: its Movement, and how it strikes."""

    name: str
    m: int
    ws: int = 0
    s: int = 0
    i: int = 0
    a: int = 0
    barded: bool = False


class Warrior(NamedTuple):
    """A warrior: profile, equipment, and special rules.

    `armor` is the armor save without shield and mount, or NEVER.
    """

    name: str
    m: int
    ws: int
    bs: int
    s: int
    t: int
    w: int
    i: int
    a: int
    ld: int
    weapons: tuple[Weapon, ...] = (HAND_WEAPON,)
    armor: int = NEVER
    has_shield: bool = False
    ward: int = NEVER
    mount: Mount | None = None
    rules: frozenset[str] = frozenset()
    points: int = 0
    wizard: int = 0

    @property
    def health(self) -> Health:
        """Its state at the start."""
        return Health(self.w, FIT, self.mount is not None)

    @property
    def melee_weapons(self) -> list[Weapon]:
        """The weapons for close combat; a hand weapon, if it has no other."""
        return [each for each in self.weapons if not each.is_ranged] or [HAND_WEAPON]

    @property
    def missile_weapons(self) -> list[Weapon]:
        """The weapons for the Shooting phase."""
        return [each for each in self.weapons if each.is_ranged]

    @property
    def unit_strength(self) -> int:
        """Its Unit Strength: 1 on foot, 2 mounted, 3 or its Wounds if it is large."""
        if "monster" in self.rules:
            return self.w
        return 3 if "large" in self.rules else 2 if self.mount else 1

    def save(self, weapon: Weapon | None = None, *, is_mounted: bool) -> int:
        """Return its armor save in close combat with a weapon, or with None against anything else."""
        save = self.armor - (is_mounted + (is_mounted and self.mount is not None and self.mount.barded))
        if self.has_shield and (weapon is None or weapon.hands < 2):
            save -= 1 + (weapon is not None and "parry" in weapon.rules and not is_mounted)
        return save

    def attacks(self, health: Health) -> int:
        """Return its Attacks in close combat, without those of weapons and mount."""
        return self.a + ("frenzy" in self.rules and not health.is_calm)

    def weapon(self, name: str | None, *, is_ranged: bool) -> Weapon:
        """Return the weapon of a name, or the first one.

        Raises ValueError for a name that it does not have, and if it has none.
        """
        weapons = self.missile_weapons if is_ranged else self.melee_weapons
        match = find_by_name(weapons, name) if name is not None else weapons[0] if weapons else None
        if match is None:
            has = ", ".join(each.name for each in weapons) or "none"
            place = "shooting" if is_ranged else "close combat"
            wanted = f" '{name[:60]}'" if name is not None else ""
            raise ValueError(f"{self.name} has no weapon{wanted} for {place}; it has {has}")
        return match
