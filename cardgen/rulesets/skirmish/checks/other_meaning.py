"""A special rule with the name of one of the game's rules, but a different text.

Why is this bad?
    The glossary explains the rule, and the referee plays it that way. A different text changes only what the players
    expect. A reminder that says the same is fine.

Example
    game: skirmish
    kind: warrior
    defaults: {m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5}
    cards:
      - {name: Ada, rules: [Killing Blow], special: {Killing Blow: Its hits hurt twice as much.}}  # WS376: 64

Use instead
    game: skirmish
    kind: warrior
    defaults: {m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5}
    cards:
      - {name: Ada, rules: [Headsman], special: {Headsman: Its hits hurt twice as much.}}
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.skirmish import RULESET, WARRIOR
from cardgen.rulesets.skirmish.wording import WARRIORS, claims_of

CODE, NAME = "WS376", "other-meaning"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = WARRIOR


def find(warrior: Any, _: CheckContext) -> Findings:
    """Yield the special rules that are terms of the glossary, and whose texts do not just say so."""
    means = {term.name: term.definition for term in RULESET.terms}
    for name, text in (warrior.special or {}).items():
        read = claims_of(WARRIORS, text)
        says_so = read.is_whole and any(("rules", name) in claim.meaning for claim in read.claims)
        if name in means and text != means[name] and not says_so:
            message = f"the game explains {name}, but this text says something different"
            yield Finding(message, ("special", name), "leave the text out, or give the rule a name of its own")
