"""Text that is printed over another text.

Why is this bad?
    Neither can be read.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity
from cardgen.units import shorten

CODE, NAME = "CG563", "overlapping-text"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield each text that another one lies on."""
    for flaw in printed_card.flaws:
        if flaw.kind == "over":
            advice = "move one of them in the template, or give it a width that ends before the other"
            yield flaw.finding(f"is printed over '{shorten(flaw.other)}'", advice)
