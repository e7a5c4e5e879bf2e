"""A text that names a type of weapon which does not exist.

Why is this bad?
    There are combat weapons (CW), ranged weapons (RW) and powers (P). The rulebook's own mission 14 asks for an 'MW',
    and nobody can say what that is: the ruling `mission-14-type` decides it for that card only.

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
    """Two capitals that end like a weapon, and words of other games."""
    for match in _TYPE.finditer(free_text.text) if free_text.is_rules_text else ():
        if match[0].upper() not in WEAPON_TYPES and (len(match[0]) > 2 or match[0].isupper()):
            ruling = next(ruling for ruling in RULINGS if ruling.id == _RULING)
            quoted = f" (ruling {ruling.id}: {ruling.settings[ruling.default]})" if match[0] == "MW" else ""
            message = f"'{match[0]}' is no type of weapon"
            yield Finding(message, help=f"write CW, RW or Power{quoted}", text_range=match.span())
