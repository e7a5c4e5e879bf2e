"""A duration that is over before it begins, or that nothing needs.

Why is this bad?
    At the end of an Activation nothing lasts until the end of that Activation; at the start of a turn no Action is
    under way. What is healed, dealt or moved happens at once, and has no duration.
    And who is eliminated has no use for what lasts.

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
_LASTING_KEYS = ("mind", "body", "spirit", "movement", "range", "penetration", "damage", "ignore", "reroll", "weapon")


def find(effect: Effect, context: CheckContext) -> Findings:
    """Durations that their moment, or what happens, makes void."""
    if effect.span is None:
        return
    if not effect.during and not any(_has_lasting(deeds) for _, deeds in effect.deeds):
        yield Finding("what happens here happens at once and does not last", ("for",), help="leave 'for' out")
    elif effect.span in _VOID.get(effect.when, ()):
        message = f"at '{effect.when}' there is no {effect.span} that anything could last for"
        yield Finding(message, ("for",), help="choose a longer duration, or another moment")
    elif effect.when == "eliminated" and [name for name, _ in effect.deeds] == ["bearer"]:
        yield Finding("who is eliminated has no use for what lasts", ("for",), help="let it happen to others")


def _has_lasting(deeds: Deeds) -> bool:
    return any(getattr(deeds, key) for key in _LASTING_KEYS)
