"""Text that is cut through, nearly cut, or folded.

Why is this bad?
    Cards are cut with a tolerance of about a millimeter, and print shops reject text near the cut. On a fold, the paper
    breaks, and the ink of the letters with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG562", "text-at-cut"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts at the edge of the card, and those on a fold."""
    for flaw in printed_card.flaws:
        if flaw.kind == "fold":
            yield flaw.finding("is on a fold", "move it in the template")
        elif flaw.kind == "cut":
            distance = f"ends {flaw.figure:.1f} mm from the cut" if flaw.figure >= 0 else "goes over the cut"
            yield flaw.finding(distance, f"move it in the template: keep {flaw.least:g} mm to the cut")
