"""Fixes for fixed limits, which are found while a file is read and know no fix themselves."""

from __future__ import annotations

from cardgen.check.finding import Fix
from cardgen.diagnostic import Diagnostic
from cardgen.source import Code
from cardgen.source.scalars import resolve_plain


def fix_for_diagnostic(diagnostic: Diagnostic) -> Fix | None:
    """How to mend what a file's reading complains about; None for what only its author can know.

    A text that YAML 1.1 and 1.2 read differently keeps what it is in YAML 1.2.
    """
    span, line = diagnostic.place.span, diagnostic.place.source_line
    if diagnostic.code != Code.AMBIGUOUS or span is None or span.line != span.end_line:
        return None
    text = line[span.column - 1 : span.end_column - 1]
    value = resolve_plain(text).value
    if isinstance(value, str):
        return Fix(f"'{text}'" if "'" not in text else f'"{text}"', safe=True)
    return Fix(f"{value:.15g}", safe=True) if isinstance(value, int | float) and not isinstance(value, bool) else None
