"""Geometry, as the players measure it on the table; nothing of it is simulated."""

from __future__ import annotations

from cardgen.referee.requests import Choice, Number, Procedure
from cardgen.rulesets.warniris.procedures.bearing import GROUPS
from cardgen.rulesets.warniris.procedures.blow import Blow, foe
from cardgen.rulesets.warniris.procedures.effects import NO, YES, away
from cardgen.rulesets.warniris.procedures.fighter import Power
from cardgen.rulesets.warniris.procedures.moving import too_far
from cardgen.rulesets.warniris.procedures.state import Force, State
from cardgen.rulesets.warniris.procedures.table import Table

CLEAR, GAP, HIDDEN = "in clear sight", "through a gap of 1 cm or more (-1)", "wholly hidden"
NOBODY = "nobody"
FARTHEST = 73


def measured(table: Table, state: State, blow: Blow) -> Procedure[tuple[Blow, str]]:
    """An attack with its distance, cover and line, and why it is not possible, or '' (section 6: Attack, Cover)."""
    if blow.attacker == blow.target:
        return blow, ""
    who, target = table.name(blow.attacker), table.name(blow.target)
    distance = yield Number("distance", who, f"distance to {target}", 0, FARTHEST, "cm")
    blow = blow._replace(distance=distance)
    problem = too_far(table, state, blow)
    if problem:
        return blow, problem
    sight = yield Choice("sight", who, f"sees {target}", (CLEAR, GAP, HIDDEN))
    if sight == HIDDEN:
        return blow, f"{target} is wholly hidden"
    between = yield from _between(table, state, blow)
    return blow._replace(gap=sight == GAP, between=between), ""


def _between(table: Table, state: State, blow: Blow) -> Procedure[tuple[int, ...]]:
    """The miniatures in the line, from the attacker outward (ruling `between-order`)."""
    left = [i for i in range(len(table.fighters)) if state.stands(i) and i not in blow.pair]
    found: list[int] = []
    while left:
        options = (NOBODY, *(table.name(i) for i in left))
        word = "next" if found else "first"
        chosen = yield Choice("between", table.name(blow.attacker), f"who is {word} in the line", options)
        if chosen == NOBODY:
            break
        found.append(left.pop(options.index(chosen) - 1))
    return tuple(found)


def auras(table: Table, state: State, blow: Blow) -> Procedure[State]:
    """Ask whether those who fight are near enough to somebody else whose standing effect chooses by distance."""
    for owner, fighter in enumerate(table.fighters):
        for number, power in enumerate(fighter.powers):
            if not (power.standing and state.stands(owner) and _measures(power)):
                continue
            on = []
            for party, _ in power.deeds:
                near = yield from _near(table, state, blow, owner, power, party)
                on.append((party, near))
            if any(members for _, members in on):
                state = state.forcing(Force(owner, number, tuple(on), "attack"))
    return state


def _measures(power: Power) -> bool:
    condition = power.condition
    return condition.range_over is not None or condition.range_within is not None


def _near(table: Table, state: State, blow: Blow, owner: int, power: Power, party: str) -> Procedure[tuple[int, ...]]:
    if party not in GROUPS:
        return ()
    group = table.friends(state, owner) if party == "friends" else table.enemies(state, owner)
    against = power.condition.against
    found = []
    for other in dict.fromkeys(blow.pair):
        known = {owner, other} == set(blow.pair)
        if other not in group or known or (party == "enemies" and against and against != foe(table, other)):
            continue
        what = f"{power.name}: is {table.name(other)} {away(power)} of {table.name(owner)}"
        if (yield Choice(f"near {table.name(other)}", table.name(owner), what, (YES, NO))) == YES:
            found.append(other)
    return tuple(found)
