"""Tests with the re-rolls that effects allow or force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cardgen.referee.requests import Choice, Procedure, Roll, Test
from cardgen.rulesets.warniris.procedures.bearing import Borne, Moment, borne, members, weapon_type
from cardgen.rulesets.warniris.procedures.blow import enough, fits
from cardgen.rulesets.warniris.procedures.effects import NO, YES, unused, used
from cardgen.rulesets.warniris.procedures.policy import wanted
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table


def tested(
    table: Table, state: State, test: Test, who: int, sort: str, moment: Moment
) -> Procedure[tuple[State, bool]]:
    """Take a test (section 4), and once more where an effect says so; a die is re-rolled once at most.

    `sort` is hit, resist or timing. Friends may re-roll a failure; an enemy's effect forces a success again.
    """
    passed = yield test
    if table.rerolls:
        for each in _rerolls(table, state, who, sort, moment):
            if (table.sides[each.owner] == table.sides[who]) != passed:
                state, again = yield from _again(table, state, each)
                if again:
                    return state, (yield replace(test, key=f"{test.key} again", what=f"{test.what}, again"))
    return state, passed


def _rerolls(table: Table, state: State, who: int, sort: str, moment: Moment) -> Iterator[Borne]:
    """The effects that re-roll this die: those that bear, and those whose moment this is."""
    yield from (each for each in borne(table, state, who, moment) if each.deeds.reroll == sort)
    for owner, fighter in enumerate(table.fighters):
        for power in fighter.powers:
            lasting = power.standing or power.span
            if lasting or power.when not in moment.events(owner) or not unused(table, state, owner, power):
                continue
            blow, condition = moment.blow, power.condition
            if blow and not fits(table, condition, weapon_type(table, state, blow), owner, blow):
                continue
            for party, deeds in power.deeds:
                concerned = deeds.reroll == sort and who in members(table, state, owner, party, blow)
                if concerned and enough(condition, state, owner):
                    yield Borne(owner, power, deeds)


def _again(table: Table, state: State, each: Borne) -> Procedure[tuple[State, bool]]:
    """Whether the die is re-rolled: a thing for once only is used up by it."""
    power, owner = each.power, each.owner
    if power.once or table.asked:
        advised = YES if not power.once or wanted(table, state, owner, power) else NO
        what = f"re-roll by {power.name}"
        if (yield Choice(what, table.name(owner), what, (YES, NO), advised)) == NO:
            return state, False
        state = used(table, state, owner, power)
    if power.condition.roll and not power.standing:
        return state, (yield Roll(power.name, table.name(owner), power.name, wins=power.condition.roll))
    return state, True
