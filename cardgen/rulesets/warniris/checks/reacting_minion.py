"""A Minion that reacts.

Why is this bad?
    Minions have no Reactions (Last Stand: Horde), so the effect never happens.

Example
    kind: minion
    name: Watcher
    stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
    weapons:
      - name: Spear
        type: CW
        range: 2
        damage: 1
        effects: [{when: reacting, bearer: {mind: +1}}]  # WN309: 22

Use instead
    kind: minion
    name: Watcher
    stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
    weapons:
      - name: Spear
        type: CW
        range: 2
        damage: 1
        effects: [{when: attacking, bearer: {mind: +1}}]
"""

import re

from cardgen.game import CheckContext, Confidence, Finding, Findings, FreeText, Severity
from cardgen.rulesets.warniris.cards import Minion
from cardgen.rulesets.warniris.effect import Effect

CODE, NAME = "WN309", "reacting-minion"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = (Effect, FreeText)

_REACTION = re.compile(r"\bReact(?:s|ion|ions)?\b", re.IGNORECASE)
_MESSAGE, _ADVICE = "Minions have no Reactions", "choose another moment"


def find(part: Effect | FreeText, context: CheckContext) -> Findings:
    """Yield the effects and texts of a Minion that refer to Reactions."""
    if not isinstance(context.card, Minion):
        return
    if isinstance(part, FreeText):
        for match in _REACTION.finditer(part.text) if part.is_rules_text else ():
            yield Finding(_MESSAGE, help=_ADVICE, text_range=match.span())
        return
    if part.bearer and part.bearer.reactions in ("more", "more-others"):
        yield Finding(_MESSAGE, ("bearer", "reactions"), help="remove it")
    for key, moment in (("when", part.when), ("while", part.during)):
        if moment == "reacting":
            yield Finding(_MESSAGE, (key,), help=_ADVICE)
