"""A Character that endures an unusual number of attacks.

Why is this bad?
    No opponent can eliminate it in five turns, or it is eliminated before it acts. The figure is exact: the mean number
    of attacks that it takes to remove the last Wound.
    The attacks use the median values of the weapons in play and of the powers in play, weighted by how many there are
    of each.
    Effects count as the referee plays them, except those that can be used only once a battle. Relics and regained
    Wounds do not count.
    'Unusual' means outside Tukey's outer fences: more than three times the interquartile range beyond the quartiles, or
    three times half the median if that is wider.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 5, S: 3, W: 25, Mo: 10}  # WN403: 1
    weapons:
      - {name: Maul, type: CW, range: 1, penetration: 2, damage: 1}

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Maul, type: CW, range: 1, penetration: 2, damage: 1}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import endurance_outliers
from cardgen.rulesets.warniris.cards import Character

CODE, NAME = "WN403", "unusual-endurance"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.GUESS
LOOKS_AT = Character


def find(character: Character, context: CheckContext) -> Findings:
    """Yield a figure far outside those of all Characters in play, with its rank."""
    outlier = context.scope.compute_once(endurance_outliers).find(character.id)
    if outlier:
        message = f"it endures {float(outlier.figure):.1f} attacks on average, rank {outlier.rank} of {outlier.among}"
        advice = f"the figures in play range from {float(outlier.lowest):.2f} to {float(outlier.highest):.2f}"
        yield Finding(message, ("stats",), help=advice, at_key=True)
