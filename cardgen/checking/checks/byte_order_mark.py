"""A file that begins with a byte-order mark.

Why is this bad?
    The mark is invisible, UTF-8 does not need it, and some programs take it for a part of the first key, so that
    they find a card without a kind or a name.
    Editors on Windows write it when a file is saved as 'UTF-8 with BOM'.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import Confidence, Finding
from cardgen.checking.context import CheckContext
from cardgen.diagnostic import Place, Severity
from cardgen.source import Document

CODE, NAME = "CG018", "byte-order-mark"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Document


def find(document: Document, context: CheckContext) -> Iterator[Finding]:
    """The mark, if the file has one."""
    if document.has_byte_order_mark:
        advice = "save the file as UTF-8 without a byte-order mark (BOM)"
        yield Finding("the file begins with a byte-order mark", help=advice, place=Place(document.file))
