"""A picture that is left out because the card needs its room for text.

Why is this bad?
    The rules on a card have priority: some templates have a layout for long texts, which leaves out the picture.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, PrintedCard
from cardgen.diagnostic import Severity

CODE, NAME = "CG509", "dropped-picture"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.CERTAIN
LOOKS_AT = PrintedCard


def find(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if a template that can print the card's picture has not."""
    entry = context.entry
    if entry is None or not entry.card.art or printed_card.has_drawings:
        return
    if any(picture.route[:1] == ("art",) for picture in printed_card.pictures):
        return
    if "<cg:art" in context.scope.services.template_source(entry):
        yield Finding("the picture does not fit", ("art",), help="shorten the card's text or the motto")
