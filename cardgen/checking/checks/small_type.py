"""Text that is printed smaller than 7 points.

Why is this bad?
    Players cannot read it across a table. A template that allows smaller type hides the fact that a card has too much
    text. All printed type on both sides of a card counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard, field_route
from cardgen.diagnostic import Severity
from cardgen.units import shorten

CODE, NAME = "CG505", "small-type"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard

MIN_POINTS = 7.0
_ROUNDING = 0.001


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts that are smaller than the minimum; one that both sides have is reported once."""
    small = [fit for fit in printed_card.fits if fit.size < MIN_POINTS - _ROUNDING]
    for fit in {(fit.field or fit.markup): fit for fit in sorted(small, key=lambda fit: -fit.size)}.values():
        # The size with at most two digits, never rounded up to the minimum.
        size = f"is printed at {floor(fit.size * 100 + _ROUNDING) / 100:g} pt, below {MIN_POINTS:g} pt"
        spot = printed_card.spot(fit)
        # Where there is room for larger type, the template sets the size, and not the text.
        is_set = not fit.field or fit.fill < (fit.size / MIN_POINTS) ** 2
        advice = "enlarge it in the template" if is_set else "shorten the text, or enlarge its box in the template"
        subject = f"'{fit.field.replace('/', '.')}'" if fit.field else f"the label '{shorten(fit.markup)}'"
        place = printed_card.place(fit) if is_set else None
        yield Finding(f"{subject} {size}", field_route(fit.field), help=advice, place=place, spot=spot)
