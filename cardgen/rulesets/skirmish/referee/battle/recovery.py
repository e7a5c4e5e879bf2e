"""The start of a turn, and its Recovery phase."""

from __future__ import annotations

from cardgen.game import Log, Procedure, confirm, select
from cardgen.rulesets.skirmish.referee.battle.harm import panic, run_away
from cardgen.rulesets.skirmish.referee.battle.table import ALONE, PANIC, Model, Table
from cardgen.rulesets.skirmish.referee.charts import flight_dice
from cardgen.rulesets.skirmish.referee.morale import flight_length, rout_test
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, STUNNED

PANIC_REACH, TERROR_REACH = 4, 6


def start_turn(table: Table) -> Procedure[None]:
    """Take rout tests, and then those of panic, terror, stupidity, and of models that ran because they were alone."""
    side, name = table.side, table.sides[table.side]
    for each in table.models:
        keeps_rank = each.side != side and table.says("stand-up", "next-turn")
        each.acts &= {"rose"} if keeps_rank else set()
    if (yield from rout_test(name, table.force(side), table.rules)):
        yield Log("{} routs", (name,))
        table.loser = side
        return
    if table.of(side, lambda each: bool(each.flight)):
        what = f'models within {PANIC_REACH}" of fleeing friends that test for panic'
        for each in (
            yield from select("panic", name, what, table.of(side, lambda each: each.is_fit and not each.ignores_fear))
        ):
            yield from panic(table, each)
    if table.of(1 - side, lambda each: each.has_rule("terror")):
        afraid = table.of(side, lambda each: each.is_fit and can_be_terrified(each))
        for each in (yield from select("terror", name, f'models within {TERROR_REACH}" of terror', afraid)):
            yield from test_terror(table, each)
    for each in table.of(side, lambda each: each.is_fit and each.has_rule("stupidity")):
        if not (yield from table.test_courage(each, "stupidity test")):
            each.acts.add("stupid")
    for each in table.of(side, lambda each: each.flight == ALONE) if table.says("runners", "test") else ():
        yield from _recover_nerve(table, each)


def can_be_terrified(who: Model) -> bool:
    """Return whether a model still tests for terror."""
    return not (who.ignores_fear or who.is_proof_to_terror or who.has_rule("terror"))


def test_terror(table: Table, who: Model) -> Procedure[bool]:
    """Take the one terror test of a model in a game; one that fails flees, and cannot rally in this turn."""
    who.is_proof_to_terror = True
    if (yield from table.test_courage(who, "terror test")):
        return True
    who.acts.add("terrified")
    yield from run_away(table, who, PANIC, flight_dice(who.warrior.m))
    return False


def _recover_nerve(table: Table, who: Model) -> Procedure[None]:
    if (yield from table.test_courage(who, "test to stop")):
        who.flight = ""
        who.acts.add("resting")
    else:
        yield from run_away(table, who, ALONE, 2)


def recover(table: Table) -> Procedure[None]:
    """Play the Recovery phase: rallies, and models that turn over or stand up."""
    name = table.sides[table.side]
    for each in table.of(table.side, lambda each: bool(each.flight) and not each.has_acted("fled")):
        yield from _rally(table, each)
    for each in table.of(table.side):
        if each.health.state == STUNNED:
            each.health = each.health._replace(state=DOWN)
            yield Log("{} turns over", (each,))
        elif each.health.state == DOWN and (yield from confirm("rise", name, f"{each.name} stands up")):
            each.health = each.health._replace(state=FIT)
            each.acts.add("rose")


def _rally(table: Table, who: Model) -> Procedure[None]:
    side = table.sides[who.side]
    is_near = yield from confirm("nearest", side, f"the model nearest to {who.name} is a fit enemy that is not hidden")
    if not is_near and (yield from table.test_courage(who, "rally")):
        who.flight = ""
        who.acts.add("resting" if table.says("rally", "cast") else "rallied")
        yield Log("{} rallies", (who.name,))
        return
    dice = flight_length(who.warrior, table.rules, was_alone=who.flight == ALONE)
    yield from run_away(table, who, who.flight, dice)
