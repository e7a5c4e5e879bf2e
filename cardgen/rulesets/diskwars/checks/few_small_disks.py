"""A regiment with more medium and large disks than small ones.

Why is this bad?
    A hero must recruit at least as many small disks as medium and large ones together. The hero does not count, and a
    unique disk counts once. Every copy of another disk counts, even copies beyond the number allowed.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Stilt Ox]}]}  # DW307: 64

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes, Stilt Ox]}]}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army, musters


@rule("DW307", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the regiments with too few small disks."""
    for muster in musters(army, context):
        others = muster.number_of("medium", "large") - muster.repeats("medium", "large")
        small = muster.number_of("small")
        if small < others and muster.is_complete:
            message = f"fewer small disks ({small}) than medium and large ones ({others})"
            missing = f"number of small disks to add: {others - small}"
            yield Finding(message, ("regiments", muster.number, "units"), help=missing)
