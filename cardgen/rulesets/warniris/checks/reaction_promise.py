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

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.effect import Effect

CODE, NAME = "WN310", "reaction-promise"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect

_ADVICE = "choose another moment, or help the Reaction's Tests instead"


def find(effect: Effect, context: CheckContext) -> Findings:
    """Yield extra Damage and effects on others at the moment of a Reaction."""
    if effect.active_at != "reacting":
        return
    for whom, deeds in effect.deeds:
        if whom in ("target", "attacker", "enemies"):
            message = "a Reaction has no Effects, so nothing more happens to its target"
            yield Finding(message, (whom,), help=_ADVICE, at_key=True)
        elif deeds.damage > 0:
            yield Finding("a Reaction deals at most 1 Damage", (whom, "damage"), help=_ADVICE)
