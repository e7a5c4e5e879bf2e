"""A warband without 3 to 15 fighters or without exactly one leader.

Why is this bad?
    According to public notes on the core rules, a warband has 3 to 15 fighters, one of which is the leader and has the
    Hero runemark. If your group plays by other rules, ignore this check.

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

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import MAX_FIGHTERS, MIN_FIGHTERS, resolve_roster


@rule("WC123", "warning", "likely")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield findings on the number of fighters and on the leader."""
    roster = resolve_roster(warband, context.scope)
    if not MIN_FIGHTERS <= roster.fighter_count <= MAX_FIGHTERS:
        message = f"a warband must have {MIN_FIGHTERS} to {MAX_FIGHTERS} fighters, not {roster.fighter_count}"
        yield Finding(message, ("members",), help="add or remove fighters", at_key=True)
    leaders = [index for index, place in enumerate(roster.entries) if place.member.leader]
    if sum(roster.entries[index].member.qty for index in leaders) != 1:
        message = "the warband has more than one leader" if leaders else "the warband has no leader"
        yield Finding(message, ("members",), help="set 'leader: true' for exactly one fighter", at_key=True)
    for index in leaders:
        fighter = roster.entries[index].fighter
        if fighter and "hero" not in fighter.runemarks:
            message = f"leader '{fighter.name}' has no Hero runemark"
            yield Finding(
                message, ("members", index, "leader"), help="make a fighter with the Hero runemark the leader"
            )
