"""The record of a battle: attacks, hits, Damage, eliminations, and Moves."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, weapon_of
from cardgen.rulesets.warniris.referee.battle.marks import mark_moved
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State


class LogEvent(NamedTuple):
    """An event, who did it to whom, with what, from how far (cm), in which turn, and whether in a reaction.

    Events are attack, hit, resist, damage and eliminate. For 'resist' it is the target that did it, to the attacker.
    'aim' and 'done' are the start and the end of an action against a target, with all reactions in between. 'move' is a
    Move, and 'pass' an enemy that it passed through, unless a Test failed in it; `move` is its number. What players
    report at the end of a turn is an event without a subject, or a place in `reports` of an earlier one.
    """

    kind: str
    actor: int
    subject: int | None
    weapon: str
    distance: int | None
    turn: int
    reaction: bool = False
    move: int = 0
    reports: tuple[str, ...] = ()


def log_event(game: Game, state: State, kind: str, actor: int, subject: int, attack: AttackAction | None) -> State:
    """The state with one more deed, where a record is kept."""
    if not game.logs_events:
        return state
    weapon_kind = weapon_of(game, state, attack).type if attack else ""
    distance, reaction = (attack.distance, attack.reaction) if attack else (None, False)
    deed = LogEvent(kind, actor, subject, weapon_kind, distance, state.mode.turn, reaction)
    return State(state.mode._replace(events=(*state.mode.events, deed)), state.counters)


def log_move(game: Game, state: State, who: int, passed: int, failed: bool) -> State:
    """The state with a Move, and the enemies that it passed through unless a Test failed."""
    state = mark_moved(game, state, who)
    if not game.logs_events:
        return state
    number = sum(event.kind == "move" for event in state.mode.events) + 1
    move = LogEvent("move", who, None, "", None, state.mode.turn, move=number)
    return state.add_events(move, *[move._replace(kind="pass")] * (0 if failed else passed))
