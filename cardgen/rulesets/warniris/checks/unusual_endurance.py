"""A Character that endures far more or fewer attacks than the others.

Why is this bad?
    Nobody can remove it in five turns, or it is gone before it acts. The figure is exact: how many attacks it takes on
    average until the last Wound is lost.
    They are made with the median numbers of the weapons and of the powers in play, each as often as there are of them.
    Effects count as the referee plays them, but for what can be used once a battle; neither Relics nor Wounds regained
    count.
    'Far' means outside Tukey's outer fences: three times the width of the middle half, on both sides of it; or three
    times half the median, where that is wider.

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
from cardgen.rulesets.warniris.cards import Character
from cardgen.rulesets.warniris.combat_benchmarks import endurance_outliers

CODE, NAME = "WN403", "unusual-endurance"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.GUESS
LOOKS_AT = Character


def find(character: Character, context: CheckContext) -> Findings:
    """A figure far outside those of all Characters in play, with its rank."""
    outlier = context.scope.compute_once(endurance_outliers).find(character.id)
    if outlier:
        message = f"it endures {float(outlier.figure):.1f} attacks on average, rank {outlier.rank} of {outlier.among}"
        advice = f"the figures in play go from {float(outlier.lowest):.2f} to {float(outlier.highest):.2f}"
        yield Finding(message, ("stats",), help=advice, at_key=True)
