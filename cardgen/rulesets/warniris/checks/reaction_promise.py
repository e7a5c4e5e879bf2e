"""A Reaction that promises more than the rules allow.

Why is this bad?
    A Reaction is limited to 1 Damage and has no Effects.
    Bonuses to its Tests apply, but a bonus to its Damage or anything else that happens to its target does not.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    abilities:
      - name: Riposte
        effects:
          - {when: reacting, bearer: {damage: +1}}  # WN310: 43
          - {when: reacting, target: {movement: -3}}  # WN310: 26
          - {when: reacting, bearer: {weapon: {name: Barb, type: RW, range: 3, damage: 2}}}  # WN310: 43
      - name: Parry
        text: When reacting, it deals 3 Damage.  # WN310: 29

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    abilities:
      - name: Riposte
        effects:
          - {when: reacting, bearer: {mind: +1}}
          - {when: reacting, bearer: {reroll: timing}}
"""

import re

from cardgen.game import CheckContext, Finding, Findings, FreeText, rule
from cardgen.rulesets.warniris.effect import PARTIES, Effect
from cardgen.rulesets.warniris.words import Side

_MOST = "a Reaction deals at most 1 Damage"
_ADVICE = "choose another moment, or help the Reaction's Tests instead"
# A sentence about a Reaction with Damage in it; the game reads no such sentence, so that none of its effects tells.
_SENTENCE = re.compile(r"[^.;]+")
_REACTION = re.compile(r"\b(?:[Rr]eact(?:s|ing)|[Ii]n (?:a|its) Reaction|[Rr]eactions? (?:\w+ )?deals?)\b")
_DAMAGE = re.compile(r"\bdeals? (?:up to |\+)?(?:[2-9]|[1-9]\d)(?: (?:more|points? of))? [Dd]amage\b")


@rule("WN310", "warning", "certain")
def find(part: Effect | FreeText, context: CheckContext) -> Findings:
    """Yield extra Damage and effects on others at the moment of a Reaction."""
    if isinstance(part, FreeText):
        yield from _find_in_words(part)
    elif part.active_at == "reacting":
        yield from _find_in_effect(part)


def _find_in_words(free_text: FreeText) -> Findings:
    for sentence in _SENTENCE.finditer(free_text.text) if free_text.is_rules_text else ():
        for damage in _DAMAGE.finditer(sentence[0]) if _REACTION.search(sentence[0]) else ():
            start = sentence.start() + damage.start()
            yield Finding(_MOST, help=_ADVICE, text_range=(start, sentence.start() + damage.end()))


def _find_in_effect(effect: Effect) -> Findings:
    for whom, deeds in effect.deeds:
        if PARTIES[whom].side is not Side.OWN:
            message = "a Reaction has no Effects, so nothing more happens to its target"
            yield Finding(message, (whom,), help=_ADVICE, at_key=True)
        elif deeds.damage > 0:
            yield Finding(_MOST, (whom, "damage"), help=_ADVICE)
        elif deeds.weapon and deeds.weapon.damage > 1:
            yield Finding(_MOST, (whom, "weapon"), help=_ADVICE)
