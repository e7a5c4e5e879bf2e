"""A weapon or power without any result.

Why is this bad?
    A hit with it changes nothing on the table, because it has no Damage, no Healing, and no effects.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Stare, type: P, range: 10, penetration: 2}  # WN315: 5

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Stare, type: P, range: 10, penetration: 2, effects: [{when: hit, for: turn, target: {mind: -1}}]}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.effect import Weapon

CODE, NAME = "WN315", "idle-weapon"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Yield a weapon without Damage, Healing, effects, or text."""
    if not (weapon.damage or weapon.healing or weapon.effects or weapon.text):
        yield Finding(f"'{weapon.name}' does nothing", help="give it Damage, Healing, an effect, or a text")
