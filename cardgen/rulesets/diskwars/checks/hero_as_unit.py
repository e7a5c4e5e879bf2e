"""A regiment without a hero, or with another hero among its units.

Why is this bad?
    A hero leads each regiment, and recruits only units. A second hero needs a second regiment.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Reed Pikes, units: [Reed Pikes]}]}  # DW302: 52

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule, such_as
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW302", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield heroes among units, and units that lead."""
    for muster in musters(army, context):
        if muster.hero and muster.hero.disk.role != "hero":
            disk = muster.hero.disk
            others = context.scope.cards_of_type(type(disk))
            suits = (
                each for each in others if (each.role, each.faction, each.race) == ("hero", disk.faction, disk.race)
            )
            advice = f"use a disk with 'role: hero'{such_as(suits)}"
            yield Finding(f"'{disk.name}' is not a hero", muster.hero.path, help=advice)
        for unit in muster.units:
            if unit.disk.role == "hero":
                yield Finding(f"'{unit.disk.name}' is a hero", unit.path, help="give each hero a regiment")
