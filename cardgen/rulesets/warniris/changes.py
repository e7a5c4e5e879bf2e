"""What the cards on a table can change about an attribute: the most that adds up, and the most that is taken off.

All bounds are on the safe side: what is added up here can happen at once, or is more than can happen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    """For one attribute: the lowest printed, the largest total of penalties, and the strongest it can become."""

    lowest: int
    hindrance: int
    strongest: int


Fighter: TypeAlias = Character | Minion


def fighters(table: Table) -> tuple[Fighter, ...]:
    """Every card in play that stands for a miniature."""
    return (*table.all(Character), *table.all(Minion))


def bounds(table: Table) -> dict[str, Bounds]:
    """The bounds of Mind, Body and Spirit, before the clamp."""
    everybody = table.fact(fighters)
    relics = [_totals(relic.effects) for relic in table.all(Relic)]
    own = [_totals(_effects(fighter)) for fighter in everybody]
    piercing = _piercing(everybody)
    return {attribute: _bounds(attribute, everybody, own, relics, piercing[attribute]) for attribute in ATTRIBUTES}


# What effects add and take off, by whom they concern ('own', 'help', 'harm') and by attribute.
Totals: TypeAlias = Mapping[tuple[str, str], int]


def _bounds(
    attribute: str, everybody: Sequence[Fighter], own: Sequence[Totals], relics: Sequence[Totals], piercing: int
) -> Bounds:
    printed = [getattr(fighter.stats, attribute) for fighter in everybody] or [LOWEST]
    aid = nlargest(MOST_MEMBERS - 1, (totals.get(("help", attribute), 0) for totals in own))
    best_relic = max((totals.get(("own", attribute), 0) for totals in relics), default=0)
    by_themselves = max(
        (mine + totals.get(("own", attribute), 0) for mine, totals in zip(printed, own, strict=False)), default=1
    )
    worst_relic = max((totals.get(("harm", attribute), 0) for totals in relics), default=0)
    harm = nlargest(MOST_MEMBERS, (totals.get(("harm", attribute), 0) for totals in own))
    hindrance = COVER[attribute] + worst_relic + sum(harm) + piercing
    return Bounds(min(printed), hindrance, by_themselves + best_relic + sum(aid))


def _piercing(everybody: Iterable[Fighter]) -> Mapping[str, int]:
    """The most Penetration there is against each attribute; what has none pierces nothing."""
    most = dict.fromkeys(ATTRIBUTES, 0)
    for fighter in everybody:
        for weapon in fighter.weapons:
            against = "spirit" if weapon.type == "P" else "body"
            if weapon.penetration > most[against]:
                most[against] = weapon.penetration
    return most


def _effects(fighter: Fighter) -> Iterator[Effect]:
    for weapon in fighter.weapons:
        yield from weapon.effects
    if isinstance(fighter, Character):
        for ability in fighter.abilities:
            yield from ability.effects


def _totals(effects: Iterable[Effect]) -> Totals:
    totals: defaultdict[tuple[str, str], int] = defaultdict(int)
    for effect in effects:
        for whom, deeds in effect.deeds:
            for attribute, change in attribute_changes(deeds):
                if change < 0 and whom in _HINDERED:
                    totals["harm", attribute] -= change
                elif change > 0 and whom == "bearer":
                    totals["own", attribute] += change
                elif change > 0 and whom in _HELPED:
                    totals["help", attribute] += change
    return totals


def attribute_changes(deeds: Deeds) -> list[tuple[str, int]]:
    """The attributes that are changed, and by how much."""
    return [(attribute, change) for attribute in ATTRIBUTES if (change := getattr(deeds, attribute))]
