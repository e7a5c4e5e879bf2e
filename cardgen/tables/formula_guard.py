"""Texts in CSV files that spreadsheets would take for formulas.

A spreadsheet runs a text that begins with '=', '+', '-', or '@' as a formula, which may send data elsewhere. An
apostrophe before it prevents that. Apostrophes that are already there get one more, so that reading takes exactly one
away.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@]")
_GUARDED = re.compile(r"'+[=+\-@]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


def defuse(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    Numbers stay as they are.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def restore(text: str) -> str:
    """Return the text that `defuse` changed."""
    return text[1:] if _GUARDED.match(text) else text
