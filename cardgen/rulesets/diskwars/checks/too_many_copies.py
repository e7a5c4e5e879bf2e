"""Too many copies of a disk in one regiment.

Why is this bad?
    A regiment has at most 3 copies of a small disk, 2 of a medium one, and 1 of a large one. The whole army has at most
    one copy of a unique disk (`repeated-unique`).

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Reed Pikes: 4}]}]}  # DW308: 65

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [{Reed Pikes: 3}]}]}
"""

from collections import Counter

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import MOST_COPIES, Army, musters


@rule("DW308", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the disks with too many copies in a regiment."""
    counted = 1 if context.rulings["hero-counts"] == "counts" else 0
    for muster in musters(army, context):
        copies: Counter[str] = Counter()
        if muster.hero:
            copies[muster.hero.disk.id] += counted
        for unit in muster.units:
            copies[unit.disk.id] += unit.copies
            most = MOST_COPIES[unit.disk.disk]
            if copies[unit.disk.id] > most and unit.disk.mark != "unique":
                message = f"{copies[unit.disk.id]} copies of the {unit.disk.disk} disk '{unit.disk.name}'"
                yield Finding(message, unit.path, help=f"a regiment has at most {most}")
