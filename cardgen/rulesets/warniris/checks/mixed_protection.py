"""A weapon or power that protects and hurts the same target.

Why is this bad?
    A line that only heals or protects takes no Test, and may be used on friends and on oneself. With Penetration or
    Damage on it, it takes Tests, and its target must be an enemy: it is the enemy that is protected.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Ward, type: P, range: 8, penetration: 1, effects: [{for: turn, target: {body: +1}}]}  # WN316: 64

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Ward, type: P, range: 8, effects: [{for: turn, target: {body: +1}}]}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.effect import Weapon, only_protects

CODE, NAME = "WN316", "mixed-protection"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Effects that only aid the target, beside Penetration or Damage."""
    for index, effect in enumerate(weapon.effects):
        if effect.target and only_protects(effect) and (weapon.penetration or weapon.damage):
            key = "damage" if weapon.damage else "penetration"
            message = f"a line with {key.capitalize()} needs Tests, and hurts whom it protects"
            yield Finding(message, ("effects", index, "target"), help="make two lines of it", at_key=True)
