"""Healing of more Wounds than anybody can have lost.

Why is this bad?
    Healing never lifts above the printed Wounds, and whoever has lost all of them is out of the battle.
    So a miniature with 5 Wounds can regain 4 at most.

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
from cardgen.rulesets.warniris.cards import Character, Minion, Weapon
from cardgen.rulesets.warniris.effect import Effect

CODE, NAME = "WN304", "excess-healing"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = (Effect, Weapon)


def find(part: Effect | Weapon, context: CheckContext) -> Findings:
    """Healing by effects and by weapons."""
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
        message = f"{healed} Wounds are healed, but nobody can have lost more than {wounds - 1}"
        less = f"write {wounds - 1} or less" if wounds > 1 else "leave it out"
        advice = f"{less}: the most printed Wounds here are {wounds}, and the last one is the end"
        yield Finding(message, route, help=advice, word=f"H{healed}")


def max_wounds(scope: CheckScope) -> int:
    """The most Wounds that are printed on a card in play."""
    return max((fighter.stats.wounds for fighter in scope.compute_once(fighters_in_play)), default=1)
