"""An effect that has no use when it happens.

Why is this bad?
    Without `for`, an effect ends immediately, or at the end of the attack that it belongs to.
    A change then matters only if a Test at that moment uses it. An attacker never tests Body, a target never tests
    Mind, a Wound can only be ignored at the moment it is lost, and there are no Tests at the start of a turn.

Example
    kind: relic
    name: Sun Stone
    effects:
      - {when: activation_start, bearer: {mind: +1}}  # WN303: 45
      - {when: attacking, bearer: {body: +1}}  # WN303: 38
      - {when: attacked, bearer: {reroll: timing}}  # WN303: 39

Use instead
    kind: relic
    name: Sun Stone
    effects:
      - {when: activation_start, for: turn, bearer: {mind: +1}}
      - {when: attacking, bearer: {mind: +1}}
      - {when: reacting, bearer: {reroll: timing}}
"""

from cardgen.game import Finding, Findings, join_words, rule
from cardgen.rulesets.warniris.effect import CHANGES, DEEDS, Effect
from cardgen.rulesets.warniris.words import MOMENTS, NO_DICE, REROLLS, Dice, Sort


@rule("WN303", "warning", "certain")
def find(effect: Effect) -> Findings:
    """Yield the changes, re-rolls, and ignored losses that no later die roll uses."""
    if effect.span or effect.when == "always":
        return
    moment = MOMENTS[effect.when]
    for whom, deeds in effect.deeds:
        # What else may matter during an attack, such as a change for friends, cannot be determined here.
        if moment.dice and moment.sort is not Sort.MOVE and whom not in moment.dice:
            continue
        for key in deeds.keys:
            words, dice = _words_and_dice(key, getattr(deeds, key))
            if words and not dice & moment.dice.get(whom, NO_DICE):
                message = f"{words} does nothing at '{effect.when}', and ends immediately"
                yield Finding(message, (whom, key), help=_advice(whom, dice))


def _advice(whom: str, dice: Dice) -> str:
    moments = MOMENTS.where(lambda moment: moment.dice.get(whom, NO_DICE) & dice)
    another = f"use it at {join_words(moments)}" if moments else "choose another moment"
    return f"{another}; or set its duration with 'for'"


def _words_and_dice(key: str, value: str) -> tuple[str, Dice]:
    """Return the words for a deed, or '' if it needs no moment of its own, and what it can matter to."""
    if key == "reroll":
        return f"a re-roll of the {value} Test", REROLLS[value].dice
    return DEEDS[key].idle or (f"a change of {key.capitalize()}" if key in CHANGES else ""), DEEDS[key].dice
