"""A passive ability that changes only melee, which is fought without command cards.

Why is this bad?
    A passive ability lasts until its card is discarded, in the activation phase. Attack and counter strength, swift,
    slow, and frenzy count in the melee phase, when no command card is in play. So the ability does nothing, unless its
    text says that it lasts.

Example
    game: diskwars
    cards:
      - {kind: command, name: Stand Fast, strategy: steady, activation: 2, passive: Your disks have 1 more
         counter strength.}  # DW356: 6

Use instead
    game: diskwars
    cards:
      - {kind: command, name: Stand Fast, strategy: steady, activation: 2, passive: Your disks have 1 more
         counter strength until the end of the round.}
"""

import re
from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.diskwars import RULESET

CODE, NAME = "DW356", "early-passive"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = RULESET.kinds["command"].model

_STRENGTH = r"(?:attack|counter)(?: (?:and|or) (?:attack|counter))? strength"
_MELEE = re.compile(
    rf"(?:(?:more|less|fewer|additional) |(?:gains?|loses?|gets?) \d |[-+−]\d )({_STRENGTH})"
    r"|\b(?:have|has|gains?|gets?) \**(swift|slow|frenzy)\b",
    re.IGNORECASE,
)
_LASTS = re.compile(r"\b(?:rounds?|phases?|engagements?|melee)\b", re.IGNORECASE)


def find(card: Any, _: CheckContext) -> Findings:
    """Yield what a passive ability gives disks for a melee that is fought after its card is discarded."""
    passive = card.passive or ""
    if match := None if _LASTS.search(passive) else _MELEE.search(passive):
        advice = "say how long it lasts, such as 'until the end of the round', or give toughness or movement"
        message = f"{match[1] or match[2]} counts in melee, when this card is discarded"
        yield Finding(message, ("passive",), advice, text_range=match.span(1 if match[1] else 2))
