"""A regiment that costs more than its hero can pay.

Why is this bad?
    A hero pays for the units of one regiment, using only this hero's own recruitment points.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Reed Pikes: 3}, Stilt Ox]}]}  # DW301: 64

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Reed Pikes: 3}]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, cheapest_way_back, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW301", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the regiments whose units cost too much."""
    for muster in musters(army, context):
        cost = sum(unit.copies * (unit.disk.cost or 0) for unit in muster.units)
        if (
            muster.is_led
            and muster.is_complete
            and muster.hero
            and cost > (points := muster.hero.disk.recruitment or cost)
        ):
            message = f"units cost {cost}, but '{muster.hero.disk.name}' has {points} recruitment points"
            costs = [(unit.disk.name, unit.disk.cost or 0, unit.copies) for unit in muster.units]
            advice = cheapest_way_back(costs, cost - points)
            yield Finding(message, ("regiments", muster.number, "units"), help=advice)
