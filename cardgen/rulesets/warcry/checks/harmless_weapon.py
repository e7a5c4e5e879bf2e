"""A weapon that allocates no damage points, whatever its dice show.

Why is this bad?
    An attack with it is an action thrown away.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Feather: club R1 A3 S4 D0/0  # WC304: 28

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Feather: club R1 A3 S4 D0/1
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.weapon import Weapon

CODE, NAME = "WC304", "harmless-weapon"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """A Damage of nothing at all."""
    if not weapon.damage and not weapon.critical:
        yield Finding("the weapon does no damage", ("critical",), help="give it a Damage", word="D0/0")
