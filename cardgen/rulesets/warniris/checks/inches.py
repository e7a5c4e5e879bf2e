"""A length in inches.

Why is this bad?
    Warniris measures only in centimeters. A player who reads a length in inches needs a second tape measure, or
    mistakes the inches for centimeters.

Example
    kind: relic
    name: Sun Stone
    text: Its bearer is seen from 12 inches away.  # WN201: 31

Use instead
    kind: relic
    name: Sun Stone
    text: Its bearer is seen from 30 cm away.
"""

import re

from cardgen.game import CM_PER_INCH, Confidence, FreeText, Severity, foreign_units

CODE, NAME = "WN201", "inches"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = FreeText

_INCHES = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*(?:[\"”″]|''|-?inch(?:es)?\b|in\.)", re.IGNORECASE)


def _to_centimetres(match: re.Match[str]) -> tuple[str, str]:
    return f"{match[1]} inches", f"{float(match[1]) * CM_PER_INCH:.0f} cm"


find = foreign_units(_INCHES, "lengths are in centimeters", _to_centimetres)
