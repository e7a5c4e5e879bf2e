"""Effects that start: at their moment, if what they ask holds, for as long as they say."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.referee.requests import Choice, Procedure, Roll, Say
from cardgen.rulesets.warniris.effect import STRIKES, Deeds
from cardgen.rulesets.warniris.procedures import harm
from cardgen.rulesets.warniris.procedures.bearing import GROUPS, members, reaches, weapon_type
from cardgen.rulesets.warniris.procedures.blow import Blow, enough, fits
from cardgen.rulesets.warniris.procedures.fighter import SUDDEN, Power
from cardgen.rulesets.warniris.procedures.policy import wanted
from cardgen.rulesets.warniris.procedures.state import Force, State
from cardgen.rulesets.warniris.procedures.table import Table

YES, NO = "yes", "no"


def start(
    table: Table, state: State, moment: str, bearers: Iterable[int], blow: Blow | None = None
) -> Procedure[State]:
    """Start every effect of the bearers whose moment this is, and let those in force bear that wait for it."""
    for who in bearers:
        for number in table.fighters[who].started.get(moment, ()):
            if usable(table, state, who, number, blow):
                state = yield from _use(table, state, who, number, blow)
    for force in state.mode.forces:
        power = table.fighters[force.owner].powers[force.power]
        if power.during == moment and force.owner in bearers and _speaks_of(table, state, force.owner, power, blow):
            state = yield from _suddenly(table, state, force.owner, power, blow)
    return state


def usable(table: Table, state: State, who: int, number: int, blow: Blow | None) -> bool:
    """Whether an effect may start: not used up, and what it asks for holds, its die apart."""
    power = table.fighters[who].powers[number]
    if not unused(table, state, who, power):
        return False
    if not enough(power.condition, state, who) or not _speaks_of(table, state, who, power, blow):
        return False
    return not _only_rerolls(power)


def _only_rerolls(power: Power) -> bool:
    """True for what is decided when the die has been seen."""
    return not power.span and all(deeds.reroll for _, deeds in power.deeds)


def _speaks_of(table: Table, state: State, who: int, power: Power, blow: Blow | None) -> bool:
    """Whether this attack is one that the effect speaks of. A reaction applies no effects (section 6: Reaction)."""
    if blow is None:
        return not power.weapon
    if power.weapon and (who, power.weapon) != (blow.attacker, blow.weapon):
        return False
    if blow.reaction and who == blow.attacker and (power.weapon or power.bears in ("hit", "damaging")):
        return False
    bears_here = power.bears in STRIKES or (power.when in STRIKES and not power.during)
    return not bears_here or fits(table, power.condition, weapon_type(table, state, blow), who, blow)


def _use(table: Table, state: State, who: int, number: int, blow: Blow | None) -> Procedure[State]:
    state, begins = yield from holds(table, state, who, number)
    return (yield from _begin(table, state, who, number, blow)) if begins else state


def holds(table: Table, state: State, who: int, number: int) -> Procedure[tuple[State, bool]]:
    """Whether an effect that may start does: the choice to use up a thing for once only, then the effect's die."""
    power = table.fighters[who].powers[number]
    if power.once:
        advised = YES if wanted(table, state, who, power) else NO
        if not table.asked and advised == NO:
            return state, False
        if (yield Choice(f"use {power.name}", table.name(who), f"use {power.name}", (YES, NO), advised)) == NO:
            return state, False
        state = used(table, state, who, power)
    if not power.condition.roll:
        return state, True
    begins = yield Roll(power.name, table.name(who), power.name, wins=power.condition.roll)
    return state, begins


def unused(table: Table, state: State, who: int, power: Power) -> bool:
    """Whether a thing is left to be used, in this battle and this turn."""
    counter = table.uses.get((who, power.source))
    spent = counter is not None and not state.counters[counter]
    return not (spent or power.source in state.mode.marks[who].rested)


def used(table: Table, state: State, who: int, power: Power) -> State:
    """The state after a thing for once only was used; without a limit nothing changes."""
    marks = state.mode.marks[who]
    if power.once == "turn" and power.source not in marks.rested:
        return state.marking(who, marks._replace(rested=tuple(sorted((*marks.rested, power.source)))))
    counter = table.uses.get((who, power.source))
    return state if counter is None else state.adding(counter, -state.counters[counter])


def _begin(table: Table, state: State, who: int, number: int, blow: Blow | None) -> Procedure[State]:
    """What holds for a while comes into force; what is sudden happens, unless it waits for its moment."""
    power = table.fighters[who].powers[number]
    span = power.span or ("attack" if blow else "")
    lasting = any(_lasts(deeds) for _, deeds in power.deeds)
    if power.during and power.span:
        return state.forcing(Force(who, number, (), power.span))
    if lasting and span:
        on = []
        for party, _ in power.deeds:
            on.append((party, (yield from _chosen(table, state, who, power, party, blow))))
        state = state.forcing(Force(who, number, tuple(on), span))
        if span != "attack":
            yield Say("{} of {} holds until the end of the {}", (power.name, table.name(who), span))
    return (yield from _suddenly(table, state, who, power, blow))


def _lasts(deeds: Deeds) -> bool:
    return any(getattr(deeds, name) for name in type(deeds).model_fields if name not in (*SUDDEN, "ignore"))


def _suddenly(table: Table, state: State, who: int, power: Power, blow: Blow | None) -> Procedure[State]:
    for party, deeds in power.deeds:
        if deeds.heal or deeds.deal or deeds.move:
            for other in (yield from _chosen(table, state, who, power, party, blow)):
                state = yield from _suffer(table, state, who, other, power, deeds)
    return state


def _suffer(table: Table, state: State, who: int, other: int, power: Power, deeds: Deeds) -> Procedure[State]:
    if not state.stands(other):
        return state
    if deeds.heal:
        state = yield from harm.heal(table, state, other, deeds.heal, power.name)
    if deeds.move:
        yield Say("{}: {} may be moved up to {} cm", (power.name, table.name(other), deeds.move))
    if deeds.deal:
        state, _ = yield from harm.inflict(table, state, other, deeds.deal, harm.Cause(who, None))
    return state


def _chosen(
    table: Table, state: State, who: int, power: Power, party: str, blow: Blow | None
) -> Procedure[tuple[int, ...]]:
    """Whom an effect concerns; where the table alone knows the distances, it is asked."""
    named = members(table, state, who, party, blow)
    if party not in GROUPS:
        return named
    condition = power.condition
    measured = condition.range_over is not None or condition.range_within is not None
    if not (table.asked and measured) or (blow and power.bears in STRIKES):
        return tuple(other for other in named if reaches(table, who, other, power, party, blow))
    chosen = []
    for other in named:
        what = f"{power.name}: is {table.name(other)} {away(power)} of {table.name(who)}"
        if (yield Choice(f"near {table.name(other)}", table.name(who), what, (YES, NO))) == YES:
            chosen.append(other)
    return tuple(chosen)


def away(power: Power) -> str:
    """How far off an effect chooses: 'within 8 cm'."""
    condition = power.condition
    over = f"over {condition.range_over} cm" if condition.range_over is not None else ""
    within = f"within {condition.range_within} cm" if condition.range_within is not None else ""
    return " but ".join(part for part in (over, within) if part)
