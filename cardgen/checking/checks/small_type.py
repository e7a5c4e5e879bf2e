"""Text that is printed smaller than 7 points.

Why is this bad?
    Players cannot read it across a table. A template that allows smaller type hides the fact that a card has too much
    text.
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
    """Yield the texts that are smaller than the minimum."""
    for fit in printed_card.fits:
        if fit.field and fit.size < MIN_POINTS:
            route = tuple(int(step) if step.isdigit() else step for step in fit.field.split("/"))
            message = f"'{fit.field.replace('/', '.')}' is printed at {fit.size:g} pt, below {MIN_POINTS:g} pt"
            yield Finding(message, route, help="shorten the text, or enlarge its box in the template")
