"""A fighter with a Move of 0.

Why is this bad?
    It stays where it is deployed for the whole battle: no move action takes it anywhere.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 0, T: 4, W: 10}  # WC307: 12
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Stats


@rule("WC307", "warning", "likely")
def find(stats: Stats) -> Findings:
    """Yield a Move of 0."""
    if not stats.move:
        yield Finding("a fighter with Move 0 never moves", ("move",), help="give it a Move in inches")
