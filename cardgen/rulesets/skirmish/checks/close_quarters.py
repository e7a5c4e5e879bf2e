"""Deployment zones of the two sides that overlap.

Why is this bad?
    Models cannot begin the game in contact with enemies.

Example
    game: skirmish
    kind: scenario
    name: The Ford
    reason: Two patrols want the same ford.
    setup: The sides set up in turn.
    forces: [{side: attacker, name: Patrol}, {side: defender, name: Watch}]
    zones: [{West: "attacker 0,0 20x36"}, {East: "defender 18,0 20x36"}]  # WS363: 39
    terrain: [{Wood: "wood 9,9 8x6"}, {Hedge: "hedge 10,20 1x6"}, {Hut: "ruin 30,8 5x5"}, {Wall: "wall 20,24 8x1"}]

Use instead
    game: skirmish
    kind: scenario
    name: The Ford
    reason: Two patrols want the same ford.
    setup: The sides set up in turn.
    forces: [{side: attacker, name: Patrol}, {side: defender, name: Watch}]
    zones: [{West: "attacker 0,0 8x36"}, {East: "defender 40,0 8x36"}]
    terrain: [{Wood: "wood 9,9 8x6"}, {Hedge: "hedge 10,20 1x6"}, {Hut: "ruin 30,8 5x5"}, {Wall: "wall 20,24 8x1"}]
"""

from itertools import combinations
from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Related, Severity
from cardgen.rulesets.skirmish import RULESET

CODE, NAME = "WS363", "close-quarters"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = RULESET.kinds["scenario"].model


def find(scenario: Any, _: CheckContext) -> Findings:
    """Yield each zone that overlaps an earlier one of the other side."""
    for (first, one), (second, other) in combinations(enumerate(scenario.zones), 2):
        is_beside = one.left + one.width <= other.left or other.left + other.width <= one.left
        is_above = one.top + one.depth <= other.top or other.top + other.depth <= one.top
        if one.side != other.side and not (is_beside or is_above):
            message = f"the zone '{other.name}' overlaps '{one.name}' of the other side"
            related = (Related("the other zone", ("zones", first)),)
            yield Finding(message, ("zones", second), "move them apart", related=related)
