"""Warriors from the plain data of their cards, in which weapons are replaced by their own data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.game import CardData, slugify
from cardgen.rulesets.skirmish.referee.charts import NEVER
from cardgen.rulesets.skirmish.referee.warrior import Mount, Warrior
from cardgen.rulesets.skirmish.referee.weapon import HAND_WEAPON, Weapon

WARRIORS = ("warrior",)
ARMOR = {"none": NEVER, "light": 6, "heavy": 5}
_NUMBERS = ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld", "points", "wizard")


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
        **{each: data.get(each, 0) for each in _NUMBERS},
    )


def _mount_of(data: Mapping[str, Any]) -> Mount:
    return Mount(**{each: data[each] for each in Mount._fields if each in data})


def weapon_of(data: Mapping[str, Any]) -> Weapon:
    """Return the weapon of a card."""
    numbers = {each: data[each] for each in Weapon._fields if each in data and each != "rules"}
    return Weapon(**numbers, rules=frozenset(map(slugify, data.get("rules", ()))))
