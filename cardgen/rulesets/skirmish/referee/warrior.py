"""Warriors and weapons as the procedures use them, made from cards, and the state of a warrior during a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import CardData, find_by_name, missing_part, quantity, slugify
from cardgen.rulesets.skirmish.referee.charts import MOST_STRENGTH, NEVER

FIT, DOWN, STUNNED, OUT = STATES = ("fit", "knocked down", "stunned", "out of action")
FALLEN = (DOWN, STUNNED)
# The faces of an injury roll.
INJURIES = (DOWN, DOWN, STUNNED, STUNNED, OUT, OUT)
# The rulings in force, as pairs of a ruling and its setting.
Rules: TypeAlias = frozenset[tuple[str, str]]
WARRIORS = ("warrior",)
ARMOR = {"none": NEVER, "light": 6, "heavy": 5}
_NUMBERS = ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld", "points", "wizard")


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
        wounds = quantity(self.wounds, "Wound")
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

    `armor` is the armor save without shield and mount, or NEVER. `in_words` are its own special rules and magic items,
    which have only text.
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
    in_words: frozenset[str] = frozenset()

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
    def move(self) -> int:
        """Its Movement, or that of its mount, which barding slows by 1."""
        return self.mount.m - self.mount.barded if self.mount else self.m

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
            use = " for shooting" if is_ranged else " for close combat"
            raise ValueError(missing_part(self.name, "weapon", name, (each.name for each in weapons), use))
        return match


def warrior_of(data: CardData, name: str = "") -> Warrior:
    """Return the warrior of a card, with a name of its own if there is one.

    Raises ValueError for a card of another kind.
    """
    if data.get("kind") not in WARRIORS:
        raise ValueError(f"card must be of kind 'warrior', not {data.get('kind')!r}")
    weapons = tuple(weapon_of(each) for each in data.get("weapons", ()))
    return Warrior(
        name=name or data["name"],
        weapons=weapons if any(not each.is_ranged for each in weapons) else (HAND_WEAPON, *weapons),
        armor=data.get("save") or ARMOR[data.get("armor", "none")],
        has_shield=data.get("shield", False),
        ward=data.get("ward") or NEVER,
        mount=_mount_of(data["mount"]) if data.get("mount") else None,
        rules=frozenset(map(slugify, data.get("rules", ()))),
        in_words=frozenset((*data.get("special", {}), *data.get("magic", ()))),
        **{each: data.get(each, 0) for each in _NUMBERS},
    )


def _mount_of(data: Mapping[str, Any]) -> Mount:
    return Mount(**{each: data[each] for each in Mount._fields if each in data})


def weapon_of(data: Mapping[str, Any]) -> Weapon:
    """Return the weapon of a card."""
    numbers = {each: data[each] for each in Weapon._fields if each in data and each != "rules"}
    return Weapon(**numbers, rules=frozenset(map(slugify, data.get("rules", ()))))
