"""Whether an effect that may start does, and on whom it comes to bear."""

from __future__ import annotations

from cardgen.game import Decision, Procedure, Roll
from cardgen.rulesets.warniris.referee.battle.marks import NO, YES, mark_used, pay_cost
from cardgen.rulesets.warniris.referee.battle.nearness import ask_table
from cardgen.rulesets.warniris.referee.effects.affected import Affected, take_attribute_test
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.policy import should_use
from cardgen.rulesets.warniris.referee.state import State


def confirm_start(game: Game, state: State, who: int, number: int) -> Procedure[tuple[State, bool]]:
    """Whether an effect that may start does: the choice to use up a thing for once only, then the effect's die."""
    effect = game.miniatures[who].effects[number]
    if not (yield from ask_conditions(game, state, who, effect)):
        return state, False
    if effect.once:
        default = YES if should_use(game, state, who, effect) else NO
        if not game.is_interactive and default == NO:
            return state, False
        if (yield Decision(f"use {effect.name}", game.name(who), f"use {effect.name}", (YES, NO), default)) == NO:
            return state, False
    return (yield from pay_and_roll(game, state, who, effect))


def ask_conditions(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[bool]:
    """Whether the bearer stands as an effect asks, where only the table knows that."""
    if not (game.is_interactive and effect.condition.asks_table):
        return True
    return (yield from ask_table(game, state, who, effect))


def pay_and_roll(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[tuple[State, bool]]:
    """Whether the bearer's player pays the Wounds that an effect costs, and its die and its Test let it start.

    A thing for once is used up once they are paid.
    """
    state, is_paid = yield from pay_cost(game, state, who, effect)
    if not is_paid:
        return state, False
    state = mark_used(game, state, who, effect)
    if effect.condition.same_roll and state.mode.face not in effect.condition.same_roll:
        return state, False
    if effect.condition.roll:
        state, starts = yield from _roll(game, state, who, effect, effect.condition.roll)
        if not starts:
            return state, False
    if not effect.condition.test:
        return state, True
    return (yield from take_attribute_test(game, state, who, f"for {effect.name}", effect.condition.test))


def _roll(
    game: Game, state: State, who: int, effect: BoundEffect, faces: tuple[int, ...]
) -> Procedure[tuple[State, bool]]:
    """Roll the die of an effect; its face is kept if others need it."""
    if not effect.shares_die:
        return state, bool((yield Roll(effect.name, game.name(who), effect.name, wins=faces)))
    face = int((yield Roll(effect.name, game.name(who), effect.name)))
    return state.with_face(face), face in faces


_ENDS = {
    "next-activation": "the start of its next Activation",
    "own-activation": "the end of the next Activation of whom it concerns",
    "next-turn": "the end of the next turn",
}


def end_of(span: str) -> str:
    """Return when a duration ends, in words."""
    return _ENDS.get(span, f"the end of the {span}")


def newly_affected(state: State, who: int, number: int, effect: BoundEffect, affected: Affected) -> Affected:
    """Whom an effect comes to bear on; if it does not add up, not those on whom it bears already."""
    if effect.is_cumulative:
        return affected
    active = [each for each in state.mode.active_effects if (each.owner, each.effect_number) == (who, number)]
    known = {(party, other) for each in active for party, members in each.affected for other in members}
    return tuple((party, tuple(each for each in members if (party, each) not in known)) for party, members in affected)
