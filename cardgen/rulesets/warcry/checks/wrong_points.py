"""Points of a warband that do not match its fighters and blessings.

Why is this bad?
    Both players rely on this number. A blessing costs its regular points for a fighter with 22 or fewer Wounds on its
    profile, and its elite points for a fighter with 23 or more.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 23},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: blessing, name: Haste, points: {regular: 15, elite: 25}, changes: [{move: +2}]}
      - kind: warband
        name: The Few
        points: 255  # WC121: 13
        members:
          - {fighter: Asha, qty: 2}
          - {fighter: Asha, blessing: Haste, leader: true}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 23},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: blessing, name: Haste, points: {regular: 15, elite: 25}, changes: [{move: +2}]}
      - kind: warband
        name: The Few
        points: 235
        members:
          - {fighter: Asha, qty: 2}
          - {fighter: Asha, blessing: Haste, leader: true}
"""

from cardgen.game import CheckContext, Finding, Findings, Fix, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC121", "error", "certain")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield a finding if the author's sum is wrong."""
    roster = resolve_roster(warband, context.scope)
    if warband.points is not None and roster.is_complete and roster.points != warband.points:
        message = f"the warband costs {roster.points} points, not {warband.points}"
        yield Finding(message, ("points",), help="include the blessings", fix=Fix(str(roster.points), safe=True))
