"""Penetration beyond what any defence in play can stand against.

Why is this bad?
    Body and Spirit are held within 1 to 5 once, after everything has been added and taken off (ruling `clamp-order`).
    So Penetration that takes even the strongest defence to 1 does all that Penetration can do; more is only a large
    number on the card.
    The strongest defence is worked out from the cards in play: attributes, abilities, friends, and the best Relic.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Awl, type: CW, range: 1, penetration: 9, damage: 1}  # WN301: 50

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Awl, type: CW, range: 1, penetration: 4, damage: 1}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import MIN_ATTRIBUTE, attribute_bounds
from cardgen.rulesets.warniris.cards import Weapon

CODE, NAME = "WN301", "wasted-penetration"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Penetration that goes beyond the strongest defence."""
    attribute = "spirit" if weapon.type == "P" else "body"
    strongest = context.scope.compute_once(attribute_bounds)[attribute].highest_possible
    useful = max(0, strongest - MIN_ATTRIBUTE)
    if weapon.penetration > useful:
        message = f"Penetration {weapon.penetration} does no more than Penetration {useful}"
        defence = f"{attribute.capitalize()} {strongest}"
        advice = f"the strongest defence in play is {defence}, and none goes below {MIN_ATTRIBUTE}"
        yield Finding(message, ("penetration",), help=advice, word=f"P{weapon.penetration}")
