"""Two copies of a unique disk in one army.

Why is this bad?
    There is only one of them, so an army has at most one copy.

Example
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 3, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - {kind: disk, name: Old Tusk, disk: small, faction: order, race: Marshfolk, mark: unique, cost: 4, attack: 3,
         counter: 1, toughness: 4, movement: 4}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [Reed Pikes, {Old Tusk: 2}]  # DW305: 29

Use instead
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 3, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - {kind: disk, name: Old Tusk, disk: small, faction: order, race: Marshfolk, mark: unique, cost: 4, attack: 3,
         counter: 1, toughness: 4, movement: 4}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [Reed Pikes, Old Tusk]
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army
from cardgen.rulesets.diskwars.muster import musters


@rule("DW305", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the further copies of unique disks."""
    seen: set[str] = set()
    for muster in musters(army, context):
        for recruit in muster.everyone:
            if recruit.disk.mark != "unique":
                continue
            if recruit.copies > 1 or recruit.disk.id in seen:
                yield Finding(f"'{recruit.disk.name}' is unique", recruit.path, help="keep one copy")
            seen.add(recruit.disk.id)
