"""A command card that a hand contains twice.

Why is this bad?
    No title may be in a hand twice.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Hold the Dyke, Hold the Dyke]}  # DW310: 16, DW311: 32

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Hold the Dyke]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, commands


@rule("DW311", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the command cards that are in the hand already."""
    seen: set[str] = set()
    for number, card in commands(army, context):
        if card.name in seen:
            yield Finding(f"duplicate title '{card.name}'", ("commands", number), help="choose another command card")
        seen.add(card.name)
