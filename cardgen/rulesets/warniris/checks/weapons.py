"""Checks of weapons and Powers, and of what Characters do with them."""

from functools import cache

from cardgen.game import (
    CheckContext,
    CheckScope,
    Finding,
    Findings,
    Outlier,
    Related,
)
from cardgen.rulesets.warniris import attribute_bounds as bounds
from cardgen.rulesets.warniris import combat_benchmarks
from cardgen.rulesets.warniris.attribute_bounds import attribute_bounds, wound_chance
from cardgen.rulesets.warniris.cards import (
    Character,
    Minion,
)
from cardgen.rulesets.warniris.effect import Weapon, only_protects
from cardgen.rulesets.warniris.rulebook import MAX_ATTRIBUTE, MIN_ATTRIBUTE


def short_range(weapon: Weapon) -> Findings:
    """Find Range 0, and Range 1 of a ranged weapon."""
    if weapon.range == 0:
        yield Finding(f"'{weapon.name}' has Range 0 and no possible target", ("range",), help="give it a Range in cm")
    elif weapon.type == "RW" and weapon.range == 1:
        message = "a ranged weapon with Range 1 reaches no farther than a combat weapon"
        yield Finding(message, ("range",), help="make it a CW, or increase its Range", word="R1")


def long_combat_weapon(weapon: Weapon, context: CheckContext) -> Findings:
    """Find a combat weapon with the Range of a ranged weapon."""
    if weapon.type == "CW" and weapon.range >= (shortest := context.scope.compute_once(_shortest_ranged)):
        message = f"a combat weapon with Range {weapon.range} reaches as far as a ranged weapon"
        advice = f"the shortest ranged weapon in play has Range {shortest}; make it an RW"
        yield Finding(message, ("range",), help=advice, word=f"R{weapon.range}")


def _shortest_ranged(scope: CheckScope) -> int:
    """Return the shortest Range over 1 of all ranged weapons in play."""
    weapons = (weapon for fighter in scope.compute_once(bounds.fighters_in_play) for weapon in fighter.weapons)
    return min((weapon.range for weapon in weapons if weapon.type == "RW" and weapon.range > 1), default=100)


def mixed_healing(weapon: Weapon) -> Findings:
    """Find Penetration and Damage beside Healing."""
    for key in ("penetration", "damage"):
        if weapon.healing and getattr(weapon, key):
            message = f"with {key.capitalize()}, healing requires Tests and hurts its target"
            word = f"{key[0].upper()}{getattr(weapon, key)}"
            yield Finding(message, (key,), help="split it into two lines", word=word)


def mixed_protection(weapon: Weapon) -> Findings:
    """Find effects that only aid the target of a line with Penetration or Damage."""
    for index, effect in enumerate(weapon.effects):
        if effect.target and only_protects(effect) and (weapon.penetration or weapon.damage):
            key = "damage" if weapon.damage else "penetration"
            message = f"a line with {key.capitalize()} takes Tests and hurts the target that it protects"
            yield Finding(message, ("effects", index, "target"), help="split it into two lines", at_key=True)


def wasted_penetration(weapon: Weapon, context: CheckContext) -> Findings:
    """Find Penetration beyond the strongest defense."""
    attribute, order = "spirit" if weapon.type == "P" else "body", context.rulings.get("clamp-order", "")
    strongest = context.scope.compute_once(bounds.attribute_bounds)[attribute].highest_possible
    useful = bounds.useful_penetration(strongest, order)
    if weapon.penetration > useful:
        message = f"Penetration {weapon.penetration} does no more than Penetration {useful}"
        why = f"exceed {MAX_ATTRIBUTE} before Penetration" if order == "before" else f"go below {MIN_ATTRIBUTE}"
        advice = f"the strongest defense in play is {attribute.capitalize()} {strongest}, and attributes never {why}"
        yield Finding(message, ("penetration",), help=advice, word=f"P{weapon.penetration}")


def dominated_weapon(card: Character | Minion, context: CheckContext) -> Findings:
    """Yield each weapon that is beaten by another, or equaled by one listed before it."""
    for index, weapon in enumerate(card.weapons):
        if weapon.effects or weapon.text:
            continue
        for better, other in enumerate(card.weapons):
            if (
                other.type == weapon.type
                and better != index
                and _dominates(other, weapon, context, first=better < index)
            ):
                message = f"'{weapon.name}' can do nothing that '{other.name}' cannot also do"
                related = (Related(f"'{other.name}': {other.numbers}", ("weapons", better)),)
                yield Finding(message, ("weapons", index, "name"), help="change it, or remove it", related=related)
                break


def _dominates(other: Weapon, weapon: Weapon, context: CheckContext, *, first: bool) -> bool:
    if bool(weapon.healing) != bool(other.healing):
        return False
    theirs, ours = _scores(other, context), _scores(weapon, context)
    as_good = all(their >= our for their, our in zip(theirs, ours, strict=True))
    return as_good and (first or theirs != ours or bool(other.effects))


def _scores(weapon: Weapon, context: CheckContext) -> tuple[int, ...]:
    """Return the values of a weapon; higher is better for all of them."""
    # The weapon's chances to overcome each defense in play.
    strongest = context.scope.compute_once(attribute_bounds)[
        "spirit" if weapon.type == "P" else "body"
    ].highest_possible
    return (weapon.range, weapon.damage, weapon.healing, *_chances_by_defence(weapon.penetration, strongest))


@cache
def _chances_by_defence(penetration: int, strongest: int) -> tuple[int, ...]:
    return tuple([wound_chance(1, defence - penetration) for defence in range(MIN_ATTRIBUTE, strongest + 1)])


def unusual_damage(character: Character, context: CheckContext) -> Findings:
    """Find a figure far outside those of all Characters in play, with its rank."""
    if outlier := context.scope.look_up(combat_benchmarks.damage_outliers, character.id):
        target = context.scope.compute_once(combat_benchmarks.median_target)
        message = (
            f"the best attack deals {float(outlier.figure):.2f} Damage on average to Body {target.body} and Spirit "
            f"{target.spirit}, rank {outlier.rank} of {outlier.among}"
        )
        yield Finding(message, ("weapons",), help=_advice(outlier, "Power or Damage of its weapons"), at_key=True)


def unusual_endurance(character: Character, context: CheckContext) -> Findings:
    """Find a figure far outside those of all Characters in play, with its rank."""
    if outlier := context.scope.look_up(combat_benchmarks.endurance_outliers, character.id):
        message = f"it endures {float(outlier.figure):.1f} attacks on average, rank {outlier.rank} of {outlier.among}"
        yield Finding(message, ("stats",), help=_advice(outlier, "its Wounds, Body, or Spirit"), at_key=True)


def _advice(outlier: Outlier, what: str) -> str:
    others = f"those of all others range from {float(outlier.lowest):.2f} to {float(outlier.highest):.2f}"
    return f"lower {what}, unless it should be the best: {others}"
