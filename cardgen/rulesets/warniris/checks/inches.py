"""A length in inches.

Why is this bad?
    Warniris measures in centimetres only. An inch on a card sends a player for another tape measure, or is read as
    a centimetre.

Example
    kind: relic
    name: Sun Stone
    text: Its bearer is seen from 12 inches away.  # WN201: 31

Use instead
    kind: relic
    name: Sun Stone
    text: Its bearer is seen from 30 cm away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.game import CheckContext, Confidence, Finding, Fix, FreeText, Severity

CODE, NAME = "WN201", "inches"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = FreeText

_INCHES = re.compile(r"(\d+(?:\.\d+)?)\s*(?:[\"”″]|''|-?inch(?:es)?\b|in\.)", re.IGNORECASE)
_CM_PER_INCH = 2.54


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Numbers with a sign or a word for inches behind them."""
    for match in _INCHES.finditer(free_text.text) if free_text.is_rules_text else ():
        length = f"{float(match[1]) * _CM_PER_INCH:.0f} cm"
        advice = f"{match[1]} inches are about {length}"
        yield Finding("lengths are in centimetres", help=advice, text_range=match.span(), fix=Fix(length))
