"""A weapon whose Range does not suit its runemark.

Why is this bad?
    A sword that reaches farther than anybody throws is a bow by its numbers, and a bow within 3 inches makes melee
    attacks. Either the Range or the shape is wrong.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Sabre: sword R6-20 A3 S4 D1/4  # WC306: 12

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Bow: ranged R1 A2 S3 D1/3  # WC306: 10

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Bow: ranged R6-20 A2 S3 D1/3
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.limits import MELEE_REACH, Weapon
from cardgen.rulesets.warcry.runemarks import SHAPES

# The farthest that somebody throws an axe or a spear, in inches.
THROW = 12
_MELEE_SHAPES = SHAPES.keys() - {"ranged", "blast"}


@rule("WC306", "warning", "likely")
def find(weapon: Weapon) -> Findings:
    """Yield a melee shape beyond a throw, or a bow within melee reach."""
    if weapon.shape in _MELEE_SHAPES and weapon.range > THROW:
        message = f"the shape '{weapon.shape}' does not suit a Range of {weapon.range} inches"
        yield Finding(message, ("shape",), help="did you mean 'ranged'?", word=weapon.shape)
    elif weapon.shape == "ranged" and weapon.min_range <= weapon.range <= MELEE_REACH:
        message = f"the shape 'ranged' does not suit a Range of {weapon.range}: the attacks are melee attacks"
        yield Finding(message, ("shape",), help=f"use a Range above {MELEE_REACH}, or another shape", word="ranged")
