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

from cardgen.check.finding import Confidence, Finding
from cardgen.check.prose import Prose
from cardgen.check.table import Scene
from cardgen.diagnostic import Severity
from cardgen.text.markup import unbalanced

CODE, NAME = "CG202", "unbalanced-mark"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Prose


def find(prose: Prose, scene: Scene) -> Iterator[Finding]:
    """The marks that stand alone."""
    if "*" not in prose.text and "{" not in prose.text:
        return
    for at in unbalanced(prose.text):
        mark = prose.text[at]
        advice = f"write its partner, or \\{mark} to print it"
        yield Finding(f"'{mark}' stands alone", help=advice, part=(at, at + 1))
