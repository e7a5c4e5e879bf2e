"""A warband of fewer than 3 fighters or more than 15, or without one leader.

Why is this bad?
    Public notes on the core rules ask for 3 to 15 fighters, one of them the leader, who bears the Hero runemark.
    Where your group plays by other rules, ignore this.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:  # WC123: 5
          - {fighter: Asha, leader: true}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import MAX_FIGHTERS, MIN_FIGHTERS, resolve_roster

CODE, NAME = "WC123", "warband-size"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Warband


def find(warband: Warband, context: CheckContext) -> Findings:
    """Too few, too many, no leader, several, or one who is no hero."""
    roster = resolve_roster(warband, context.scope)
    if not MIN_FIGHTERS <= roster.fighter_count <= MAX_FIGHTERS:
        message = f"{roster.fighter_count} fighters are not {MIN_FIGHTERS} to {MAX_FIGHTERS}"
        yield Finding(message, ("members",), help="take others in, or leave some out", at_key=True)
    leaders = [index for index, place in enumerate(roster.entries) if place.member.leader]
    if sum(roster.entries[index].member.qty for index in leaders) != 1:
        message = "a warband has one leader" if leaders else "the warband has no leader"
        yield Finding(message, ("members",), help="write 'leader: true' behind one fighter", at_key=True)
    for index in leaders:
        fighter = roster.entries[index].fighter
        if fighter and "hero" not in fighter.runemarks:
            message = f"'{fighter.name}' leads, but has no Hero runemark"
            yield Finding(message, ("members", index, "leader"), help="let a Hero lead")
