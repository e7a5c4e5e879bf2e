"""A card size that does not exist.

Why is this bad?
    The card cannot be drawn, and builds fail.

Example
    kind: relic
    name: Sun Stone
    size: pokker  # CG122: 7
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    size: poker
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity, did_you_mean
from cardgen.model.card import Card
from cardgen.units import CARD_SIZES, parse_size

CODE, NAME = "CG122", "unknown-size"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Card


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if the card sets an unknown size."""
    if card.size is None:
        return
    try:
        parse_size(card.size, CARD_SIZES)
    except ValueError:
        message = f"unknown card size '{card.size}'{did_you_mean(card.size, CARD_SIZES)}"
        yield Finding(message, ("size",), help=f"write one of {', '.join(CARD_SIZES)}, or a size such as 70mm x 120mm")
