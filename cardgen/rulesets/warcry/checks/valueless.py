"""An ability without dice that speaks of its value.

Why is this bad?
    The value of an ability is the number that its double, triple or quad shows. A reaction, an action and what is free
    have no dice, and so no value.

Example
    game: warcry
    kind: ability
    name: Second Wind
    price: reaction
    changes:
      - {heal: value}  # WC303: 12

Example
    game: warcry
    kind: ability
    name: Second Wind
    price: action
    text: Remove damage points, as many as the value of this ability.  # WC303: 44

Use instead
    game: warcry
    kind: ability
    name: Second Wind
    price: double
    changes:
      - {heal: value}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule

_WORDS = "value of this ability"

CODE, NAME = "WC303", "valueless"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = (Ability, Rule)


def find(ability: Ability | Rule, context: CheckContext) -> Findings:
    """What counts with a value that is not there."""
    if ability.price is None or ability.price in DICE:
        return
    message = f"a {ability.price} costs no dice, and so has no value"
    advice = "give it a price of dice, or a number instead of the value"
    for index, change in enumerate(ability.changes):
        for key in ("heal", "bonus_move"):
            if getattr(change, key) == "value":
                yield Finding(message, ("changes", index, key), help=advice)
    at = (ability.text or "").casefold().find(_WORDS)
    if at >= 0:
        yield Finding(message, ("text",), help=advice, text_range=(at, at + len(_WORDS)))
