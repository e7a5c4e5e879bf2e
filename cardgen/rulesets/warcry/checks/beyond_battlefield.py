"""A distance greater than the battlefield.

Why is this bad?
    A battlefield of 30 by 22 inches has no two places that are more than 37 inches apart, so the distance excludes
    nothing, or everything.

Example
    game: warcry
    kind: ability
    name: Roar
    price: quad
    text: Each enemy within 60" of this fighter is allocated 1 damage point.  # WC321: 25

Use instead
    game: warcry
    kind: ability
    name: Roar
    price: quad
    text: Each enemy within 6" of this fighter is allocated 1 damage point.
"""

import re
from math import floor, hypot

from cardgen.game import CheckContext, Finding, Findings, FreeText, rule
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.limits import BattleMap

_INCHES = re.compile(r'(?<![\d.])(\d+)(?:"|″|-inch\b| inch(?:es)?\b)')
_USUAL = BattleMap.model_construct()


@rule("WC321", "warning", "certain")
def find(free_text: FreeText, context: CheckContext) -> Findings:
    """Yield the distances that exceed the diagonal of the battlefield."""
    card = context.card
    field = (card.map if isinstance(card, Battleplan) else None) or _USUAL
    farthest = floor(hypot(field.width, field.height))
    for match in _INCHES.finditer(free_text.text) if free_text.is_rules_text else ():
        if int(match[1]) > farthest:
            message = f"no two places on the battlefield are {match[1]} inches apart"
            yield Finding(message, help=f"the diagonal is {farthest} inches", text_range=match.span())
