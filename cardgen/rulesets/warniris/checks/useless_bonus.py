"""A bonus to an attribute that can never matter in full.

Why is this bad?
    Attributes are held within 1 to 5, after every bonus and penalty.
    A bonus helps up to 5, and beyond that only as far as penalties in play can take something off again.
    What is left over is promised on the card and never happens.

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
from cardgen.rulesets.warniris.attribute_bounds import MAX_ATTRIBUTE, attribute_bounds, attribute_changes
from cardgen.rulesets.warniris.cards import Character
from cardgen.rulesets.warniris.effect import Effect

CODE, NAME = "WN302", "useless-bonus"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect


def find(effect: Effect, context: CheckContext) -> Findings:
    """Bonuses that lift even the lowest attribute, with all penalties against it, beyond 5."""
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
                advice = (
                    f"{name} {lowest} loses {bound.max_penalty} at most in play, and none goes above {MAX_ATTRIBUTE}"
                )
                yield Finding(message, (whom, attribute), help=advice)
