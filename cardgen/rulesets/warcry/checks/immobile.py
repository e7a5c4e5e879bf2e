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

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.cards import Stats

CODE, NAME = "WC307", "immobile"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Stats


def find(stats: Stats, context: CheckContext) -> Findings:
    """Yield a Move of 0."""
    if not stats.move:
        yield Finding("a fighter with Move 0 never moves", ("move",), help="give it a Move in inches")
