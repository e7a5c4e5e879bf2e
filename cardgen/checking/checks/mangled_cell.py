"""A cell that a spreadsheet or a wrong encoding has probably changed.

Why is this bad?
    The card prints a value that nobody entered. Spreadsheets replace what looks like a number or a date: `007` becomes
    7, and `3/4` the third of April. A file in the wrong encoding shows `Ã‰lan` for `Élan`.
    Format the column as text before you enter such values, and save CSV files as UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.tables.table import TableDocument

CODE, NAME = "CG140", "mangled-cell"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = TableDocument


def find(document: TableDocument, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding for each odd cell of a table."""
    for oddity in document.oddities:
        yield Finding(oddity.message, help=oddity.help, place=oddity.place)
