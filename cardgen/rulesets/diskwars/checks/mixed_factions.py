"""An army with disks of Order and of Destruction.

Why is this bad?
    Order and Destruction never fight side by side.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes, Bog Howlers]}]}  # DW303: 77

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule, such_as
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW303", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the first disk of another faction than the first disk."""
    everyone = [recruit for muster in musters(army, context) for recruit in muster.everyone]
    for recruit in everyone:
        if recruit.disk.faction != everyone[0].disk.faction:
            ours = everyone[0].disk.faction.capitalize()
            message = (
                f"'{recruit.disk.name}' belongs to {recruit.disk.faction.capitalize()}, but this army belongs to {ours}"
            )
            others = context.scope.cards_of_type(type(recruit.disk))
            first, role = everyone[0].disk, recruit.disk.role
            suits = (
                each for each in others if (each.faction, each.race, each.role) == (first.faction, first.race, role)
            )
            yield Finding(message, recruit.path, help=f"take a disk of {ours}{such_as(suits)}")
            return
