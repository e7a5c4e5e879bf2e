"""A bold or italic mark, or a brace, without its counterpart.

Why is this bad?
    The mark itself is printed, and the text is not bold or italic, or not an icon.

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

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity
from cardgen.text.lines import find_unbalanced

CODE, NAME = "CG202", "unbalanced-mark"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the marks without a counterpart."""
    if "*" not in free_text.text and "{" not in free_text.text:
        return
    for at in find_unbalanced(free_text.text):
        mark = free_text.text[at]
        advice = f"add the other mark, or write \\{mark} to print this one"
        if free_text.text.startswith("{{", at):
            advice = "write the words themselves: only the 'text' of a kind, layouts, and templates fill in fields"
        yield Finding(f"unbalanced '{mark}'", help=advice, text_range=(at, at + 1))
