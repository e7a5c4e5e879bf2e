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
from cardgen.rulesets.warniris.effect import LASTING, Effect
from cardgen.rulesets.warniris.words import MOMENTS

CODE, NAME = "WN312", "void-duration"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect


def find(effect: Effect, context: CheckContext) -> Findings:
    """Yield durations that their moment or their effects make void."""
    if effect.span is None:
        return
    if not effect.during and not any({*LASTING} & {*deeds.keys} for _, deeds in effect.deeds):
        yield Finding("this effect happens immediately and does not last", ("for",), help="remove 'for'")
    elif effect.span in MOMENTS[effect.when].void:
        message = f"there is no {effect.span} in progress at '{effect.when}'"
        yield Finding(message, ("for",), help="choose a longer duration, or another moment")
    elif effect.when == "eliminated" and [name for name, _ in effect.deeds] == ["bearer"]:
        yield Finding("a lasting effect is useless to an eliminated miniature", ("for",), help="apply it to others")
