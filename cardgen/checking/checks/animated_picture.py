"""An animated WebP or GIF picture.

Why is this bad?
    Only its first frame is printed, which may be blank or not the best one.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG508", "animated-picture"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the pictures that have several frames."""
    for picture in printed_card.pictures:
        if picture.is_animated:
            message = f"'{picture.file}' is animated; its first frame is printed"
            yield Finding(
                message,
                picture.route,
                help="save the frame that you want as PNG",
                place=picture.place,
                spot=picture.spot,
            )
