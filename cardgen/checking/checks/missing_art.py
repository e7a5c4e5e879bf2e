"""A picture that is not there.

Why is this bad?
    The card cannot be drawn: a build stops at it.
    Paths are looked up beside the card's file first, then in the project's folder, and may not leave the project.

Example
    kind: relic
    name: Sun Stone
    art: pictures/sun.png  # CG120: 6
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    art: art/sun-stone.png
    effects: [{when: turn_start, bearer: {heal: 1}}]

Files
    art/sun-stone.png
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import CheckContext
from cardgen.diagnostic import Severity
from cardgen.model.card import Art

CODE, NAME = "CG120", "missing-art"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Art


def find(art: Art, context: CheckContext) -> Iterator[Finding]:
    """The file of a picture, where it cannot be used."""
    if context.entry is None:
        return
    try:
        context.scope.services.find_art(context.entry, art.file)
    except ValueError as error:
        yield Finding(str(error), ("file",), help="put the picture there, or leave 'art' out for an emblem")
