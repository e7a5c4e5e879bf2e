"""A weapon that its bearer cannot use.

Why is this bad?
    A lance needs a horse, and two hand weapons need two feet on the ground. A warrior without Ballistic Skill hits
    nothing with a bow. The points for such a weapon are wasted, and the card promises something impossible.

Example
    game: skirmish
    kind: warrior
    defaults: {m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 15}
    cards:
      - {name: Ada, weapons: [Lance]}  # WS371: 27

Use instead
    game: skirmish
    kind: warrior
    defaults: {m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 15}
    cards:
      - {name: Ada, weapons: [Lance], mount: {name: Horse, m: 8, ws: 3, s: 3, i: 3, a: 1}}
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, finder_in_scope
from cardgen.rulesets.skirmish import WARRIOR, WEAPON

CODE, NAME = "WS371", "unusable-weapon"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = WARRIOR


def find(warrior: Any, context: CheckContext) -> Findings:
    """Yield a finding for each weapon that its bearer cannot use."""
    find_card = finder_in_scope(context.scope)
    for number, name in enumerate(warrior.weapons):
        weapon: Any = find_card(WEAPON, name)
        reason = weapon and _reason(weapon, warrior)
        if reason:
            yield Finding(f"'{weapon.name}' {reason}", ("weapons", number), help="choose another weapon")


def _reason(weapon: Any, warrior: Any) -> str:
    """Return why a warrior cannot use a weapon, or ''."""
    if "mounted-only" in weapon.rules and not warrior.mount:
        return "is for riders, and its bearer walks"
    if "foot-only" in weapon.rules and warrior.mount:
        return "is for warriors on foot, and its bearer rides"
    if weapon.range and not warrior.bs:
        return "is a missile weapon, and its bearer has no Ballistic Skill"
    if not weapon.range and not warrior.a:
        return "is for close combat, and its bearer has no Attacks"
    return ""
