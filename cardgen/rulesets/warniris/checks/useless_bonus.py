"""A bonus to an attribute that can never apply in full.

Why is this bad?
    Attributes stay between 1 and 5, after all bonuses and penalties.
    A bonus beyond 5 helps only as far as penalties in play can reduce the attribute again. The card promises the rest
    of the bonus, but it never has any effect.

Example
    kind: character
    name: Asha
    stats: {M: 5, B: 3, S: 3, W: 5, Mo: 10}
    abilities:
      - name: Hawk's Eye
        effects: [{when: attacking, bearer: {mind: +5}}]  # WN302: 48

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    abilities:
      - name: Hawk's Eye
        effects: [{when: attacking, bearer: {mind: +2}}]
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import attribute_bounds, attribute_changes
from cardgen.rulesets.warniris.cards import Character
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.limits import MAX_ATTRIBUTE

CODE, NAME = "WN302", "useless-bonus"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect


def find(effect: Effect, context: CheckContext) -> Findings:
    """Yield bonuses that take even the lowest attribute, less all penalties, beyond 5."""
    for whom, deeds in effect.deeds:
        for attribute, bonus in attribute_changes(deeds):
            bound = context.scope.compute_once(attribute_bounds)[attribute]
            own = whom == "bearer" and isinstance(context.card, Character)
            lowest = (
                getattr(context.card.stats, attribute)
                if own and isinstance(context.card, Character)
                else bound.lowest_printed
            )
            useful = max(0, MAX_ATTRIBUTE - lowest + bound.max_penalty)
            if bonus > useful:
                name = attribute.capitalize()
                message = (
                    f"+{bonus} {name} does no more than +{useful} {name}" if useful else f"+{bonus} {name} does nothing"
                )
                advice = f"{name} {lowest} loses at most {bound.max_penalty} in play, and never exceeds {MAX_ATTRIBUTE}"
                yield Finding(message, (whom, attribute), help=advice)
