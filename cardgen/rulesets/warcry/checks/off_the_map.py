"""A deployment point or objective off the battlefield or on another one.

Why is this bad?
    The card would draw it outside the map, or draw one symbol over another.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [15, 25]}  # WC305: 12
    primary: {text: Hold the objective.}
    secondary: {text: Hold it longer.}
    twist: {text: It floods.}

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [15, 11]}
    primary: {text: Hold the objective.}
    secondary: {text: Hold it longer.}
    twist: {text: It floods.}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.limits import BattleMap


@rule("WC305", "error", "certain")
def find(field: BattleMap) -> Findings:
    """Yield the spots off the battlefield or on another spot."""
    seen: set[tuple[float, float]] = set()
    for key, spots in (("points", field.points), ("objectives", field.objectives)):
        for index, spot in enumerate(spots):
            x, y = spot.at
            if x > field.width or y > field.height:
                message = f"[{x:g}, {y:g}] is outside the battlefield of {field.width} by {field.height} inches"
                yield Finding(
                    message, (key, index, "at"), help="measure x to the right and y down from the upper left corner"
                )
            elif spot.at in seen:
                yield Finding(f"[{x:g}, {y:g}] is already taken", (key, index, "at"), help="move one of them")
            seen.add(spot.at)
