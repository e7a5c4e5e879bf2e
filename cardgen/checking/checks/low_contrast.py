"""Text that hardly differs from what it is printed on.

Why is this bad?
    It cannot be read at arm's length, or by people with weak sight. The contrast is that of WCAG 2, measured on the
    drawn card: at least 4.5:1 for text below 14 points, and 3:1 above, and for icons.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG560", "low-contrast"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts with too little contrast, each with the worst of its parts."""
    for flaw in printed_card.flaws:
        if flaw.kind == "faint":
            ratio = floor(flaw.figure * 10) / 10  # never rounded up to what is needed
            how = "is behind text" if flaw.ground else "is printed"
            message = f"{how} with a contrast of {ratio:g}:1, below {flaw.least:g}:1"
            advice = "use another color of the theme for it ('fill', or its style), or put a plain ground behind it"
            if flaw.colour:
                advice = "make it darker or lighter in the theme"
            elif flaw.ground:
                advice = "make it darker or lighter in the theme, or use another color for the text"
            yield flaw.finding(message, advice)
