"""Marks beside a card: the things that it has used, the Wounds that it has paid, and whether it has moved."""

from __future__ import annotations

from cardgen.game import Decision, Log, Procedure, quantity
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.state import State

YES, NO = "yes", "no"


def mark_used(game: Game, state: State, who: int, effect: BoundEffect) -> State:
    """The state after a thing for once only was used; without a limit nothing changes."""
    status = state.mode.statuses[who]
    if effect.once == "turn" and effect.source not in status.used_sources:
        return state.set_status(who, status._replace(used_sources=tuple(sorted((*status.used_sources, effect.source)))))
    counter = game.use_counters.get((who, effect.source))
    return state if counter is None else state.change_counter(counter, -state.counters[counter])


def can_pay(state: State, who: int, effect: BoundEffect) -> bool:
    """Whether a bearer has the Wounds that an effect costs, if any, besides its last one."""
    return not effect.cost or state.wounds(who) > effect.cost


def pay_cost(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[tuple[State, bool]]:
    """Whether the bearer's player pays the Wounds that an effect costs, if any."""
    if not effect.cost:
        return state, True
    what = f"lose {effect.cost} for {effect.name}"
    if not can_pay(state, who, effect) or (yield Decision(what, game.name(who), what, (YES, NO), NO)) == NO:
        return state, False
    state = game.notes.note_counters(state.change_counter(who, -effect.cost))
    yield Log("{} loses {} and has {} left", (game.name(who), quantity(effect.cost, "Wound"), state.wounds(who)))
    return state, True


def mark_moved(game: Game, state: State, who: int) -> State:
    """The state after a Move, if some effect asks for it."""
    return state.set_status(who, state.mode.statuses[who]._replace(moved="activation")) if game.tracks_moves else state


def end_activation_marks(game: Game, state: State) -> State:
    """The state at the end of an activation: what has moved in it has moved in this turn."""
    for who, status in enumerate(state.mode.statuses) if game.tracks_moves else ():
        if status.moved == "activation":
            state = state.set_status(who, status._replace(moved="turn"))
    return state
