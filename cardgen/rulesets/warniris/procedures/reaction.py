"""Reactions (section 6: Reaction): once a turn, against an enemy's action, at most 1 damage and no effects."""

from __future__ import annotations

from cardgen.referee.requests import Choice, Procedure, Say
from cardgen.rulesets.warniris.procedures import reckoning
from cardgen.rulesets.warniris.procedures.attack import strike
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.state import State, Waiting
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.procedures.testing import tested

POINTS = {"before": "before the first die", "hit": "when it has hit", "resist": "when it was not resisted"}
ON_THE_WAY = {"before": "before it moves", "way": "part-way along the Move"}


def react(table: Table, state: State, blow: Blow, points: dict[str, str]) -> Procedure[State]:
    """Time a reaction, named by its blow, to the action that begins now.

    A success lets it happen at one of `points`; a failure leaves it for the end of the action. It is used up in any
    case (ruling `reaction-spent`).
    """
    state = state.adding(table.reaction(blow.attacker), -1)
    state, timed = yield from _timed(table, state, blow)
    point = "end"
    if timed:
        point = yield from _point(table, blow, points)
    if point == "before":
        return (yield from strike(table, state, blow))
    waiting = Waiting(blow.attacker, blow.weapon, point, blow.distance, blow.gap)
    return state.waiting(*state.mode.waiting, waiting)


def _timed(table: Table, state: State, blow: Blow) -> Procedure[tuple[State, bool]]:
    hindered = table.rulings["reaction-cloak"] == "hindered" and "attacked" in table.moments
    before = state
    if hindered:
        state = yield from start(table, state, "attacked", (blow.target,), blow)
    moment = reckoning.timing_moment(table, blow)
    test = reckoning.timing_test(table, state, blow)
    state, timed = yield from tested(table, state, test, blow.attacker, "timing", moment)
    return (state.ending("attack") if hindered and state.mode.forces != before.mode.forces else state), timed


def _point(table: Table, blow: Blow, points: dict[str, str]) -> Procedure[str]:
    """The moment that the reactor's player names (ruling `reaction-when`)."""
    if table.rulings["reaction-when"] == "before-dice":
        return "before"
    advised = points.get(table.policy["moment"], points["before"])
    if not table.asked:
        chosen = advised
    else:
        options = tuple(points.values())
        chosen = yield Choice("moment", table.name(blow.attacker), "when does it react", options, advised)
    yield Say("{} times its Reaction: {}", (table.name(blow.attacker), chosen))
    return next(point for point, words in points.items() if words == chosen)


def may_react(table: Table, state: State, who: int) -> bool:
    """Whether a miniature has its reaction left. Minions never react (section 8)."""
    left = state.counters[table.reaction(who)]
    return bool(left) and state.stands(who) and not table.fighters[who].minion
