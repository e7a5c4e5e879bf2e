"""Two copies of a unique disk in one army.

Why is this bad?
    There is only one of them, so an army has at most one copy.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes, {Old Tusk: 2}]}]}  # DW305: 77

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes, Old Tusk]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW305", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the further copies of unique disks."""
    seen: set[str] = set()
    for muster in musters(army, context):
        for recruit in muster.everyone:
            if recruit.disk.mark != "unique":
                continue
            if recruit.copies > 1 or recruit.disk.id in seen:
                yield Finding(f"'{recruit.disk.name}' is unique", recruit.path, help="keep one copy")
            seen.add(recruit.disk.id)
