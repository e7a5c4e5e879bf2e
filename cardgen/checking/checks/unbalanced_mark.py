"""A mark of bold or italic type, or a brace, without its partner.

Why is this bad?
    It is printed as it stands, and what should be bold or an icon is not.

Example
    kind: relic
    name: Sun Stone
    text: "Its bearer is **bright to look at."  # CG202: 22

Use instead
    kind: relic
    name: Sun Stone
    text: "Its bearer is **bright** to look at."
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import CheckContext, FreeText
from cardgen.diagnostic import Severity
from cardgen.text.markup import find_unbalanced

CODE, NAME = "CG202", "unbalanced-mark"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """The marks that stand alone."""
    if "*" not in free_text.text and "{" not in free_text.text:
        return
    for at in find_unbalanced(free_text.text):
        mark = free_text.text[at]
        advice = f"write its partner, or \\{mark} to print it"
        yield Finding(f"'{mark}' stands alone", help=advice, text_range=(at, at + 1))
