"""A command card of a faction without a hero in the army.

Why is this bad?
    Order Only and Destruction Only cards can be chosen only with a hero of that faction.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Howl]}  # DW312: 17

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Hold the Dyke]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, commands, musters


@rule("DW312", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the command cards that need a hero of another faction."""
    factions = {muster.hero.disk.faction for muster in musters(army, context) if muster.hero}
    for number, card in commands(army, context):
        if card.faction and factions and card.faction not in factions:
            message = f"'{card.name}' is {card.faction.capitalize()} Only"
            yield Finding(message, ("commands", number), help=f"it needs a hero of {card.faction.capitalize()}")
