"""Moves, and the tests of those who cross an enemy's space (section 6: Move)."""

from __future__ import annotations

from cardgen.referee.requests import Procedure, Say
from cardgen.rulesets.warniris.procedures import reckoning
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.legality import out_of_reach
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table


def cross(table: Table, state: State, who: int, enemies: int) -> Procedure[int]:
    """A Body test for every enemy in the way; returns how many were passed before the first failure."""
    for count in range(1, enemies + 1):
        if not (yield reckoning.body_test(table, state, who, f"through {count}")):
            yield Say("{} stops in front of that enemy", (table.name(who),))
            return count - 1
    return enemies


def begin_move(table: Table, state: State, who: int) -> Procedure[State]:
    """The effects that start with a Move."""
    if "moving" in table.moments:
        state = yield from start(table, state, "moving", (who,))
    return state


def charges(table: Table, blow: Blow, kind: str) -> bool:
    """Whether a weapon brings a free Move: a combat weapon does, in a reaction by the ruling `reaction-cw-move`."""
    return kind == "CW" and (not blow.reaction or table.rulings["reaction-cw-move"] == "allowed")


def too_far(table: Table, state: State, blow: Blow) -> str:
    """Why a target cannot be reached, even with a combat weapon's free Move, or ''."""
    problem = out_of_reach(table, state, blow)
    if not problem or blow.distance is None:
        return problem
    if not charges(table, blow, reckoning.weapon(table, state, blow).type):
        return problem
    movement = reckoning.movement(table, state, blow.attacker)
    if blow.distance - movement <= reckoning.reach(table, state, blow):
        return ""
    return f"{problem}, even after a Move of {movement} cm"


def charge(table: Table, state: State, blow: Blow, enemies: int) -> Procedure[tuple[State, Blow | None]]:
    """The free Move of a combat weapon where the target is out of reach, crossing so many enemies.

    Section 6: Attack; ruling `cw-path`. Returns the attack as it stands then, or None where the Move was stopped.
    """
    if not out_of_reach(table, state, blow):
        return state, blow
    yield Say("{} Moves at {} first", (table.name(blow.attacker), table.name(blow.target)))
    state = yield from begin_move(table, state, blow.attacker)
    if (yield from cross(table, state, blow.attacker, enemies)) < enemies:
        return state, None
    return state, blow._replace(distance=reckoning.reach(table, state, blow))
