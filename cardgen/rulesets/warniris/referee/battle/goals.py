"""Objectives of missions (section 12): how often the record of a battle fulfills them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cardgen.rulesets.warniris.earn import RULED_TYPE, Earn
from cardgen.rulesets.warniris.referee.battle.attack_action import opponent_kind
from cardgen.rulesets.warniris.referee.battle.event_log import LogEvent
from cardgen.rulesets.warniris.referee.effects.bearer_state import is_within
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State
from cardgen.rulesets.warniris.wording.missions import goal_sentence

RULED_WEAPONS = {"any": ("CW", "RW"), "cw": ("CW",), "rw": ("RW",)}
CONTROL_CHECKS = {"turn-end": "at the end of the turn", "throughout": "from the beginning to the end of the turn"}


def times_earned(game: Game, state: State, side: int, goal: Earn, window: str) -> int:
    """How often a side has done by now what a mission asks for; `window` is what has just ended."""
    if goal.event == "survive":
        return _count_surviving(game, state, side, goal, window)
    events = _earning_events(game, state, side, goal)
    if goal.turns == 1:
        return _times_in(game, events, goal)
    turns = {event.turn for event in events}
    earned = {turn for turn in turns if _times_in(game, [each for each in events if each.turn == turn], goal)}
    return _count_runs(earned, goal.turns)


def matching_events(game: Game, state: State, side: int, goal: Earn) -> list[tuple[int, LogEvent]]:
    """The events of a side that a mission speaks of, whatever players must report about them, with their numbers."""
    record = state.mode.events
    return [
        (number, event)
        for number, event in enumerate(record)
        if _matches_goal(game, side, goal, event)
        and not (goal.rescue and not _is_rescue(game, record, number))
        and not (goal.attackers > 1 and _count_attackers(game, state, side, event, goal) < goal.attackers)
        and not (goal.then and not moves_later(record, number))
    ]


def distance_limits(goal: Earn) -> tuple[int, ...]:
    """Return the distances in cm between two miniatures at which an objective differs."""
    limits = () if goal.event == "control" else (goal.range_over, goal.range_within)
    return tuple(limit for limit in limits if limit is not None)


def moves_later(record: Sequence[LogEvent], number: int) -> bool:
    """Whether the actor of an event Moves after it in the same turn."""
    event = record[number]
    return any(each.kind == "move" and (each.actor, each.turn) == event[1::4] for each in record[number + 1 :])


def reported_part(goal: Earn) -> Earn:
    """Return what players report of an objective: one event of it."""
    by = "warband" if goal.event == "control" else "one"
    one = {"count": 1, "different": False, "turns": 1, "first": False, "attackers": 1, "by": by, "within": "battle"}
    return goal.model_copy(update=one)


def report_words(game: Game, goal: Earn) -> str:
    """Return the words by which players report it; an event that was reported keeps them.

    The ruling `mission-2-check` decides how long a side must control the center.
    """
    words = ruled_sentence(game, reported_part(goal)).removesuffix(".")
    if goal.event == "control" and goal.within == "turn":
        return f"{words}, {CONTROL_CHECKS[game.rulings['mission-2-check']]}"
    return words


def ruled_sentence(game: Game, goal: Earn) -> str:
    """Return the sentence of an objective with the weapons that the ruling `mission-14-type` allows."""
    types = RULED_WEAPONS[game.rulings["mission-14-type"]] if goal.weapon == RULED_TYPE else ()
    return goal_sentence(goal, types)


def _earning_events(game: Game, state: State, side: int, goal: Earn) -> list[LogEvent]:
    """The events that count, as far as the players have reported what the record cannot tell."""
    words = report_words(game, goal) if goal.is_reported else ""
    mine, theirs = (
        [each for each in matching_events(game, state, who, goal) if not words or words in each[1].reports]
        for who in (side, 1 - side)
    )
    if goal.first:
        mine = [] if theirs and (not mine or theirs[0][0] < mine[0][0]) else mine[:1]
    if goal.event == "control" and game.rulings["mission-2-contested"] == "contested":
        contested = {event.turn for _, event in theirs}
        mine = [each for each in mine if each[1].turn not in contested]
    return [event for _, event in mine]


def _times_in(game: Game, events: Iterable[LogEvent], goal: Earn) -> int:
    """How often a number of events happen within one Move, one turn, or the battle, by one Character or by all.

    The ruling `mission-scope` may narrow it to one Character.
    """
    alone = goal.by == "one" or (game.rulings["mission-scope"] == "one" and goal.attackers == 1)
    groups: dict[Any, list[LogEvent]] = {}
    for event in events:
        span = {"move": (event.turn, event.move), "turn": event.turn, "battle": 0}[goal.within]
        groups.setdefault((span, event.actor if alone else None), []).append(event)
    return sum(_count_events(group, goal) // goal.count for group in groups.values())


def _count_runs(turns: set[int], length: int) -> int:
    """How many runs of a number of consecutive turns there are; no turn belongs to two."""
    runs = run = 0
    for turn in range(1, max(turns, default=0) + 1):
        run = run + 1 if turn in turns else 0
        if run == length:
            runs, run = runs + 1, 0
    return runs


def _count_events(events: list[LogEvent], goal: Earn) -> int:
    return len({event.subject for event in events}) if goal.different else len(events)


def _matches_goal(game: Game, side: int, goal: Earn, event: LogEvent) -> bool:
    """Whether an event is one that a mission speaks of (rulings `channel-is-attack` and `mission-scope`)."""
    if event.kind != goal.event or game.sides[event.actor] != side:
        return False
    if event.subject is None:
        return goal.of != "minion"
    if game.sides[event.subject] == side or (goal.of != "enemy" and opponent_kind(game, event.subject) != goal.of):
        return False
    if goal.event in ("attack", "resist") and not _is_attack(game, event, may_channel=bool(goal.weapon)):
        return False
    return _matches_weapon(game, goal, event) and _matches_distance(game, goal, event.distance or 0)


def _is_attack(game: Game, event: LogEvent, *, may_channel: bool = False) -> bool:
    """Whether an event counts as an Attack (rulings `channel-is-attack` and `reaction-counts`)."""
    if event.weapon == "P" and not may_channel and game.rulings["channel-is-attack"] == "apart":
        return False
    return not (event.reaction and game.rulings["reaction-counts"] == "apart")


def _matches_weapon(game: Game, goal: Earn, event: LogEvent) -> bool:
    """Whether the type of the weapon fits (ruling `mission-14-type`)."""
    if goal.weapon == RULED_TYPE:
        return event.weapon in RULED_WEAPONS[game.rulings["mission-14-type"]]
    return goal.weapon in (None, event.weapon)


def _matches_distance(game: Game, goal: Earn, distance: int) -> bool:
    """Whether a distance fits: over is strictly more, within includes the limit (ruling `distance`)."""
    if goal.range_over is not None and is_within(game, distance, goal.range_over):
        return False
    return goal.range_within is None or is_within(game, distance, goal.range_within)


def _is_rescue(game: Game, record: Sequence[LogEvent], number: int) -> bool:
    """Whether an enemy is stopped in its Attack on another one, by a reaction.

    It is stopped if it falls after it has chosen its target, before its Attack is done. An Attack that miniatures in
    between divert is one on them from there on.
    """
    event = record[number]
    deeds = [each for each in record[:number] if each.actor == event.subject and each.kind in ("aim", "hit", "done")]
    actions = [at for at, each in enumerate(deeds) if each.kind in ("aim", "done")]
    if not (event.reaction and actions and deeds[actions[-1]].kind == "aim" and _is_attack(game, deeds[-1])):
        return False
    target = deeds[-1].subject
    return target not in (None, event.actor) and game.sides[target] == game.sides[event.actor]


def _count_attackers(game: Game, state: State, side: int, event: LogEvent, goal: Earn) -> int:
    """How many of a side attacked the one to whom it was done, in the same turn or in the whole battle."""
    attacks = (
        each
        for each in state.mode.events
        if each.kind == "attack" and each.subject == event.subject and game.sides[each.actor] == side
    )
    return len(
        {
            each.actor
            for each in attacks
            if (goal.within == "battle" or each.turn == event.turn) and _is_attack(game, each)
        }
    )


def _count_surviving(game: Game, state: State, side: int, goal: Earn, window: str) -> int:
    if window != goal.within:
        return 0
    mine = [who for who, each in enumerate(game.sides) if each == side and state.stands(who)]
    return int(sum(goal.of in ("enemy", opponent_kind(game, who)) for who in mine) >= goal.count)
