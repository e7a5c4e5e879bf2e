"""A duration that ends before it begins, or has no purpose.

Why is this bad?
    At the end of an Activation, nothing can last until the end of that Activation. At the start of a turn, no Action is
    in progress. Healing, Damage, and moves happen immediately and have no duration.
    A lasting effect is also useless to an eliminated miniature.

Example
    kind: relic
    name: Sun Stone
    effects:
      - {when: turn_end, for: turn, bearer: {mind: +1}}  # WN312: 27
      - {when: turn_start, for: turn, bearer: {heal: 1}}  # WN312: 29

Use instead
    kind: relic
    name: Sun Stone
    effects:
      - {when: turn_start, for: turn, bearer: {mind: +1}}
      - {when: turn_start, bearer: {heal: 1}}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.effect import Deeds, Effect

CODE, NAME = "WN312", "void-duration"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect

# Durations that are over, or not yet begun, at a moment.
_VOID = {
    "battle_start": {"action", "activation"},
    "turn_start": {"action", "activation"},
    "turn_end": {"action", "activation", "turn"},
    "activation_start": {"action"},
    "activation_end": {"action", "activation"},
}
_CHANGES = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
_FREEDOMS = ("between", "gaps", "crossing", "reactions", "healing", "targeted", "answered", "halved", "fails")
_LASTING_KEYS = (*_CHANGES, *_FREEDOMS, "ignore", "reroll", "weapon", "actions")


def find(effect: Effect, context: CheckContext) -> Findings:
    """Yield durations that their moment or their effects make void."""
    if effect.span is None:
        return
    if not effect.during and not any(_has_lasting(deeds) for _, deeds in effect.deeds):
        yield Finding("this effect happens immediately and does not last", ("for",), help="remove 'for'")
    elif effect.span in _VOID.get(effect.when, ()):
        message = f"there is no {effect.span} in progress at '{effect.when}'"
        yield Finding(message, ("for",), help="choose a longer duration, or another moment")
    elif effect.when == "eliminated" and [name for name, _ in effect.deeds] == ["bearer"]:
        yield Finding("a lasting effect is useless to an eliminated miniature", ("for",), help="apply it to others")


def _has_lasting(deeds: Deeds) -> bool:
    return any(getattr(deeds, key) for key in _LASTING_KEYS)
