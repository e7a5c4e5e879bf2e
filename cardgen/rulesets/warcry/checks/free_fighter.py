"""A fighter that costs no points.

Why is this bad?
    A warband can take any number of them under every limit. Usually the points were never filled in. If only an ability
    brings the fighter to the battlefield, suppress this check on its card.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 0  # WC320: 9
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
from cardgen.rulesets.warcry.cards import Fighter


@rule("WC320", "warning", "likely")
def find(fighter: Fighter) -> Findings:
    """Yield a cost of 0."""
    if not fighter.points:
        yield Finding("the fighter costs no points", ("points",), help="set its points")
