"""A regiment that costs more than its hero can pay.

Why is this bad?
    A hero pays for the units of one regiment, with this hero's recruitment points alone. Points of another hero
    cannot be used.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Reed Pikes: 3}, Stilt Ox]}]}  # DW301: 64

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Reed Pikes: 3}]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW301", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the regiments whose units cost too much."""
    for muster in musters(army, context):
        if muster.is_led and muster.hero and muster.cost > muster.points:
            message = f"units cost {muster.cost}, but '{muster.hero.disk.name}' has {muster.points} recruitment points"
            yield Finding(message, ("regiments", muster.number, "units"), help=f"remove {muster.cost - muster.points}")
