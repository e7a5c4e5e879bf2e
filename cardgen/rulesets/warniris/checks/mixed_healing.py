"""A weapon or power that heals and hurts the same target.

Why is this bad?
    A weapon or power that only heals requires no Test. With Penetration or Damage, the healing requires two Tests, and
    the target is hurt before it is healed.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Balm, type: P, range: 8, penetration: 1, healing: 2}  # WN305: 50

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Balm, type: P, range: 8, healing: 2}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.effect import Weapon

CODE, NAME = "WN305", "mixed-healing"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Yield Penetration and Damage beside Healing."""
    if not weapon.healing:
        return
    for key in ("penetration", "damage"):
        if getattr(weapon, key):
            message = f"with {key.capitalize()}, healing requires Tests and hurts its target"
            word = f"{key[0].upper()}{getattr(weapon, key)}"
            yield Finding(message, (key,), help="split it into two lines", word=word)
