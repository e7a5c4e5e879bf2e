"""A rule that uses its value but costs no ability dice.

Why is this bad?
    The value of an ability is the number shown by its double, triple, or quad. Reactions, actions, and free abilities
    use no dice, so they have no value.

Example
    game: warcry
    kind: ability
    name: Second Wind
    price: reaction
    changes:
      - {reacts: {event: resolved, attack: melee}}
      - {heal: value}  # WC303: 12

Example
    game: warcry
    kind: ability
    name: Second Wind
    price: action
    text: Remove damage points equal to the value of this ability.  # WC303: 41

Use instead
    game: warcry
    kind: ability
    name: Second Wind
    price: double
    changes:
      - {heal: value}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule

_WORDS = "value of this ability"


@rule("WC303", "error", "certain")
def find(ability: Ability | Rule) -> Findings:
    """Yield the changes and the text that use a missing value."""
    if ability.price is None or ability.price in DICE:
        return
    message = f"price '{ability.price}' uses no dice, so the ability has no value"
    advice = "set the price to double, triple, or quad, or write a number instead of the value"
    for index, change in enumerate(ability.changes):
        for key in ("heal", "bonus_move", "deal", "roll", "times"):
            if "value" in str(getattr(change, key)):
                yield Finding(message, ("changes", index, key), help=advice)
    at = (ability.text or "").casefold().find(_WORDS)
    if at >= 0:
        yield Finding(message, ("text",), help=advice, text_range=(at, at + len(_WORDS)))
