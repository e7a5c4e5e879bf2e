"""A weapon or power that heals and hurts the same target.

Why is this bad?
    A line that only heals takes no Test. With Penetration or Damage on it the healing needs two Tests to get through,
    and whoever is healed is hurt first.

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
from cardgen.rulesets.warniris.cards import Weapon

CODE, NAME = "WN305", "mixed-healing"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Penetration and Damage beside Healing."""
    if not weapon.healing:
        return
    for key in ("penetration", "damage"):
        if getattr(weapon, key):
            message = f"a healing line with {key.capitalize()} needs Tests, and hurts whom it heals"
            word = f"{key[0].upper()}{getattr(weapon, key)}"
            yield Finding(message, (key,), help="make two lines of it", word=word)
