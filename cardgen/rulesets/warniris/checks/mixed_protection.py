"""A weapon or power that protects and hurts the same target.

Why is this bad?
    A line that only heals or protects takes no Test and may be used on friends and on the Character itself. With
    Penetration or Damage, it takes Tests and its target must be an enemy, so it protects the enemy.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Ward, type: P, range: 8, penetration: 1, effects: [{for: turn, target: {body: +1}}]}  # WN316: 75

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
    """Yield effects that only aid the target of a line with Penetration or Damage."""
    for index, effect in enumerate(weapon.effects):
        if effect.target and only_protects(effect) and (weapon.penetration or weapon.damage):
            key = "damage" if weapon.damage else "penetration"
            message = f"a line with {key.capitalize()} takes Tests and hurts the target that it protects"
            yield Finding(message, ("effects", index, "target"), help="split it into two lines", at_key=True)
