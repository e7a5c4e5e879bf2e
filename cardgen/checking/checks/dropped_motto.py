"""A motto that is left out because the card has no room for it.

Why is this bad?
    If the rules on a card need its room, or if the motto is too long, the card is printed without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG507", "dropped-motto"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if a template that can print the motto has not."""
    entry = context.entry
    if entry is None or not entry.card.motto or any(fit.field == "motto" for fit in printed_card.fits):
        return
    if 'field="motto"' in context.scope.services.template_source(entry):
        yield Finding("the motto does not fit", ("motto",), help="shorten the card's text or the motto")
