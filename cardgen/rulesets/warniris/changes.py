"""What the cards on a table can change about an attribute: the most that adds up, and the most that is taken off.

All bounds are on the safe side: what is added up here can happen at once, or is more than can happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple, TypeAlias

from cardgen.check.table import Table
from cardgen.rulesets.warniris.effect import Deeds, Effect
from cardgen.rulesets.warniris.kinds import MOST_MEMBERS, Character, Minion, Relic

LOWEST, HIGHEST = 1, 5
ATTRIBUTES = ("mind", "body", "spirit")
# A gap in cover takes 1 off the attribute that hits (section 4: Cover).
COVER = {"mind": 1, "body": 0, "spirit": 1}
# Whom the effects of an opponent's card concern when they hinder, and one's own side's when they help.
_HINDERED = ("attacker", "target", "enemies")
_HELPED = ("target", "friends")


class Bounds(NamedTuple):
    """For one attribute: the printed extremes, the largest total of bonuses from others, and of penalties."""

    lowest: int
    highest: int
    help: int
    hindrance: int
    strongest: int


Fighter: TypeAlias = Character | Minion


def fighters(table: Table) -> tuple[Fighter, ...]:
    """Every card in play that stands for a miniature."""
    return (*table.all(Character), *table.all(Minion))


def bounds(table: Table) -> dict[str, Bounds]:
    """The bounds of Mind, Body and Spirit, and what the strongest of each comes to with all help, before the clamp."""
    return {attribute: _bounds(table, attribute) for attribute in ATTRIBUTES}


def _bounds(table: Table, attribute: str) -> Bounds:
    everybody = table.fact(fighters)
    printed = [getattr(fighter.stats, attribute) for fighter in everybody] or [LOWEST]
    relics = [_best(_of(relic.effects, ("bearer",), attribute)) for relic in table.all(Relic)]
    aid = nlargest(MOST_MEMBERS - 1, (_best(_of(_effects(fighter), _HELPED, attribute)) for fighter in everybody))
    outside = max(relics, default=0) + sum(aid)
    own = [
        getattr(fighter.stats, attribute)
        + sum(max(0, change) for change in _of(_effects(fighter), ("bearer",), attribute))
        for fighter in everybody
    ]
    return Bounds(min(printed), max(printed), outside, _hindrance(table, attribute), max(own, default=LOWEST) + outside)


def _hindrance(table: Table, attribute: str) -> int:
    """Cover, a relic, what a warband's effects take off, and Penetration."""
    everybody = table.fact(fighters)
    relics = [_worst(_of(relic.effects, _HINDERED, attribute)) for relic in table.all(Relic)]
    effects = nlargest(MOST_MEMBERS, (_worst(_of(_effects(fighter), _HINDERED, attribute)) for fighter in everybody))
    kinds = {"mind": (), "body": ("CW", "RW"), "spirit": ("P",)}[attribute]
    piercing = [weapon.penetration for fighter in everybody for weapon in fighter.weapons if weapon.type in kinds]
    return COVER[attribute] + max(relics, default=0) + sum(effects) + max(piercing, default=0)


def _effects(fighter: Fighter) -> Iterator[Effect]:
    for weapon in fighter.weapons:
        yield from weapon.effects
    if isinstance(fighter, Character):
        for ability in fighter.abilities:
            yield from ability.effects


def _of(effects: Iterable[Effect], whom: tuple[str, ...], attribute: str) -> Iterator[int]:
    """The changes of an attribute that effects make to some of the concerned."""
    for effect in effects:
        for name, deeds in effect.deeds:
            if name in whom:
                yield getattr(deeds, attribute)


def _best(changes: Iterable[int]) -> int:
    return sum(change for change in changes if change > 0)


def _worst(changes: Iterable[int]) -> int:
    return -sum(change for change in changes if change < 0)


def attribute_changes(deeds: Deeds) -> Iterator[tuple[str, int]]:
    """The attributes that are changed, and by how much."""
    for attribute in ATTRIBUTES:
        change = getattr(deeds, attribute)
        if change:
            yield attribute, change
