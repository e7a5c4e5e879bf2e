"""A picture with fewer than 200 pixels per inch at its printed size.

Why is this bad?
    The picture looks sharp on a screen, but blurred or blocky on paper. Print shops ask for 300 dpi.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG506", "low-resolution"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard

MIN_DPI = 200


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the pictures that have too few pixels for their box."""
    for picture in printed_card.pictures:
        if picture.dpi < MIN_DPI:
            message = f"'{picture.file}' has only {picture.dpi:.0f} dpi at its printed size"
            advice = f"use a picture that is at least {MIN_DPI / picture.dpi:.1f} times as wide and as high"
            yield Finding(message, picture.route, help=advice, place=picture.place, spot=picture.spot)
