"""A Range of 0, or a ranged weapon with Range 1.

Why is this bad?
    A weapon with Range 0 has no possible target. A ranged weapon with Range 1 must get as close as a combat weapon, but
    without a combat weapon's free Move.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Dart, type: RW, range: 1, damage: 1}  # WN307: 35
      - {name: Curse, type: P, damage: 1}  # WN307: 5

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Dart, type: RW, range: 6, damage: 1}
      - {name: Curse, type: P, range: 8, penetration: 1, damage: 1}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.effect import Weapon

CODE, NAME = "WN307", "short-range"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Yield Range 0, and Range 1 of a ranged weapon."""
    if weapon.range == 0:
        yield Finding(f"'{weapon.name}' has Range 0 and no possible target", ("range",), help="give it a Range in cm")
    elif weapon.type == "RW" and weapon.range == 1:
        message = "a ranged weapon with Range 1 reaches no farther than a combat weapon"
        yield Finding(message, ("range",), help="make it a CW, or increase its Range", word="R1")
