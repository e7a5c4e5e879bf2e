"""A tab in a card file.

Why is this bad?
    YAML does not allow tabs in indentation, so a tab that is harmless today can break the file if the line moves.
    Editors also show tabs in different widths, and on the card a tab is printed as a single space.

Example
    kind: relic
    name: Sun Stone
    motto: "Warm␉to the touch."  # CG019: 13
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    motto: "Warm to the touch."
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, Fix
from cardgen.diagnostic import Severity
from cardgen.source import Document

CODE, NAME = "CG019", "tab"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Document


def find(document: Document, context: CheckContext) -> Iterator[Finding]:
    """Yield every tab of a file that could be parsed."""
    text = document.line_index.text
    at = text.find("\t")
    if at >= 0 and document.root is None:
        return
    while at >= 0:
        yield Finding(
            "tab character",
            help="replace it with spaces",
            place=document.line_index.place(at, at + 1),
            fix=Fix(" ", safe=True),
        )
        at = text.find("\t", at + 1)
