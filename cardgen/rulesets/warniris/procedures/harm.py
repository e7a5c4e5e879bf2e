"""Wounds lost and given back, and what a miniature's own effects make of each point (section 4: Damage).

This module and `effects` know each other: an effect deals damage, and damage starts effects.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.referee.requests import Call, Procedure, Say
from cardgen.rulesets.warniris.procedures import effects
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.deeds import note
from cardgen.rulesets.warniris.procedures.fighter import GUARDS
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table


class Cause(NamedTuple):
    """Whose deed it is, and the attack by which it came, if it was one."""

    by: int
    blow: Blow | None


def heal(table: Table, state: State, who: int, points: int, what: str) -> Procedure[State]:
    """Give wounds back, never above the printed number (section 2: Wounds)."""
    given = min(points, table.fighters[who].wounds - state.wounds(who))
    if given <= 0 or not state.stands(who):
        return state
    yield Say("{}: {} regains {} (now {})", (what, table.name(who), given, state.wounds(who) + given))
    return state.adding(who, given)


def inflict(table: Table, state: State, victim: int, points: int, cause: Cause) -> Procedure[tuple[State, int]]:
    """Take wounds off; returns the state and how many points were not ignored.

    Each point that counts is a victory point for the side that dealt it (section 7; rulings `overkill-vp`,
    `friendly-vp`, `ignored-vp`).
    """
    if points <= 0 or not state.stands(victim):
        return state, 0
    before = state.wounds(victim)
    if GUARDS in table.fighters[victim].started or table.starts(victim, "damaged"):
        state, stuck = yield Call(_points, (table, state, victim, points, cause, 0, before))
    else:
        state, stuck = _lose(table, state, victim, points, cause, before), points
    lost = before - state.wounds(victim)
    if lost > 0:
        yield Say("{} loses {} (now {})", (table.name(victim), lost, state.wounds(victim)))
        state = note(table, state, "damage", cause.by, victim, cause.blow)
    if not state.stands(victim):
        yield Say("{} is eliminated", (table.name(victim),))
        state = note(table, state, "eliminate", cause.by, victim, cause.blow)
        if "eliminated" in table.moments:
            state = yield from effects.start(table, state, "eliminated", (victim,), cause.blow)
    return state, stuck


def _lose(table: Table, state: State, victim: int, points: int, cause: Cause, room: int) -> State:
    """The state after so many points that nothing ignores; `room` of them may still score."""
    lost = min(points, state.wounds(victim))
    return _score(table, state.adding(victim, -lost), victim, points, cause, room)


def _score(table: Table, state: State, victim: int, points: int, cause: Cause, room: int) -> State:
    side = table.sides[cause.by]
    scored = points if table.rulings["overkill-vp"] == "all" else min(points, room)
    return state if side == table.sides[victim] else state.adding(table.vp(side), scored)


def _points(
    table: Table, state: State, victim: int, points: int, cause: Cause, free: int, room: int
) -> Procedure[tuple[State, int]]:
    """Point by point; `free` points are ignored already, and no more than `room` may score as wounds."""
    if not (state.stands(victim) or table.rulings["overkill-vp"] == "all"):
        return state, 0
    if not free:
        state, free = yield from _ignored(table, state, victim, cause.blow)
    stuck = 0 if free else 1
    if stuck:
        state = _lose(table, state, victim, 1, cause, room)
        if "damaged" in table.moments and state.stands(victim):
            state = yield from effects.start(table, state, "damaged", (victim,), cause.blow)
    elif table.rulings["ignored-vp"] == "scored":
        state = _score(table, state, victim, 1, cause, room)
    if points == 1:
        return state, stuck
    room -= stuck or table.rulings["ignored-vp"] == "scored"
    state, more = yield Call(_points, (table, state, victim, points - 1, cause, max(0, free - 1), max(0, room)))
    return state, stuck + more


def _ignored(table: Table, state: State, victim: int, blow: Blow | None) -> Procedure[tuple[State, int]]:
    """How many points, from this one on, the first effect that ignores any takes away."""
    for force in state.mode.forces:
        power = table.fighters[force.owner].powers[force.power]
        if force.owner == victim and power.during == "damaged" and power.ignored:
            return state, power.ignored
    for number in table.fighters[victim].started.get(GUARDS, ()):
        if effects.usable(table, state, victim, number, blow):
            state, holds = yield from effects.holds(table, state, victim, number)
            if holds:
                ignored = table.fighters[victim].powers[number].ignored
                yield Say("{} ignores {}", (table.name(victim), ignored))
                return state, ignored
    return state, 0
