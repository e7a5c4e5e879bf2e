"""Text that is behind something, and so is not seen.

Why is this bad?
    Players do not get what is written. What comes later in a template is painted over what comes before.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG561", "hidden-text"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts that make no difference to what is printed."""
    for flaw in printed_card.flaws:
        if flaw.kind == "hidden":
            yield flaw.finding("is hidden", "move it in the template to after what is painted over it")
