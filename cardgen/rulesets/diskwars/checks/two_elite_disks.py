"""A regiment with more than one elite disk.

Why is this bad?
    A regiment has at most one elite disk. The ruling `hero-counts` decides whether the hero counts.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Mudguard: 2}]}]}  # DW309: 65

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Mudguard]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW309", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the elite disks after the first one of a regiment."""
    hero_counts = context.rulings["hero-counts"] == "counts"
    for muster in musters(army, context):
        elite = 0
        for recruit in muster.everyone if hero_counts else muster.units:
            elite += recruit.copies if recruit.disk.mark == "elite" else 0
            if recruit.disk.mark == "elite" and elite > 1:
                yield Finding(f"{elite} elite disks in one regiment", recruit.path, help="keep one of them")
                break
