"""Bounds on Mind, Body, and Spirit from the bonuses and penalties in play.

All bounds are conservative: the totals are possible in play, or higher than what is possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple, TypeAlias

from cardgen.game import CheckScope
from cardgen.rulesets.warniris.cards import MAX_MEMBERS, Character, Minion, Relic
from cardgen.rulesets.warniris.effect import Deeds, Effect
from cardgen.rulesets.warniris.limits import MIN_ATTRIBUTE

ATTRIBUTES = ("mind", "body", "spirit")
# A gap in cover reduces the attribute that hits by 1 (section 4: Cover).
COVER_PENALTY = {"mind": 1, "body": 0, "spirit": 1}
# The parties that an opponent's effects penalize, and those that the effects of your own side aid.
_PENALIZED_PARTIES = ("attacker", "target", "enemies")
_AIDED_PARTIES = ("target", "friends")


class AttributeBounds(NamedTuple):
    """Bounds on one attribute: lowest printed, largest penalty, and highest possible value."""

    lowest_printed: int
    max_penalty: int
    highest_possible: int


FighterCard: TypeAlias = Character | Minion


def fighters_in_play(scope: CheckScope) -> tuple[FighterCard, ...]:
    """Return every Character and Minion in play."""
    return (*scope.cards_of_type(Character), *scope.cards_of_type(Minion))


def attribute_bounds(scope: CheckScope) -> dict[str, AttributeBounds]:
    """Return the bounds of Mind, Body, and Spirit, before the clamp."""
    everybody = scope.compute_once(fighters_in_play)
    relic_totals = [_change_totals(relic.effects) for relic in scope.cards_of_type(Relic)]
    fighter_totals = [_change_totals(_effects_of(fighter)) for fighter in everybody]
    penetration = _max_penetration(everybody)
    return {
        attribute: _bounds_of(attribute, everybody, fighter_totals, relic_totals, penetration[attribute])
        for attribute in ATTRIBUTES
    }


# Totals that effects add and subtract, by relation ('own', 'help', 'harm') and attribute.
ChangeTotals: TypeAlias = Mapping[tuple[str, str], int]


def _bounds_of(
    attribute: str,
    fighters: Sequence[FighterCard],
    fighter_totals: Sequence[ChangeTotals],
    relic_totals: Sequence[ChangeTotals],
    penetration: int,
) -> AttributeBounds:
    printed = [getattr(fighter.stats, attribute) for fighter in fighters] or [MIN_ATTRIBUTE]
    aid = nlargest(MAX_MEMBERS - 1, (totals.get(("help", attribute), 0) for totals in fighter_totals))
    best_relic = max((totals.get(("own", attribute), 0) for totals in relic_totals), default=0)
    by_themselves = max(
        (mine + totals.get(("own", attribute), 0) for mine, totals in zip(printed, fighter_totals, strict=False)),
        default=1,
    )
    worst_relic = max((totals.get(("harm", attribute), 0) for totals in relic_totals), default=0)
    harm = nlargest(MAX_MEMBERS, (totals.get(("harm", attribute), 0) for totals in fighter_totals))
    hindrance = COVER_PENALTY[attribute] + worst_relic + sum(harm) + penetration
    return AttributeBounds(min(printed), hindrance, by_themselves + best_relic + sum(aid))


def _max_penetration(everybody: Iterable[FighterCard]) -> Mapping[str, int]:
    """Return the highest Penetration in play against each attribute, 0 if none."""
    most = dict.fromkeys(ATTRIBUTES, 0)
    for fighter in everybody:
        for weapon in fighter.weapons:
            against = "spirit" if weapon.type == "P" else "body"
            if weapon.penetration > most[against]:
                most[against] = weapon.penetration
    return most


def _effects_of(fighter: FighterCard) -> Iterator[Effect]:
    for weapon in fighter.weapons:
        yield from weapon.effects
    if isinstance(fighter, Character):
        for ability in fighter.abilities:
            yield from ability.effects


def _change_totals(effects: Iterable[Effect]) -> ChangeTotals:
    totals: defaultdict[tuple[str, str], int] = defaultdict(int)
    for effect in effects:
        for whom, deeds in effect.deeds:
            for attribute, change in attribute_changes(deeds):
                if change < 0 and whom in _PENALIZED_PARTIES:
                    totals["harm", attribute] -= change
                elif change > 0 and whom == "bearer":
                    totals["own", attribute] += change
                elif change > 0 and whom in _AIDED_PARTIES:
                    totals["help", attribute] += change
    return totals


def attribute_changes(deeds: Deeds) -> list[tuple[str, int]]:
    """Return the changed attributes, each with its change."""
    return [(attribute, change) for attribute in ATTRIBUTES if (change := getattr(deeds, attribute))]
