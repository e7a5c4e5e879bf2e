"""A Range whose lower number is not below its higher one.

Why is this bad?
    Nothing is at least so far away and at most so near: the weapon reaches nobody.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Bow: ranged R15-3 A2 S3 D1/4  # WC302: 17

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Bow: ranged R3-15 A2 S3 D1/4
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.weapon import Weapon

CODE, NAME = "WC302", "inverted-range"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """A Range that begins where it ends, or beyond."""
    if weapon.min_range and weapon.min_range >= weapon.range:
        message = f"a Range from {weapon.min_range} to {weapon.range} inches reaches nobody"
        advice = f"did you mean {weapon.range}-{weapon.min_range}?" if weapon.range < weapon.min_range else ""
        yield Finding(message, ("range",), help=advice, word=f"R{weapon.min_range}-{weapon.range}")
