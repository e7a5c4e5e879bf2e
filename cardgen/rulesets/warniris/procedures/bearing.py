"""Which effects bear on a miniature's numbers and dice at a moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cardgen.rulesets.warniris.effect import STRIKES, Deeds
from cardgen.rulesets.warniris.procedures.blow import Blow, enough, fits, foe, in_reach, weapons
from cardgen.rulesets.warniris.procedures.fighter import Power
from cardgen.rulesets.warniris.procedures.state import Force, State
from cardgen.rulesets.warniris.procedures.table import Table

GROUPS = ("friends", "enemies")


class Moment(NamedTuple):
    """What is going on: the events of the attacker or mover, those of the target, and the attack if there is one."""

    own: frozenset[str]
    against: frozenset[str] = frozenset()
    blow: Blow | None = None

    def events(self, who: int) -> frozenset[str]:
        """The events at which somebody is now."""
        if self.blow is None:
            return self.own
        if who == self.blow.attacker:
            return self.own
        return self.against if who == self.blow.target else frozenset()


class Borne(NamedTuple):
    """An effect that bears on somebody: whose it is, the effect, and what it does to that one."""

    owner: int
    power: Power
    deeds: Deeds


def borne(table: Table, state: State, who: int, moment: Moment) -> Iterator[Borne]:
    """Every effect that bears on `who` now: those that always bear, and those in force."""
    for owner, fighter in enumerate(table.fighters):
        if fighter.standing and state.stands(owner):
            for power in fighter.standing:
                for party, deeds in power.deeds:
                    if _stands_for(table, state, owner, power, party, who, moment):
                        yield Borne(owner, power, deeds)
    for force in state.mode.forces:
        power = table.fighters[force.owner].powers[force.power]
        for party, deeds in power.deeds:
            if _in_force_for(table, state, force, power, party, who, moment):
                yield Borne(force.owner, power, deeds)


def _stands_for(table: Table, state: State, owner: int, power: Power, party: str, who: int, moment: Moment) -> bool:
    condition, blow = power.condition, moment.blow
    if who not in members(table, state, owner, party, blow) or not enough(condition, state, owner):
        return False
    if power.weapon and (blow is None or (blow.attacker, blow.weapon) != (owner, power.weapon) or blow.reaction):
        return False
    if condition.weapon and (blow is None or condition.weapon != weapon_type(table, state, blow)):
        return False
    if party in GROUPS:
        return reaches(table, owner, who, power, party, blow)
    return not (condition.against and (blow is None or condition.against != foe(table, blow.opponent(owner))))


def reaches(table: Table, owner: int, who: int, power: Power, party: str, blow: Blow | None) -> bool:
    """Whether somebody is one of the friends or enemies whom a condition chooses, as far as distances are known."""
    condition = power.condition
    if party == "enemies" and condition.against and condition.against != foe(table, who):
        return False
    if condition.range_over is None and condition.range_within is None:
        return True
    known = blow is not None and {owner, who} == set(blow.pair)
    if known and blow is not None:
        return in_reach(condition, blow.distance)
    return not table.asked and in_reach(condition, table.distance)


def _in_force_for(table: Table, state: State, force: Force, power: Power, party: str, who: int, moment: Moment) -> bool:
    during, blow = power.during, moment.blow
    if not during:
        on = dict(force.on).get(party, ())
        free = power.when in STRIKES or not power.condition.weapon or blow is None
        return who in on and (free or power.condition.weapon == weapon_type(table, state, blow))
    if during not in moment.events(force.owner) or who not in members(table, state, force.owner, party, blow):
        return False
    return blow is None or fits(table, power.condition, weapon_type(table, state, blow), force.owner, blow)


def weapon_type(table: Table, state: State, blow: Blow | None) -> str:
    """CW, RW or P."""
    return weapons(table, state, blow.attacker)[blow.weapon].type if blow else ""


def members(table: Table, state: State, owner: int, party: str, blow: Blow | None) -> tuple[int, ...]:
    """Whom a word of an effect means."""
    if party == "bearer":
        return (owner,)
    if party == "friends":
        return table.friends(state, owner)
    if party == "enemies":
        return table.enemies(state, owner)
    if blow is None or owner not in blow.pair:
        return ()
    return (blow.attacker,) if party == "attacker" else (blow.target,)
