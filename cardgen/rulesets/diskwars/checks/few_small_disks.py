"""A regiment with more medium and large disks than small ones.

Why is this bad?
    A hero must recruit at least as many small disks as medium and large ones together. The hero does not count.

Example
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 3, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - {kind: disk, name: Stilt Ox, disk: large, faction: order, race: Marshfolk, cost: 4, attack: 4, counter: 3,
         toughness: 5, movement: 2}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [Stilt Ox]  # DW307: 16

Use instead
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 3, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - {kind: disk, name: Stilt Ox, disk: large, faction: order, race: Marshfolk, cost: 4, attack: 4, counter: 3,
         toughness: 5, movement: 2}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [Reed Pikes, Stilt Ox]
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army
from cardgen.rulesets.diskwars.muster import musters


@rule("DW307", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the regiments with too few small disks."""
    for muster in musters(army, context):
        small = sum(unit.copies for unit in muster.units if unit.disk.disk == "small")
        others = sum(unit.copies for unit in muster.units) - small
        if small < others:
            message = f"{small} small disks, but {others} medium and large ones"
            yield Finding(message, ("regiments", muster.number, "units"), help=f"add {others - small} small disks")
