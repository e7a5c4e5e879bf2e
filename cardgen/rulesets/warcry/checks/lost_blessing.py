"""A blessing for a weapon type that the fighter lacks.

Why is this bad?
    A blessing for a melee weapon does nothing for a fighter without one, and likewise for missile weapons. Its points
    are wasted.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Bow: ranged R3-15 A2 S3 D1/4}]}
      - {kind: blessing, name: Fury, points: {regular: 30, elite: 40}, changes: [{attacks: +2, weapon: one-melee}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, qty: 2}
          - {fighter: Asha, blessing: Fury, leader: true}  # WC126: 35

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Bow: ranged R3-15 A2 S3 D1/4}]}
      - {kind: blessing, name: Fury, points: {regular: 30, elite: 40}, changes: [{attacks: +2, weapon: one}]}
      - kind: warband
        name: The Few
        members:
          - {fighter: Asha, qty: 2}
          - {fighter: Asha, blessing: Fury, leader: true}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC126", "error", "certain")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield the blessings that apply to none of their fighter's weapons."""
    for index, entry in enumerate(resolve_roster(warband, context.scope).entries):
        if entry.fighter is None or entry.blessing is None:
            continue
        for change in entry.blessing.changes:
            sort = change.weapon.removeprefix("one-")
            if sort in ("melee", "missile") and not any(w.melee == (sort == "melee") for w in entry.fighter.weapons):
                message = f"'{entry.fighter.name}' has no {sort} weapon for '{entry.blessing.name}'"
                yield Finding(message, ("members", index, "blessing"), help="choose another blessing")
