"""A picture file that does not exist or cannot be used.

Why is this bad?
    The card cannot be drawn, and builds fail. A path is relative to the folder of the card file or, if there is no such
    file, to the project folder. It must not lead out of the project. An SVG file must not contain anything that cardgen
    cannot draw, such as filters and text.

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

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.model.card import Art

CODE, NAME = "CG120", "missing-art"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Art
_ADVICE = "add the picture, or remove 'art' to get an emblem instead"


def find(art: Art, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if the picture file cannot be used."""
    if context.entry is None:
        return
    try:
        path = context.scope.services.find_art(context.entry, art.file)
        faults = context.scope.services.art_faults(path)
    except ValueError as error:
        yield Finding(str(error), ("file",), help=getattr(error, "help", _ADVICE))
        return
    for fault in faults:
        yield Finding(fault.message, ("file",), help=fault.help, place=fault.place)
