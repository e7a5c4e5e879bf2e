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
from itertools import islice

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Fix, Severity
from cardgen.source import Document
from cardgen.source.document import parse_document

CODE, NAME = "CG019", "tab"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Document
# The spaces and tabs at the start of a line, or tabs within it.
_SPACES, _TABS = re.compile(r"^(?P<indentation>[ \t]+)|\t+", re.MULTILINE), re.compile(r"\t+")
# A file of tabs is not worth a minute; those that are left are found when these are replaced.
_MOST = 1000
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def find(document: Document, context: CheckContext) -> Iterator[Finding]:
    """Yield the runs of tabs of a file that can be parsed, or could be with two spaces for each tab that indents."""
    text = document.line_index.text
    at = text.find("\t")
    if at < 0 or (document.root is None and parse_document(_indented(text), document.file).root is None):
        return
    runs = ((spaces, tabs) for spaces in _SPACES.finditer(text) for tabs in _TABS.finditer(spaces[0]))
    for spaces, tabs in islice(runs, _MOST):
        start = spaces.start() + tabs.start()
        yield Finding(
            "tab character",
            help="replace it with spaces",
            place=document.line_index.place(start, start + len(tabs[0])),
            fix=Fix(("  " if spaces["indentation"] else " ") * len(tabs[0]), safe=True),
        )


def _indented(text: str) -> str:
    return _INDENTATION.sub(lambda match: match[0].replace("\t", "  "), text)
