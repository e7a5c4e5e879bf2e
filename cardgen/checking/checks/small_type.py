"""A rule that is printed in type smaller than 7 points.

Why is this bad?
    It cannot be read across a table. A template that allows for smaller type hides that a card says too much.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import CheckContext, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG505", "small-type"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard

MIN_POINTS = 7.0


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """The texts of the card that went below the floor."""
    for fit in printed_card.fits:
        if fit.field and fit.size < MIN_POINTS:
            route = tuple(int(step) if step.isdigit() else step for step in fit.field.split("/"))
            message = f"'{fit.field.replace('/', '.')}' is set at {fit.size:g} pt, under {MIN_POINTS:g} pt"
            yield Finding(message, route, help="shorten it, or give its box more room in the template")
