"""A scenario that settles a ruling that does not exist, or gives an answer that it does not have.

Why is this bad?
    The scenario is played with the usual rules, because nobody can look the ruling up.

Example
    game: skirmish
    kind: scenario
    name: The Ford
    reason: Two patrols want the same ford.
    setup: The sides set up in turn.
    forces: [{side: attacker, name: Patrol}, {side: defender, name: Watch}]
    zones: [{West: "attacker 0,0 8x36"}, {East: "defender 40,0 8x36"}]
    terrain: [{Wood: "wood 9,9 8x6"}, {Hedge: "hedge 10,20 1x6"}, {Hut: "ruin 30,8 5x5"}, {Wall: "wall 20,24 8x1"}]
    switches:
      critical: thrice  # WS373: 13

Use instead
    game: skirmish
    kind: scenario
    name: The Ford
    reason: Two patrols want the same ford.
    setup: The sides set up in turn.
    forces: [{side: attacker, name: Patrol}, {side: defender, name: Watch}]
    zones: [{West: "attacker 0,0 8x36"}, {East: "defender 40,0 8x36"}]
    terrain: [{Wood: "wood 9,9 8x6"}, {Hedge: "hedge 10,20 1x6"}, {Hut: "ruin 30,8 5x5"}, {Wall: "wall 20,24 8x1"}]
    switches:
      critical: hits
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, did_you_mean
from cardgen.rulesets.skirmish import RULESET

CODE, NAME = "WS373", "unknown-switch"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = RULESET.kinds["scenario"].model


def find(scenario: Any, _: CheckContext) -> Findings:
    """Yield a finding for each unknown ruling or answer."""
    rulings = {ruling.id: ruling.settings for ruling in RULESET.rulings}
    for name, answer in (scenario.switches or {}).items():
        if name not in rulings:
            yield Finding(f"unknown ruling '{name}'{did_you_mean(name, rulings)}", ("switches", name))
        elif answer not in rulings[name]:
            message = f"unknown answer '{answer}' (one of {', '.join(rulings[name])})"
            yield Finding(message, ("switches", name))
