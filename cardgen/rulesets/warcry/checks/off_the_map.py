"""A deployment point or an objective beyond the edge of the battlefield, or two in one place.

Why is this bad?
    The card would draw it beside the map, or one sign over another.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [15, 25]}  # WC305: 12
    primary: {text: Hold it.}
    secondary: {text: Hold it longer.}
    twist: {text: It floods.}

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [15, 11]}
    primary: {text: Hold it.}
    secondary: {text: Hold it longer.}
    twist: {text: It floods.}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.cards import BattleMap

CODE, NAME = "WC305", "off-the-map"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = BattleMap


def find(field: BattleMap, context: CheckContext) -> Findings:
    """Spots outside of the battlefield, and those that lie where another one does."""
    seen: set[tuple[float, float]] = set()
    for key, spots in (("points", field.points), ("objectives", field.objectives)):
        for index, spot in enumerate(spots):
            x, y = spot.at
            if x > field.width or y > field.height:
                message = f"[{x:g}, {y:g}] lies outside of a battlefield of {field.width} by {field.height} inches"
                yield Finding(message, (key, index, "at"), help="x goes right, y goes down from the upper left corner")
            elif spot.at in seen:
                yield Finding(f"something else lies at [{x:g}, {y:g}]", (key, index, "at"), help="move one of them")
            seen.add(spot.at)
