"""A warband with fighters from more than one grand alliance.

Why is this bad?
    Fighters that share neither a faction nor a grand alliance do not fight side by side and get no battle trait.
    According to public notes on the core rules, this includes allies, monsters, and thralls.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: fighter, name: Bran, faction: order, stats: {M: 5, T: 4, W: 9}, points: 60,
         weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha}
          - {fighter: Bran}  # WC125: 19

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: fighter, name: Bran, faction: skaven, stats: {M: 5, T: 4, W: 9}, points: 60,
         weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha}
          - {fighter: Bran}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC125", "error", "likely")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield the first fighter from another grand alliance than the first fighter."""
    ours = [
        (index, place.fighter)
        for index, place in enumerate(resolve_roster(warband, context.scope).entries)
        if place.fighter and place.fighter.alliance
    ]
    for index, fighter in ours:
        if fighter.alliance != ours[0][1].alliance:
            name_of = fighter.settings.name_of
            message = f"'{fighter.name}' belongs to {name_of(fighter.alliance)}, not to {name_of(ours[0][1].alliance)}"
            yield Finding(message, ("members", index, "fighter"), help="take all fighters from one grand alliance")
            return
