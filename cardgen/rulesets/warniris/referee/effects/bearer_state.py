"""How a bearer stands: its Wounds, its Moves, and the friends and enemies around it, as conditions of effects."""

from __future__ import annotations

from cardgen.rulesets.warniris.effect import Condition
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect


def meets_state(game: Game, effect: BoundEffect, state: State, owner: int) -> bool:
    """Whether the bearer stands as an effect asks, as far as that is known.

    Where players measure, what only the table knows is asked when the effect starts; what always bears is put into
    force by `ask_auras` then.
    """
    condition, wounds = effect.condition, state.wounds(owner)
    moved = state.mode.statuses[owner].moved if condition.unmoved else ""
    if moved and (moved == "activation" or condition.unmoved == "turn"):
        return False
    if condition.turns and state.mode.turn not in condition.turns:
        return False
    if effect.wound_limit is not None and wounds > effect.wound_limit:
        return False
    if condition.unhurt and wounds < game.miniatures[owner].wounds:
        return False
    if not condition.asks_table:
        return True
    return not effect.is_constant if game.is_interactive else _meets_known(game, state, owner, condition)


def _meets_known(game: Game, state: State, owner: int, condition: Condition) -> bool:
    """Whether friends and enemies are where a condition wants them; distances are that of the two in a duel.

    Friends are far, and nobody is at any special place.
    """
    if condition.place or condition.friend_within is not None:
        return False
    distance, has_enemies = state.mode.distance or 0, bool(game.enemies(state, owner))
    within, over = condition.enemy_within, condition.enemy_over
    if within is not None and not (has_enemies and is_within(game, distance, within)):
        return False
    return over is None or not (has_enemies and is_within(game, distance, over))


def is_within(game: Game, distance: int, limit: int) -> bool:
    """Whether a distance is within a limit, and not over it (ruling `distance`)."""
    return distance < limit or (distance == limit and game.rulings["distance"] == "strict")
