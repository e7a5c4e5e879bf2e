"""An army without a unique hero.

Why is this bad?
    At least one of the heroes must be unique.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Reeve, units: [Reed Pikes]}]}  # DW306: 44

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW306", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield an army whose heroes are all known, and none of which is unique."""
    regiments = [*musters(army, context)]
    heroes = [muster.hero.disk for muster in regiments if muster.hero and muster.is_led]
    if len(heroes) == len(regiments) and not any(hero.mark == "unique" for hero in heroes):
        yield Finding("it has no unique hero", ("regiments",), help="let a unique hero lead one of the regiments")
