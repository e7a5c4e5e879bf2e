"""The disks of an army, as cards.

Source: rules summary, customizing an army.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardgen.game import CheckContext, KeyPath
from cardgen.rulesets.diskwars.army import COMMAND, DISK, Army, Regiment

SIZES = ("small", "medium", "large")
# Copies of one disk in a regiment.
MOST_COPIES = {"small": 3, "medium": 2, "large": 1}


@dataclass(frozen=True, slots=True)
class Recruit:
    """A disk of a regiment: its card, its copies, and its place in the army.

    The card has the fields of the kind in `game.yaml`.
    """

    disk: Any
    copies: int
    path: KeyPath

    @property
    def cost(self) -> int:
        """The cost of all copies."""
        return self.copies * (self.disk.cost or 0)


@dataclass(frozen=True, slots=True)
class Muster:
    """A regiment with its cards; `hero` is None if that card is missing."""

    number: int
    regiment: Regiment
    hero: Recruit | None
    units: tuple[Recruit, ...]

    @property
    def is_led(self) -> bool:
        """Whether a hero leads it, not a unit."""
        return self.hero is not None and self.hero.disk.role == "hero"

    @property
    def cost(self) -> int:
        """The cost of all units."""
        return sum(unit.cost for unit in self.units)

    @property
    def points(self) -> int:
        """The recruitment points of the hero."""
        return (self.hero.disk.recruitment or 0) if self.hero else 0

    @property
    def everyone(self) -> tuple[Recruit, ...]:
        """The hero and the units."""
        return (*((self.hero,) if self.hero else ()), *self.units)


def musters(army: Army, context: CheckContext) -> tuple[Muster, ...]:
    """Return the regiments of an army with the cards that exist."""
    return tuple(_muster(number, regiment, context) for number, regiment in enumerate(army.regiments))


def _muster(number: int, regiment: Regiment, context: CheckContext) -> Muster:
    place: KeyPath = ("regiments", number)
    hero = _card(DISK, regiment.hero, context)
    units = (
        (troop, _card(DISK, troop.unit, context), (*place, "units", index))
        for index, troop in enumerate(regiment.units)
    )
    return Muster(
        number,
        regiment,
        Recruit(hero, 1, (*place, "hero")) if hero else None,
        tuple(Recruit(card, troop.copies, path) for troop, card, path in units if card),
    )


def _card(kind: str, name: str, context: CheckContext) -> Any:
    """Return the card that an army names, or None."""
    link = context.entry.links.get((kind, name)) if context.entry else None
    return link.card if link else None


def commands(army: Army, context: CheckContext) -> Iterator[tuple[int, Any]]:
    """Yield the command cards of an army that exist, each with its number."""
    for number, name in enumerate(army.commands):
        card = _card(COMMAND, name, context)
        if card:
            yield number, card
