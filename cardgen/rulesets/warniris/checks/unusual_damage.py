"""A Character whose best attack deals unusually high or low Damage.

Why is this bad?
    It decides games by itself, or contributes nothing to them. The figure is exact: the mean Damage of the best weapon,
    at its full Range, to a target with the median Body and Spirit of all cards in play.
    Effects count as the referee plays them, except those that can be used only once a battle. Relics do not count.
    'Unusual' means outside Tukey's outer fences: more than three times the interquartile range beyond the quartiles, or
    three times half the median if that is wider.

Example
    kind: character
    name: Asha
    stats: {M: 5, B: 3, S: 3, W: 5, Mo: 10}
    weapons:  # WN402: 1
      - {name: Maul, type: CW, range: 1, penetration: 2, damage: 12}

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Maul, type: CW, range: 1, penetration: 2, damage: 2}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import damage_outliers, median_target
from cardgen.rulesets.warniris.cards import Character

CODE, NAME = "WN402", "unusual-damage"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.GUESS
LOOKS_AT = Character


def find(character: Character, context: CheckContext) -> Findings:
    """Yield a figure far outside those of all Characters in play, with its rank."""
    outlier = context.scope.compute_once(damage_outliers).find(character.id)
    if outlier:
        target = context.scope.compute_once(median_target)
        message = (
            f"the best attack deals {float(outlier.figure):.2f} Damage on average to Body {target.body} and Spirit "
            f"{target.spirit}, rank {outlier.rank} of {outlier.among}"
        )
        advice = f"the figures in play range from {float(outlier.lowest):.2f} to {float(outlier.highest):.2f}"
        yield Finding(message, ("weapons",), help=advice, at_key=True)
