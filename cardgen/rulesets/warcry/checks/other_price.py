"""A text with another price than that of its card.

Why is this bad?
    The card shows its price as an icon, and the referee charges that one. Players would not know which of the two
    counts. An ability with two prices is two abilities.

Example
    game: warcry
    kind: ability
    name: Mend
    price: double
    text: "Triple: remove 3 damage points from this fighter."  # WC330: 8

Example
    game: warcry
    kind: ability
    name: Mend
    price: double
    text: "Remove 3 damage points from this fighter. Quad: remove 6 damage points from it."  # WC330: 50

Use instead
    game: warcry
    kind: ability
    name: Mend
    price: triple
    text: Remove 3 damage points from this fighter.
"""

import re

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule

_NAMES = "|".join((*DICE, "reaction"))
# A price before a sentence, such as '[Double]', '{triple}', or 'QUAD:', or one that is spent or paid.
_PRICE = re.compile(
    rf"(?:^|[.!?]\s)\s*\**(?P<before>[\[{{](?:{_NAMES})[\]}}]|(?:{_NAMES})(?=\**\s?[-:\u2013\u2014]))"
    rf"|\b(?:costs?|spends?|pays?)\s+(?P<spent>an?\s+(?:{'|'.join(DICE)}))\b",
    re.IGNORECASE,
)


@rule("WC330", "warning", "likely")
def find(card: Ability | Rule) -> Findings:
    """Yield the prices in the text that are not that of the card."""
    for match in _PRICE.finditer(card.text or "") if card.price else ():
        group = "before" if match["before"] else "spent"
        word = match[group].split()[-1].strip("[]{}").casefold()
        if word != card.price:
            message = f"the text has the price '{word}', the card the price '{card.price}'"
            advice = "remove it, or change the price of the card; write a card of its own for a second price"
            yield Finding(message, ("text",), advice, match.span(group))
