"""A file that starts with a byte-order mark.

Why is this bad?
    The mark is invisible, and UTF-8 does not need it. Some programs read it as part of the first key. Windows editors
    write it if you save a file as "UTF-8 with BOM".
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Fix, Place, Severity, Span
from cardgen.source import Document

CODE, NAME = "CG018", "byte-order-mark"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Document
# Columns are counted behind the mark.
_MARK = Span(1, 0, 1, 1)


def find(document: Document, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if the file has the mark."""
    if document.has_byte_order_mark:
        advice = "save the file as UTF-8 without a byte-order mark (BOM)"
        yield Finding(
            "file starts with a byte-order mark",
            help=advice,
            place=Place(document.file),
            fix=Fix("", safe=True, span=_MARK),
        )
