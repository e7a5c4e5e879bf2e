"""A weapon that is no better than another on the same card.

Why is this bad?
    Nobody will ever use it, so its line only takes up space.
    The check compares weapons of the same type by Range, Damage, Healing, and the chance to overcome each Body or
    Spirit in play. Penetration beyond the strongest defense is therefore not an advantage.
    A weapon with effects is never reported.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Sword, type: CW, range: 1, penetration: 2, damage: 2}
      - {name: Knife, type: CW, range: 1, penetration: 1, damage: 2}  # WN401: 12
      - {name: Dart, type: RW, range: 10, penetration: 5, damage: 1}
      - {name: Bolt, type: RW, range: 8, penetration: 6, damage: 1}  # WN301: 51, WN401: 12

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Sword, type: CW, range: 1, penetration: 1, damage: 2}
      - {name: Knife, type: CW, range: 1, penetration: 3, damage: 1}
"""

from functools import cache

from cardgen.game import CheckContext, Finding, Findings, Related, rule
from cardgen.rulesets.warniris.attribute_bounds import attribute_bounds, wound_chance
from cardgen.rulesets.warniris.cards import Character, Minion
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.limits import MIN_ATTRIBUTE


@rule("WN401", "warning", "likely")
def find(card: Character | Minion, context: CheckContext) -> Findings:
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
                message = f"'{weapon.name}' can do nothing that '{other.name}' cannot do as well"
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
    return (weapon.range, weapon.damage, weapon.healing, *_wound_chances(weapon, context))


def _wound_chances(weapon: Weapon, context: CheckContext) -> tuple[int, ...]:
    """Return the weapon's chances to overcome each defense in play."""
    strongest = context.scope.compute_once(attribute_bounds)[
        "spirit" if weapon.type == "P" else "body"
    ].highest_possible
    return _chances_by_defence(weapon.penetration, strongest)


@cache
def _chances_by_defence(penetration: int, strongest: int) -> tuple[int, ...]:
    return tuple([wound_chance(1, defence - penetration) for defence in range(MIN_ATTRIBUTE, strongest + 1)])
