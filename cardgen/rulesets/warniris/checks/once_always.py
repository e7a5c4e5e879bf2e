"""A limit to one use on something always active.

Why is this bad?
    Without a moment of use, players cannot tell when it is used up. A Relic with `once`, for example, is discarded
    when it is used.

Example
    kind: relic
    name: Sun Stone
    once: true  # WN311: 7
    effects: [{bearer: {body: +1}}]

Use instead
    kind: relic
    name: Sun Stone
    once: true
    effects: [{when: activation_start, for: turn, bearer: {body: +1}}]
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.cards import Ability, Relic

CODE, NAME = "WN311", "once-always"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = (Ability, Relic)


def find(thing: Ability | Relic, context: CheckContext) -> Findings:
    """Yield a limited use whose effects are all always active."""
    # What only re-rolls is used up by the re-roll.
    active = [effect for effect in thing.effects if not all(deeds.reroll for _, deeds in effect.deeds)]
    if thing.once and active and all(effect.when == "always" for effect in thing.effects):
        message = f"'{thing.name}' can be used only once, but is always active"
        yield Finding(message, ("once",), help="give an effect a moment with 'when', or remove 'once'")
