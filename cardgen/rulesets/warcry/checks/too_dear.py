"""A warband that costs more points than its limit.

Why is this bad?
    It cannot be played. The limit is 1000 points unless the roster sets another `limit`.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 400, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:  # WC122: 5
          - {fighter: Asha, qty: 2}
          - {fighter: Asha, leader: true}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 330, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, qty: 2}
          - {fighter: Asha, leader: true}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC122", "error", "certain")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield a finding if the warband costs more than its limit."""
    roster = resolve_roster(warband, context.scope)
    if roster.points > warband.limit:
        message = f"the warband costs {roster.points} points, over its limit of {warband.limit}"
        advice = f"remove {roster.points - warband.limit} points, or raise 'limit'"
        yield Finding(message, ("members",), help=advice, at_key=True)
