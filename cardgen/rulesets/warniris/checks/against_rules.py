"""A text that the rules of the game forbid.

Why is this bad?
    Nobody can play it: attributes range from 1 to 5, a battle has five turns, Minions neither React nor carry Relics,
    a miniature Reacts once a turn, or twice if an effect says so, healing never raises Wounds above the printed
    number, and the table measures 73 cm from corner to corner.

Example
    kind: relic
    name: Sun Stone
    text: The bearer has +2 Mind, to a maximum of 6.  # WN317: 36

Use instead
    kind: relic
    name: Sun Stone
    text: The bearer has +2 Mind, to a maximum of 5.
"""

import re

from cardgen.game import CheckContext, Confidence, Finding, Findings, FreeText, Severity

CODE, NAME = "WN317", "against-rules"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = FreeText

_ATTRIBUTE = re.compile(r"\b(?:Mind|Body|Spirit)\b", re.IGNORECASE)
_ADVICE = {
    "attribute": ("no attribute is above 5", "Mind, Body, and Spirit range from 1 to 5"),
    "turn": ("the battle has five turns", "choose a turn from 1 to 5"),
    "minion": ("Minions never React, and carry no Relics", "write it for a Character"),
    "reactions": ("a miniature Reacts once a turn, or once more", "allow no more than two Reactions a turn"),
    "healing": ("healing never raises Wounds above the printed number", "remove this"),
    "distance": ("the table's diagonal is 73 cm", "choose a distance up to 73 cm"),
    "floor": ("no attribute is below 1", "Mind, Body, and Spirit range from 1 to 5"),
}


def find(free_text: FreeText, context: CheckContext) -> Findings:
    """Yield the words that no rule allows."""
    if not free_text.is_rules_text:
        return
    from cardgen.rulesets.warniris.wording.clauses import CLAUSES  # loaded here because few cards have texts

    text = free_text.text
    for fault, start, end in CLAUSES.occurrences("fault", text):
        if "," in text[start:end] or (fault == "attribute" and not _ATTRIBUTE.search(text)):
            continue
        message, advice = _ADVICE[str(fault)]
        yield Finding(message, help=advice, text_range=(start, end))
