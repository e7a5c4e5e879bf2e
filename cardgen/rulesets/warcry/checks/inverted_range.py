"""A Range whose minimum is not less than its maximum.

Why is this bad?
    No target is both beyond the minimum and within the maximum, so the weapon can never attack.

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

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.limits import Weapon


@rule("WC302", "error", "certain")
def find(weapon: Weapon) -> Findings:
    """Yield a finding if minimum Range is not below maximum."""
    if weapon.min_range and weapon.min_range >= weapon.range:
        message = f"a Range from {weapon.min_range} to {weapon.range} inches contains no target"
        advice = f"did you mean {weapon.range}-{weapon.min_range}?" if weapon.range < weapon.min_range else ""
        yield Finding(message, ("range",), help=advice, word=f"R{weapon.min_range}-{weapon.range}")
