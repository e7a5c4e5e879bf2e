"""A text that names an unknown weapon type.

Why is this bad?
    The only types are combat weapons (CW), ranged weapons (RW), and powers (P). The rulebook's own mission 14 mentions
    an 'MW' without explaining it; the ruling `mission-14-type` decides what it means on that card only.

Example
    kind: mission
    name: Ambush
    vp: 3
    text: Attack an enemy from cover with an MW.  # WN202: 42

Use instead
    kind: mission
    name: Ambush
    vp: 3
    text: Attack an enemy from cover with a CW or an RW.
"""

import re

from cardgen.game import CheckContext, Confidence, Finding, Findings, FreeText, Severity
from cardgen.rulesets.warniris.rulebook import RULINGS
from cardgen.rulesets.warniris.weapon_line import WEAPON_TYPES

CODE, NAME = "WN202", "unknown-weapon-type"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = FreeText

_TYPE = re.compile(r"\b(?:[A-Z]W|(?:melee|missile|magic|heavy|mounted)[ -]weapons?)\b", re.IGNORECASE)
_RULING = "mission-14-type"


def find(free_text: FreeText, context: CheckContext) -> Findings:
    """Yield abbreviations that end in W, and weapon terms of other games."""
    for match in _TYPE.finditer(free_text.text) if free_text.is_rules_text else ():
        if match[0].upper() not in WEAPON_TYPES and (len(match[0]) > 2 or match[0].isupper()):
            ruling = next(ruling for ruling in RULINGS if ruling.id == _RULING)
            quoted = f" (ruling {ruling.id}: {ruling.settings[ruling.default]})" if match[0] == "MW" else ""
            message = f"unknown weapon type '{match[0]}'"
            yield Finding(message, help=f"write CW, RW or Power{quoted}", text_range=match.span())
