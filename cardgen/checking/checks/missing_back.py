"""A picture for the back of a card that does not exist or cannot be used.

Why is this bad?
    The card cannot be drawn, and builds fail. A `back` that ends in .png, .jpg, .jpeg, .webp, .gif, or .svg is the path
    of a picture. As for `art`, cardgen looks beside the card's file, then in the project folder.

Example
    kind: relic
    name: Sun Stone
    back: art/bakc.png  # CG128: 7
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    back: art/back.png
    effects: [{when: turn_start, bearer: {heal: 1}}]

Files
    art/back.png
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.model.card import Card
from cardgen.project.project import is_picture

CODE, NAME = "CG128", "missing-back"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Card


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if the picture of the back cannot be used."""
    if not card.back or not is_picture(card.back) or context.entry is None:
        return
    try:
        path = context.scope.services.find_art(context.entry, card.back)
        faults = context.scope.services.art_faults(path)
    except ValueError as error:
        yield Finding(str(error), ("back",), help="add the picture, or remove 'back' to get the back of the kind")
        return
    for fault in faults:
        yield Finding(fault.message, ("back",), help=fault.help, place=fault.place)
