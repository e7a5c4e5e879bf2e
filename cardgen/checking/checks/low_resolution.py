"""A picture with fewer than 200 pixels to an inch at its printed size.

Why is this bad?
    It looks sharp on a screen and soft or blocky on paper. Print shops ask for 300 dpi.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import CheckContext, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG506", "low-resolution"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard

MIN_DPI = 200


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """The pictures of the card that are too small for their box."""
    for picture in printed_card.pictures:
        if picture.dpi < MIN_DPI:
            message = f"{picture.file} has {picture.dpi:.0f} dpi at its printed size"
            advice = f"take a picture {MIN_DPI / picture.dpi:.1f} times as wide and high"
            yield Finding(message, picture.route, help=advice)
