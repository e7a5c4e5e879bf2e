"""A target or an attacker at a moment without one.

Why is this bad?
    Only an Attack or a Channel has a target. At other moments, such as the start of a turn, players cannot tell which
    miniature is meant.

Example
    kind: relic
    cards:
      - name: Sun Stone
        effects: [{when: turn_start, target: {deal: 1}}]  # WN203: 34
      - name: Moon Stone
        text: At the start of each turn, the target loses 2 cm of Movement.  # WN203: 38

Use instead
    kind: relic
    cards:
      - name: Sun Stone
        effects: [{when: damaging, target: {deal: 1}}]
      - name: Moon Stone
        text: At the start of each turn, enemies lose 2 cm of Movement for that turn.
"""

import re

from cardgen.game import CheckContext, Finding, Findings, FreeText, rule
from cardgen.rulesets.warniris.cards import Ability, Relic
from cardgen.rulesets.warniris.effect import PARTIES, Effect
from cardgen.rulesets.warniris.words import MOMENTS

_TARGET = re.compile(r"\b(?:the|its|a) target\b", re.IGNORECASE)
_ATTACK_WORDS = re.compile(
    r"attack|channel|hit|shoot|shot|react|strik|struck|aim|weapon|power|wound|damag", re.IGNORECASE
)


@rule("WN203", "warning", "likely")
def find(part: Effect | FreeText, context: CheckContext) -> Findings:
    """Yield effects on a missing party, and texts that mention a target but no attack."""
    if isinstance(part, FreeText):
        if part.is_rules_text and isinstance(context.parent, Ability | Relic) and not _ATTACK_WORDS.search(part.text):
            for match in _TARGET.finditer(part.text):
                yield Finding(
                    "there is no target without an attack",
                    help="name the miniature that is meant",
                    text_range=match.span(),
                )
        return
    for whom, _ in part.deeds:
        if PARTIES[whom].is_chosen and part.active_at == "always":
            yield Finding(
                f"there is no moment to choose {'a friend' if whom == 'friend' else 'an enemy'} at 'always'",
                (whom,),
                help="choose a moment with 'when'",
                at_key=True,
            )
        moments = [name for name, moment in MOMENTS.items() if whom in moment.parties]
        if moments and not {part.when, part.during}.intersection(moments):
            message = f"there is no {whom} at '{part.active_at}'"
            advice = f"choose a moment with one ({', '.join(sorted(moments))}), or write enemies or friends"
            yield Finding(message, (whom,), help=advice, at_key=True)
