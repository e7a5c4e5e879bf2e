"""A warband with more heroes, monsters, or allies than it may have.

Why is this bad?
    Public notes on the core rules allow 3 heroes with the leader, 1 monster, and 2 allies: fighters of another faction
    with the Hero or Ally runemark. Where your group plays by other rules, ignore this.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: fighter, name: Bran, faction: chaos, stats: {M: 5, T: 4, W: 9}, points: 60,
         weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 3}  # WC131: 9
          - {fighter: Bran}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: fighter, name: Bran, faction: chaos, stats: {M: 5, T: 4, W: 9}, points: 60,
         weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}
          - {fighter: Bran}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Fighter, Warband
from cardgen.rulesets.warcry.roster import ROLE_LIMITS, resolve_roster

_PLURALS = {"hero": "heroes", "monster": "monsters", "ally": "allies"}


@rule("WC131", "warning", "likely")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield the member with which each role goes over its limit."""
    entries = resolve_roster(warband, context.scope).entries
    faction = next((entry.fighter.faction for entry in entries if entry.fighter and entry.member.leader), "")
    for role, limit in ROLE_LIMITS.items():
        counts = [entry.member.qty * _has_role(entry.fighter, role, faction) for entry in entries]
        total = sum(counts)
        if total > limit:
            index = next(i for i in range(len(counts)) if sum(counts[: i + 1]) > limit)
            message = f"{total} {_PLURALS[role]} are more than {limit}"
            yield Finding(message, ("members", index), help=f"take out {total - limit}")


def _has_role(fighter: Fighter | None, role: str, faction: str) -> bool:
    """Whether a fighter counts for a limit; an ally is a Hero or Ally of another faction than the leader's."""
    if fighter is None:
        return False
    if role != "ally":
        return role in fighter.runemarks
    is_hired = not {"hero", "ally"}.isdisjoint(fighter.runemarks)
    return bool(faction) and fighter.faction != faction and is_hired and "monster" not in fighter.runemarks
