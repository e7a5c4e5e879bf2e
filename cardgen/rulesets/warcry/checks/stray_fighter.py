"""A fighter of another faction that cannot be an ally.

Why is this bad?
    Public notes on the core rules give all fighters of a warband the same faction runemark, that of its leader, except
    for monsters, thralls, and allies. An ally has the Hero or Ally runemark. If your group plays by other rules, ignore
    this check.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: the-unmade, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: fighter, name: Bran, faction: skaven, stats: {M: 5, T: 4, W: 9}, points: 60,
         weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha}
          - {fighter: Bran}  # WC133: 19

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: the-unmade, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: fighter, name: Bran, faction: skaven, runemarks: [ally], stats: {M: 5, T: 4, W: 9}, points: 60,
         weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha}
          - {fighter: Bran}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Fighter, Warband
from cardgen.rulesets.warcry.roster import resolve_roster
from cardgen.rulesets.warcry.runemarks import ALLIANCES

# Fighters with one of these runemarks may join a warband of another faction.
_WELCOME = {"hero", "ally", "monster", "thrall"}


@rule("WC133", "warning", "likely")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield fighters of another faction than the leader's that are of the same grand alliance but cannot be allies."""
    entries = resolve_roster(warband, context.scope).entries
    leader = next((entry.fighter for entry in entries if entry.fighter and entry.member.leader), None)
    for index, entry in enumerate(entries):
        if leader and entry.fighter and _is_stray(entry.fighter, leader):
            name_of = leader.settings.name_of
            message = (
                f"'{entry.fighter.name}' is of {name_of(entry.fighter.faction)}, but the leader is of "
                f"{name_of(leader.faction)}"
            )
            yield Finding(
                message, ("members", index, "fighter"), help="choose a fighter of the same faction, a Hero, or an Ally"
            )


def _is_stray(fighter: Fighter, leader: Fighter) -> bool:
    """Return whether a fighter is of another faction; a grand alliance does not count as one."""
    if fighter.faction == leader.faction or not ALLIANCES.keys().isdisjoint((fighter.faction, leader.faction)):
        return False
    return fighter.alliance == leader.alliance and _WELCOME.isdisjoint(fighter.runemarks)
