"""A weapon that the fighter's other weapon always beats.

Why is this bad?
    The other weapon reaches at least as far and is at least as good in every characteristic, so nobody attacks with
    this one, and the card prints it for nothing.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R2 A3 S4 D1/4
      - Knife: dagger R1 A3 S3 D1/4  # WC315: 5

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R2 A3 S4 D1/4
      - Knife: dagger R1 A5 S3 D1/4
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Fighter
from cardgen.rulesets.warcry.limits import Weapon

_NUMBERS = ("range", "attacks", "strength", "damage", "critical")


@rule("WC315", "warning", "likely")
def find(fighter: Fighter) -> Findings:
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
