"""An effect that deals 0 damage, or moves a disk 0 flips.

Why is this bad?
    The amount of an effect is 0 unless it is written after the range, so the effect changes nothing.

Example
    game: diskwars
    kind: command
    name: Slag Rain
    strategy: bold
    activation: 2
    battle: Deal damage to an enemy within short range.
    battle_effects:
      - Slag: damage enemy short  # DW340: 11

Use instead
    game: diskwars
    kind: command
    name: Slag Rain
    strategy: bold
    activation: 2
    battle: Deal 2 damage to an enemy within short range.
    battle_effects:
      - Slag: damage enemy short 2
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.diskwars import EFFECT

CODE, NAME = "DW340", "missing-amount"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = EFFECT

_WHAT = {"damage": "damage", "move": "flips", "shift": "flips"}


def find(effect: Any, _: CheckContext) -> Findings:
    """Yield a finding if an effect needs an amount, and has none."""
    if effect.do in _WHAT and effect.amount == "0":
        what = _WHAT[effect.do]
        advice = f"write the {what} after the range: {effect.do} {effect.whom} {effect.within} 2"
        yield Finding(f"'{effect.do}' without an amount of {what}", ("do",), help=advice, word=effect.do)
