"""A combat weapon that reaches as far as a ranged weapon.

Why is this bad?
    A combat weapon includes a free Move toward its target. If it also has the reach of a ranged weapon, it combines
    the advantages of both, and the Move loses its purpose.
    The check compares its Range with the shortest Range of all ranged weapons in play.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Whip, type: CW, range: 15, damage: 1}  # WN306: 35

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Whip, type: CW, range: 2, damage: 1}
"""

from cardgen.game import CheckContext, CheckScope, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import fighters_in_play
from cardgen.rulesets.warniris.effect import Weapon

CODE, NAME = "WN306", "long-combat-weapon"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Yield a combat weapon with the Range of a ranged weapon."""
    if weapon.type == "CW" and weapon.range >= (shortest := context.scope.compute_once(shortest_ranged)):
        message = f"a combat weapon with Range {weapon.range} reaches as far as a ranged weapon"
        advice = f"the shortest ranged weapon in play has Range {shortest}; make it an RW"
        yield Finding(message, ("range",), help=advice, word=f"R{weapon.range}")


def shortest_ranged(scope: CheckScope) -> int:
    """Return the shortest Range over 1 of all ranged weapons in play."""
    ranges = (
        weapon.range
        for fighter in scope.compute_once(fighters_in_play)
        for weapon in fighter.weapons
        if weapon.type == "RW"
    )
    return min((reach for reach in ranges if reach > 1), default=100)
