"""A hand with more or fewer command cards than command values allow.

Why is this bad?
    Each hero brings as many command cards as the hero's command value. The ruling `hand` decides whether there is also
    a basic hand. An army without the key `commands` counts as a draft; `cardgen battle` reports it.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Hold the Dyke, Into the Reeds]}  # DW310: 16

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Hold the Dyke]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW310", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield an army with another number of command cards than its heroes bring."""
    heroes = [muster.hero for muster in musters(army, context)]
    allowed = sum(hero.disk.command or 0 for hero in heroes if hero)
    if "commands" not in army.model_fields_set or not all(heroes) or len(army.commands) == allowed:
        return
    if len(army.commands) < allowed or context.rulings["hand"] == "command":
        message = f"the command values of the heroes add up to {allowed}, not to {len(army.commands)}"
        yield Finding(message, ("commands",), help=f"choose {allowed}")
