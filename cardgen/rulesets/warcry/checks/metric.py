"""A length in centimetres or millimetres.

Why is this bad?
    Warcry measures in inches; a ruler with centimetres is not on the table.

Example
    game: warcry
    kind: ability
    name: Shove
    price: double
    text: Pick an enemy within 8 cm and push it.  # WC201: 28

Use instead
    game: warcry
    kind: ability
    name: Shove
    price: double
    text: Pick an enemy within 3" and push it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.game import CheckContext, Confidence, Finding, Fix, FreeText, Severity

_METRIC = re.compile(r"(\d+(?:\.\d+)?)\s*(mm|cm|centimet(?:re|er)s?|millimet(?:re|er)s?)\b", re.IGNORECASE)
_CM_PER_INCH = 2.54

CODE, NAME = "WC201", "metric"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Numbers with a word for centimetres or millimetres behind them."""
    for match in _METRIC.finditer(free_text.text) if free_text.is_rules_text else ():
        cm = float(match[1]) / (10 if match[2][0] in "mM" else 1)
        length = f'{max(1, round(cm / _CM_PER_INCH))}"'
        advice = f"{match[0]} are about {length}"
        yield Finding("lengths are in inches", help=advice, text_range=match.span(), fix=Fix(length))
