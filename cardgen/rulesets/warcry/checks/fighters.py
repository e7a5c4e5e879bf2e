"""Checks of fighters and their weapons."""

from cardgen.game import Finding, Findings
from cardgen.rulesets.warcry.cards import Fighter
from cardgen.rulesets.warcry.limits import MELEE_REACH, SHAPES, Weapon

# The farthest that somebody throws an axe or a spear, in inches.
THROW = 12
_MELEE_SHAPES = SHAPES.keys() - {"ranged", "blast"}


def odd_reach(weapon: Weapon) -> Findings:
    """Yield a melee shape beyond a throw, or a bow within melee reach."""
    if weapon.shape in _MELEE_SHAPES and weapon.range > THROW:
        message = f"the shape '{weapon.shape}' does not suit a Range of {weapon.range} inches"
        yield Finding(message, ("shape",), help="did you mean 'ranged'?", word=weapon.shape)
    elif weapon.shape == "ranged" and weapon.min_range <= weapon.range <= MELEE_REACH:
        message = f"the shape 'ranged' does not suit a Range of {weapon.range}: the attacks are melee attacks"
        yield Finding(message, ("shape",), help=f"use a Range above {MELEE_REACH}, or another shape", word="ranged")


_NUMBERS = ("range", "attacks", "strength", "damage", "critical")


def weaker_weapon(fighter: Fighter) -> Findings:
    """Yield the weapon that another equals or beats in everything; of two equal ones, the second."""
    for index, weapon in enumerate(fighter.weapons):
        for at, other in enumerate(fighter.weapons):
            if at != index and _beats(other, weapon) and (at < index or not _beats(weapon, other)):
                message = f"'{weapon.name}' is never better than '{other.name}'"
                yield Finding(message, ("weapons", index, "name"), help="raise one of its numbers, or remove it")


def _beats(one: Weapon, other: Weapon) -> bool:
    """Whether a weapon is at least as good as another in everything."""
    is_as_good = all(getattr(one, number) >= getattr(other, number) for number in _NUMBERS)
    return is_as_good and one.min_range <= other.min_range and one.melee == other.melee
