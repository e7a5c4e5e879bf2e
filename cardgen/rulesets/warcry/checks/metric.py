"""A length in centimeters or millimeters.

Why is this bad?
    Warcry measures in inches, and players have rulers marked in inches.

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

import re

from cardgen.game import CM_PER_INCH, Confidence, FreeText, Severity, foreign_units

CODE, NAME = "WC201", "metric"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = FreeText

_METRIC = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*(mm|cm|centimet(?:re|er)s?|millimet(?:re|er)s?)\b", re.IGNORECASE)


def _to_inches(match: re.Match[str]) -> tuple[str, str]:
    cm = float(match[1]) / (10 if match[2][0] in "mM" else 1)
    return match[0], f'{max(1, round(cm / CM_PER_INCH))}"'


find = foreign_units(_METRIC, "lengths are in inches", _to_inches)
