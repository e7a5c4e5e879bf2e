"""Buildings that overlap, or stand partly in water.

Why is this bad?
    Nobody can set up two buildings in one place. One that stands wholly on another, such as a tower on a keep, is fine,
    as is one on a bridge.

Example
    game: skirmish
    kind: scenario
    name: The Ford
    reason: Two patrols want the same ford.
    setup: The sides set up in turn.
    forces: [{side: attacker, name: Patrol}, {side: defender, name: Watch}]
    zones: [{West: "attacker 0,0 8x36"}, {East: "defender 40,0 8x36"}]
    terrain: [{Hut: "ruin 20,8 5x5"}, {Mill: "ruin 22,9 6x6"}, {A: "wall 9,9 1x6"}, {B: "wood 9,1 5x5"}]  # WS368: 35

Use instead
    game: skirmish
    kind: scenario
    name: The Ford
    reason: Two patrols want the same ford.
    setup: The sides set up in turn.
    forces: [{side: attacker, name: Patrol}, {side: defender, name: Watch}]
    zones: [{West: "attacker 0,0 8x36"}, {East: "defender 40,0 8x36"}]
    terrain: [{Hut: "ruin 20,8 5x5"}, {Mill: "ruin 26,9 6x6"}, {A: "hedge 9,9 1x6"}, {B: "wall 9,1 8x1"}]
"""

from itertools import combinations
from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Related, Severity
from cardgen.rulesets.skirmish import RULESET

CODE, NAME = "WS368", "overlapping-buildings"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = RULESET.kinds["scenario"].model

_BUILT, _WET = ("building", "ruin"), ("water",)


def find(scenario: Any, _: CheckContext) -> Findings:
    """Yield each building that overlaps an earlier one, or water, neither wholly on it nor around it."""
    for (first, one), (second, other) in combinations(enumerate(scenario.terrain), 2):
        kinds = {one.what, other.what}
        if not kinds.intersection(_BUILT) or not kinds.issubset((*_BUILT, *_WET)):
            continue
        width = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
        depth = min(one.top + one.depth, other.top + other.depth) - max(one.top, other.top)
        is_within = width * depth in (one.width * one.depth, other.width * other.depth)
        if width > 0 and depth > 0 and not is_within:
            message = f"'{other.name}' overlaps '{one.name}' by {width:g} by {depth:g} inches"
            related = (Related("the other one", ("terrain", first)),)
            yield Finding(message, ("terrain", second), "move them apart", related=related)
