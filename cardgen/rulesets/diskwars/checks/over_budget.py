"""A regiment that costs more than its hero can pay.

Why is this bad?
    A hero pays for the units of one regiment, with this hero's recruitment points alone. Points of another hero
    cannot be used.

Example
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 5, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [{Reed Pikes: 3}]  # DW301: 16

Use instead
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 5, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [{Reed Pikes: 2}]
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army
from cardgen.rulesets.diskwars.muster import musters


@rule("DW301", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the regiments whose units cost too much."""
    for muster in musters(army, context):
        if muster.is_led and muster.hero and muster.cost > muster.points:
            message = f"units cost {muster.cost}, but '{muster.hero.disk.name}' has {muster.points} recruitment points"
            yield Finding(message, ("regiments", muster.number, "units"), help=f"remove {muster.cost - muster.points}")
