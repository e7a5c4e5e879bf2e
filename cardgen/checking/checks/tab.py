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

import re
from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Fix, Severity
from cardgen.source import Document
from cardgen.source.document import parse_document

CODE, NAME = "CG019", "tab"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Document
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def find(document: Document, context: CheckContext) -> Iterator[Finding]:
    """Yield every tab of a file that can be parsed, or could be with two spaces for each tab that indents."""
    text = document.line_index.text
    at = text.find("\t")
    if at < 0 or (document.root is None and parse_document(_indented(text), document.file).root is None):
        return
    while at >= 0:
        indents = not text[text.rfind("\n", 0, at) + 1 : at].strip()
        yield Finding(
            "tab character",
            help="replace it with spaces",
            place=document.line_index.place(at, at + 1),
            fix=Fix("  " if indents else " ", safe=True),
        )
        at = text.find("\t", at + 1)


def _indented(text: str) -> str:
    return _INDENTATION.sub(lambda match: match[0].replace("\t", "  "), text)
