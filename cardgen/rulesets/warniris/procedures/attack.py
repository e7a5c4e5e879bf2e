"""The attack with a weapon and the channelling of a power (section 6: Attack, Channel)."""

from __future__ import annotations

from cardgen.referee.requests import Glance, Procedure, Say
from cardgen.rulesets.warniris.procedures import bounds, reckoning
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.deeds import note
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.fighter import RAISING
from cardgen.rulesets.warniris.procedures.harm import Cause, heal, inflict
from cardgen.rulesets.warniris.procedures.moving import charge
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.procedures.testing import tested


def strike(table: Table, state: State, blow: Blow) -> Procedure[State]:
    """An attack, a channel or a reaction, from the first effect that it starts to the last.

    Whether it is legal was looked at before (`legality`). A reaction may begin with a combat weapon's free Move (ruling
    `reaction-cw-move`). Reactions that wait for a point of it happen there.
    """
    if blow.reaction and blow.distance is not None:
        state, charged = yield from charge(table, state, blow, 0)
        blow = charged or blow
    if any(each.point != "end" for each in state.mode.waiting):
        return (yield from _strike(state, table, blow))
    after = yield Glance(_strike, state.waiting(), (table, blow), bounds.blow(table, blow))
    return after.waiting(*state.mode.waiting)  # type: ignore[no-any-return]


def _strike(state: State, table: Table, blow: Blow) -> Procedure[State]:
    state = note(table, state, "attack", blow.attacker, blow.target, blow)
    if not reckoning.weapon(table, state, blow).needs_test:
        return (yield from _bless(table, state, blow))
    state = yield from _announced(table, state, blow)
    state, blow, diverted = yield from _past_the_line(table, state, blow)
    if not (diverted and table.rulings["between-hit"] == "skipped"):
        state, hit = yield from tested(
            table, state, reckoning.hit_test(table, state, blow), blow.attacker, "hit", reckoning.hit_moment(blow)
        )
        if not hit:
            return state.ending("attack")
    state = note(table, state, "hit", blow.attacker, blow.target, blow)
    state = yield from _interrupted(table, state, blow, "hit")
    if not (state.stands(blow.attacker) and state.stands(blow.target)):
        return state.ending("attack")
    if "hit" in table.moments:
        state = yield from start(table, state, "hit", (blow.attacker,), blow)
    state, resisted = yield from tested(
        table, state, reckoning.resist_test(table, state, blow), blow.target, "resist", reckoning.resist_moment(blow)
    )
    if resisted:
        return note(table, state, "resist", blow.target, blow.attacker, blow).ending("attack")
    state = yield from _interrupted(table, state, blow, "resist")
    if state.stands(blow.attacker) and state.stands(blow.target):
        state = yield from _wound(table, state, blow)
    return state.ending("attack")


def _announced(table: Table, state: State, blow: Blow) -> Procedure[State]:
    """The effects that start with the attack, the attacker's first."""
    if "attacking" in table.moments:
        state = yield from start(table, state, "attacking", (blow.attacker,), blow)
    if blow.reaction and "reacting" in table.moments:
        state = yield from start(table, state, "reacting", (blow.attacker,), blow)
    if "attacked" in table.moments:
        state = yield from start(table, state, "attacked", (blow.target,), blow)
    return state


def _past_the_line(table: Table, state: State, blow: Blow) -> Procedure[tuple[State, Blow, bool]]:
    """A test for each miniature in between; the first failure makes that one the target.

    Section 4: Miniatures in between; rulings `between-order`, `interference-cover` and `penalty-scope`.
    """
    for count, other in enumerate(blow.between, 1):
        test = reckoning.hit_test(table, state, blow, f"between {count}")
        state, passed = yield from tested(table, state, test, blow.attacker, "between", reckoning.hit_moment(blow))
        if not passed:
            yield Say("{} is in the way and becomes the target", (table.name(other),))
            return (yield from _diverted(table, state, blow, other))
    return state, blow, False


def _diverted(table: Table, state: State, blow: Blow, other: int) -> Procedure[tuple[State, Blow, bool]]:
    """What weighed on the attack for the first target's sake is over; the new target's effects start."""
    kept = tuple(f for f in state.mode.forces if not (f.owner == blow.target and f.until == "attack"))
    state = State(state.mode._replace(forces=kept), state.counters)
    blow = blow._replace(target=other, between=())
    if "attacked" in table.moments:
        state = yield from start(table, state, "attacked", (other,), blow)
    return state, blow, True


def _interrupted(table: Table, state: State, blow: Blow, point: str) -> Procedure[State]:
    """Reactions that were timed for this point (ruling `reaction-when`); none comes within a reaction."""
    if blow.reaction or not state.mode.waiting:
        return state
    return (yield from due(table, state, blow.attacker, point))


def due(table: Table, state: State, actor: int, point: str) -> Procedure[State]:
    """The reactions that wait for this point of an action; at its end all that are left.

    One happens only if both its reactor and the enemy still stand (rulings `reaction-chain`, `reaction-spent`).
    """
    for each in state.mode.waiting:
        if point in (each.point, "end"):
            state = state.waiting(*(other for other in state.mode.waiting if other != each))
            if state.stands(each.reactor) and state.stands(actor):
                blow = Blow(each.reactor, actor, each.weapon, each.distance, each.gap, reaction=True)
                yield Say("{} reacts", (table.name(each.reactor),))
                state = yield from strike(table, state, blow)
    return state


def _wound(table: Table, state: State, blow: Blow) -> Procedure[State]:
    """Damage, then what the weapon gives back, then its effects; none of them where everything was ignored."""
    if RAISING in table.moments:
        state = yield from start(table, state, RAISING, (blow.attacker,), blow)
    points = reckoning.damage(table, state, blow)
    state, stuck = yield from inflict(table, state, blow.target, points, Cause(blow.attacker, blow))
    if (stuck or not points) and not blow.reaction:
        healing = reckoning.weapon(table, state, blow).healing
        if healing:
            state = yield from heal(table, state, blow.target, healing, blow.weapon)
        if "damaging" in table.moments:
            state = yield from start(table, state, "damaging", (blow.attacker,), blow)
    return state


def _bless(table: Table, state: State, blow: Blow) -> Procedure[State]:
    """A line that only heals takes no test (section 6: Attack, Channel, last note)."""
    profile = reckoning.weapon(table, state, blow)
    state = yield from heal(table, state, blow.target, profile.healing, blow.weapon)
    if "damaging" in table.moments:
        state = yield from start(table, state, "damaging", (blow.attacker,), blow)
    return state.ending("attack")
