"""A reaction that promises more than a reaction may do.

Why is this bad?
    A Reaction deals 1 damage at most and has no Effects.
    A bonus to its Damage, or anything that happens to its target, is never applied; what helps its Tests is.

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
    """More damage, and what others suffer, at the moment of a reaction."""
    if effect.active_at != "reacting":
        return
    for whom, deeds in effect.deeds:
        if whom in ("target", "attacker", "enemies"):
            message = "a Reaction has no Effects, so nothing more happens to its target"
            yield Finding(message, (whom,), help=_ADVICE, at_key=True)
        elif deeds.damage > 0:
            yield Finding("a Reaction deals 1 Damage at most", (whom, "damage"), help=_ADVICE)
