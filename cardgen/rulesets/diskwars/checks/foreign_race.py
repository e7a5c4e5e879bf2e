"""A regiment with a disk whose race is not its hero's.

Why is this bad?
    A hero recruits no disk of a race other than the hero's. The ruling `no-race` decides about disks without a race,
    and `hero-race` about heroes without one.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes, Hill Slingers]}]}  # DW304: 77

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule, such_as
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW304", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the units of a race that their hero cannot recruit."""
    nobody_takes, takes_any = context.rulings["no-race"] == "nobody", context.rulings["hero-race"] == "any"
    for muster in musters(army, context):
        if muster.hero is None:
            continue
        for unit in muster.units:
            race, ours = unit.disk.race, muster.hero.disk.race
            is_foreign = race != ours and not (takes_any and not ours)
            if is_foreign if race else nobody_takes:
                who = f"of the race {race}" if race else "without a race"
                message = f"'{unit.disk.name}' is {who}, which '{muster.hero.disk.name}' cannot recruit"
                others = context.scope.cards_of_type(type(unit.disk))
                suits = (each for each in others if (each.race, each.role) == (ours, "unit"))
                advice = f"take disks of the race {ours}{such_as(suits)}" if ours else "take another hero"
                yield Finding(message, unit.path, help=advice)
