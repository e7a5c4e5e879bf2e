"""A special rule that nobody explains.

Why is this bad?
    The players look the rule up in the glossary of the game, or on the card. If it is in neither, they have to guess.

Example
    game: skirmish
    kind: warrior
    defaults: {m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5}
    cards:
      - {name: Ada, rules: [Stubborn]}  # WS372: 25

Use instead
    game: skirmish
    kind: warrior
    defaults: {m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5}
    cards:
      - {name: Ada, rules: [Stubborn], special: {Stubborn: She takes no All Alone tests.}}
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, did_you_mean
from cardgen.rulesets.skirmish import RULESET, WARRIOR

CODE, NAME = "WS372", "unexplained-rule"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = WARRIOR


def find(warrior: Any, _: CheckContext) -> Findings:
    """Yield a finding for each rule that is neither a term of the glossary nor a special rule of the card."""
    known = {*(term.name for term in RULESET.terms), *(warrior.special or ())}
    for number, name in enumerate(warrior.rules):
        if name not in known:
            message = f"unknown special rule '{name}'{did_you_mean(name, known)}"
            yield Finding(message, ("rules", number), help=f"explain it: 'special: {{{name}: …}}'")
