"""A critical hit that allocates fewer damage points than a hit.

Why is this bad?
    A critical hit is the best possible roll. Usually the two Damage values are in the wrong order.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D4/1  # WC301: 23

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.limits import Weapon


@rule("WC301", "error", "certain")
def find(weapon: Weapon) -> Findings:
    """Yield a finding if the second Damage value is lower."""
    if weapon.critical < weapon.damage:
        message = f"a critical hit allocates {weapon.critical}, but a hit allocates {weapon.damage}"
        advice = f"did you mean {weapon.critical}/{weapon.damage}?"
        yield Finding(message, ("critical",), help=advice, word=f"D{weapon.damage}/{weapon.critical}")
