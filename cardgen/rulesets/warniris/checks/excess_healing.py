"""Healing of more Wounds than any miniature can have lost.

Why is this bad?
    Healing never raises a miniature above its printed Wounds, and a miniature without Wounds is eliminated.
    A miniature with 5 Wounds can therefore regain at most 4.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 3, Mo: 10}
    abilities:
      - name: Second Wind
        once: true
        effects: [{when: turn_start, bearer: {heal: 3}}]  # WN304: 49

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 3, Mo: 10}
    abilities:
      - name: Second Wind
        once: true
        effects: [{when: turn_start, bearer: {heal: 2}}]
"""

from cardgen.game import CheckContext, CheckScope, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import fighters_in_play
from cardgen.rulesets.warniris.cards import Character, Minion
from cardgen.rulesets.warniris.effect import Effect, Weapon

CODE, NAME = "WN304", "excess-healing"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = (Effect, Weapon)


def find(part: Effect | Weapon, context: CheckContext) -> Findings:
    """Yield excess healing by effects and weapons."""
    if isinstance(part, Weapon):
        if part.healing:
            yield from _check_healing(part.healing, context.scope.compute_once(max_wounds), ("healing",))
        return
    for whom, deeds in part.deeds:
        if not deeds.heal:
            continue
        own = whom == "bearer" and isinstance(context.card, Character | Minion)
        wounds = context.card.stats.wounds if own and isinstance(context.card, Character | Minion) else None
        yield from _check_healing(deeds.heal, wounds or context.scope.compute_once(max_wounds), (whom, "heal"))


def _check_healing(healed: int, wounds: int, route: tuple[str, ...]) -> Findings:
    if healed >= wounds:
        message = f"{healed} Wounds are healed, but a miniature can have lost at most {wounds - 1}"
        less = f"write {wounds - 1} or less" if wounds > 1 else "leave it out"
        advice = f"{less}: the highest printed value is {wounds}, and losing the last Wound eliminates the miniature"
        yield Finding(message, route, help=advice, word=f"H{healed}")


def max_wounds(scope: CheckScope) -> int:
    """Return the highest printed Wounds of all cards in play."""
    return max((fighter.stats.wounds for fighter in scope.compute_once(fighters_in_play)), default=1)
