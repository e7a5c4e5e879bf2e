"""Wounds that are given back."""

from __future__ import annotations

from cardgen.game import Log, Procedure, quantity
from cardgen.rulesets.warniris.referee.battle.attack_action import has_freedom
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State


def heal(game: Game, state: State, who: int, points: int, what: str) -> Procedure[State]:
    """Give wounds back, never above the printed number (section 2: Wounds)."""
    regained = min(points, game.miniatures[who].wounds - state.wounds(who))
    if regained <= 0 or not state.stands(who) or has_freedom(game, state, who, "healing"):
        return state
    yield Log(
        "{}: {} regains {} and has {}",
        (what, game.name(who), quantity(regained, "Wound"), state.wounds(who) + regained),
    )
    return game.notes.note_counters(state.change_counter(who, regained))
