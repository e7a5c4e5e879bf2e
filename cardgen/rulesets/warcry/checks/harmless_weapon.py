"""A weapon that never allocates damage points.

Why is this bad?
    An attack with it wastes an action, whatever the dice show.

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

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.limits import Weapon


@rule("WC304", "warning", "certain")
def find(weapon: Weapon) -> Findings:
    """Yield a finding if both Damage values are 0."""
    if not weapon.damage and not weapon.critical:
        yield Finding(
            "the weapon deals no damage", ("critical",), help="raise at least one of its Damage values", word="D0/0"
        )
