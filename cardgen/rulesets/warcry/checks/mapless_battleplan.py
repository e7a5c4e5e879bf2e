"""A mat that names a battleplan without a map.

Why is this bad?
    The mat would be an empty battlefield. Of the battleplans of the sample kit, only its own has a deployment map.

Example
    game: warcry
    cards:
      - {kind: mat, name: The Ford, battleplan: Hold the Ford}  # WC324: 45
      - kind: battleplan
        name: Hold the Ford
        primary: {text: Hold the objective.}
        secondary: {text: Hold it longer.}
        twist: {text: It floods.}

Use instead
    game: warcry
    cards:
      - {kind: mat, name: The Ford, battleplan: Hold the Ford}
      - kind: battleplan
        name: Hold the Ford
        map: {objectives: [{at: [15, 11]}]}
        primary: {text: Hold the objective.}
        secondary: {text: Hold it longer.}
        twist: {text: It floods.}
"""

from cardgen.game import CheckContext, Finding, Findings, finder_in_scope, rule
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.limits import ShownMap


@rule("WC324", "warning", "certain")
def find(mat: ShownMap, context: CheckContext) -> Findings:
    """Yield the battleplan without a map, unless the mat has one of its own."""
    plan = finder_in_scope(context.scope)(Battleplan, mat.battleplan)
    if plan is not None and plan.map is None and mat.map is None:
        message = f"the battleplan '{plan.name}' has no map"
        yield Finding(message, ("battleplan",), help="write the map as 'map' on the mat or on the battleplan")
