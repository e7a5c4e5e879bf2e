"""A large monster in a project without a scenario that hunts one.

Why is this bad?
    A monster is far stronger than the handful of warriors that it meets, so it belongs to a hunt: a scenario that is
    made for it.

Example
    game: skirmish
    cards:
      - {kind: warrior, name: Ada, m: 4, ws: 4, bs: 3, s: 3, t: 3, w: 1, i: 4, a: 1, ld: 8, points: 60, rank: hero}
      - {kind: warrior, name: Bog Troll, m: 6, ws: 3, bs: 1, s: 5, t: 4, w: 3, i: 1, a: 3, ld: 4, points: 50,
         rules: [Monster], rank: rare}
      - {kind: warband, name: The Mire, members: [Ada, Bog Troll], leader: Ada}  # WS374: 52

Use instead
    game: skirmish
    cards:
      - {kind: warrior, name: Ada, m: 4, ws: 4, bs: 3, s: 3, t: 3, w: 1, i: 4, a: 1, ld: 8, points: 60, rank: hero}
      - {kind: warrior, name: Bog Troll, m: 6, ws: 3, bs: 1, s: 5, t: 4, w: 3, i: 1, a: 3, ld: 4, points: 50,
         rules: [Monster], rank: rare}
      - {kind: warrior, name: Pike, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 10}
      - {kind: warband, name: The Mire, members: [Ada, {Pike: 5}], leader: Ada}
"""

from typing import Any

from cardgen.game import CheckContext, CheckScope, Confidence, Finding, Findings, Severity
from cardgen.rulesets.skirmish import RULESET

CODE, NAME = "WS374", "unhunted-monster"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.CERTAIN
LOOKS_AT = RULESET.kinds["warband"].model
_SCENARIO = RULESET.kinds["scenario"].model


def find(warband: Any, context: CheckContext) -> Findings:
    """Yield the members that are monsters, unless a scenario of the project hunts one."""
    if context.scope.compute_once(_is_any_hunted):
        return
    links = context.entry.links if context.entry else {}
    for number, member in enumerate(warband.members):
        link = links.get(("warrior", member.card))
        if link and "Monster" in getattr(link.card, "rules", ()):
            advice = "leave it out, or write a scenario with 'hunt: true'"
            yield Finding("a Monster, and no scenario hunts one", ("members", number), help=advice)


def _is_any_hunted(scope: CheckScope) -> bool:
    """Return whether a scenario of the project hunts a monster."""
    return any(scope.own.facts((_SCENARIO,), _hunts))


def _hunts(scenario: Any) -> bool:
    return bool(getattr(scenario, "hunt", False))
