"""Bounds on Mind, Body, and Spirit, for the checks of Warniris."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import SIDES, CheckScope
from cardgen.rulesets.warniris.cards import MAX_MEMBERS, Character, Minion, Relic
from cardgen.rulesets.warniris.effect import PARTIES, Deeds, Effect
from cardgen.rulesets.warniris.rulebook import MAX_ATTRIBUTE, MIN_ATTRIBUTE
from cardgen.rulesets.warniris.words import Side

ATTRIBUTES = ("mind", "body", "spirit")
# A gap in cover reduces the attribute that hits by 1 (section 4: Cover).
COVER_PENALTY = {"mind": 1, "body": 0, "spirit": 1}
# The parties that an opponent's effects penalize, and those that the effects of your own side aid.
_PENALIZED_PARTIES = PARTIES.where(lambda party: party.side is not Side.OWN)
_AIDED_PARTIES = PARTIES.where(lambda party: party.side is not Side.ENEMY and party.name != "bearer")


class AttributeBounds(NamedTuple):
    """Bounds on one attribute: lowest printed, largest penalty, and highest possible value."""

    lowest_printed: int
    max_penalty: int
    highest_possible: int


FighterCard: TypeAlias = Character | Minion
# Totals that effects add and subtract, by relation ('own', 'help', 'harm') and attribute, as in 'own mind'.
ChangeTotals: TypeAlias = Mapping[str, int]


class StatNumbers(NamedTuple):
    """The stats of a Character or Minion."""

    mind: int
    body: int
    spirit: int
    wounds: int
    movement: int


class WeaponNumbers(NamedTuple):
    """The numbers of a weapon."""

    type: str
    range: int
    penetration: int
    damage: int


class Fighter(NamedTuple):
    """What checks compare of a Character or Minion: its numbers, and the changes of attributes by its effects."""

    stats: StatNumbers
    weapons: tuple[WeaponNumbers, ...]
    changes: ChangeTotals


def fighters_in_play(scope: CheckScope) -> tuple[Fighter, ...]:
    """Return every Character and Minion in play."""
    rows = scope.facts_of_type(fighter_numbers, Character, Minion)
    return tuple(
        [
            Fighter(StatNumbers(*stats), tuple([WeaponNumbers(*weapon) for weapon in weapons]), changes)
            for stats, weapons, changes in rows
        ]
    )


def fighter_numbers(card: FighterCard) -> list[Any]:
    """Return the parts of a `Fighter` as plain lists."""
    stats = [getattr(card.stats, name) for name in StatNumbers._fields]
    weapons = [[str(weapon.type), weapon.range, weapon.penetration, weapon.damage] for weapon in card.weapons]
    return [stats, weapons, _change_totals(_effects_of(card))]


def relic_changes(relic: Relic) -> ChangeTotals:
    """Return the changes of attributes by the effects of a Relic."""
    return _change_totals(relic.effects)


def attribute_bounds(scope: CheckScope) -> dict[str, AttributeBounds]:
    """Return the bounds of Mind, Body, and Spirit, before the clamp."""
    everybody = scope.compute_once(fighters_in_play)
    relic_totals = [*scope.facts_of_type(relic_changes, Relic)]
    penetration = dict.fromkeys(ATTRIBUTES, 0)
    for fighter in everybody:
        for weapon in fighter.weapons:
            against = "spirit" if weapon.type == "P" else "body"
            if weapon.penetration > penetration[against]:
                penetration[against] = weapon.penetration
    return {
        attribute: _bounds_of(attribute, everybody, relic_totals, penetration[attribute]) for attribute in ATTRIBUTES
    }


def useful_penetration(strongest: int, clamp_order: str) -> int:
    """Return the highest Penetration that does more than less of it, by the setting of `clamp-order`.

    Under 'twice', it is higher than necessary if the strongest defense exceeds 5: cards are shared between groups.
    """
    return min(strongest, MAX_ATTRIBUTE) if clamp_order == "before" else max(0, strongest - MIN_ATTRIBUTE)


def _bounds_of(
    attribute: str,
    fighters: Sequence[Fighter],
    relic_totals: Sequence[ChangeTotals],
    penetration: int,
) -> AttributeBounds:
    own, help_, harm_ = (f"{relation} {attribute}" for relation in ("own", "help", "harm"))
    printed = [getattr(fighter.stats, attribute) for fighter in fighters] or [MIN_ATTRIBUTE]
    aid = nlargest(MAX_MEMBERS - 1, (fighter.changes.get(help_, 0) for fighter in fighters))
    best_relic = max((totals.get(own, 0) for totals in relic_totals), default=0)
    by_themselves = max(
        (mine + fighter.changes.get(own, 0) for mine, fighter in zip(printed, fighters, strict=False)), default=1
    )
    worst_relic = max((totals.get(harm_, 0) for totals in relic_totals), default=0)
    harm = nlargest(MAX_MEMBERS, (fighter.changes.get(harm_, 0) for fighter in fighters))
    hindrance = COVER_PENALTY[attribute] + worst_relic + sum(harm) + penetration
    return AttributeBounds(min(printed), hindrance, by_themselves + best_relic + sum(aid))


def _effects_of(fighter: FighterCard) -> Iterator[Effect]:
    for weapon in fighter.weapons:
        yield from weapon.effects
    if isinstance(fighter, Character):
        for ability in fighter.abilities:
            yield from ability.effects


def _change_totals(effects: Iterable[Effect]) -> ChangeTotals:
    totals: defaultdict[str, int] = defaultdict(int)
    for effect in effects:
        for whom, deeds in effect.deeds:
            for attribute, change in attribute_changes(deeds):
                if change < 0 and whom in _PENALIZED_PARTIES:
                    totals[f"harm {attribute}"] -= change
                elif change > 0 and whom == "bearer":
                    totals[f"own {attribute}"] += change
                elif change > 0 and whom in _AIDED_PARTIES:
                    totals[f"help {attribute}"] += change
    return totals


def attribute_changes(deeds: Deeds) -> list[tuple[str, int]]:
    """Return the changed attributes, each with its change."""
    return [(attribute, change) for attribute in ATTRIBUTES if (change := getattr(deeds, attribute))]


def clamp(attribute: int) -> int:
    """Return an attribute within its limits."""
    return max(MIN_ATTRIBUTE, min(MAX_ATTRIBUTE, attribute))


def wound_chance(hit_attribute: int, resist_attribute: int) -> int:
    """Return the chance to wound, in 36ths, after Penetration."""
    return clamp(hit_attribute) * (SIDES - clamp(resist_attribute))
