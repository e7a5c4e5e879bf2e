"""Penetration beyond the strongest defense in play.

Why is this bad?
    Body and Spirit are never below 1. Penetration that reduces the strongest defense to 1 does all that Penetration can
    do. More has no effect.
    The strongest defense is calculated from the cards in play: attributes, abilities, friends, and the best Relic. It
    can exceed 5, because under one setting of the ruling `clamp-order` bonuses beyond 5 make up for Penetration. Under
    the setting `before`, it cannot, and Penetration is useful until it makes the Test impossible.

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
from cardgen.rulesets.warniris.attribute_bounds import attribute_bounds
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.limits import MAX_ATTRIBUTE, MIN_ATTRIBUTE

CODE, NAME = "WN301", "wasted-penetration"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Weapon


def find(weapon: Weapon, context: CheckContext) -> Findings:
    """Yield Penetration beyond the strongest defense."""
    attribute = "spirit" if weapon.type == "P" else "body"
    strongest = context.scope.compute_once(attribute_bounds)[attribute].highest_possible
    order = context.rulings.get("clamp-order", "")
    useful = useful_penetration(strongest, order)
    if weapon.penetration > useful:
        message = f"Penetration {weapon.penetration} does no more than Penetration {useful}"
        advice = f"the strongest defense in play is {attribute.capitalize()} {strongest}, and {_limit_words(order)}"
        yield Finding(message, ("penetration",), help=advice, word=f"P{weapon.penetration}")


def useful_penetration(strongest: int, clamp_order: str) -> int:
    """Return the highest Penetration that does more than less of it, by the setting of `clamp-order`.

    Under 'twice', it is higher than necessary if the strongest defense exceeds 5: cards are shared between groups.
    """
    if clamp_order == "before":
        return min(strongest, MAX_ATTRIBUTE)
    return max(0, strongest - MIN_ATTRIBUTE)


def _limit_words(clamp_order: str) -> str:
    if clamp_order == "before":
        return f"attributes never exceed {MAX_ATTRIBUTE} before Penetration"
    return f"attributes never go below {MIN_ATTRIBUTE}"
