"""The start of a turn, and its Recovery phase."""

from __future__ import annotations

from cardgen.game import Log, Procedure, confirm, select
from cardgen.rulesets.skirmish.referee.battle.harm import panic_test, run_away
from cardgen.rulesets.skirmish.referee.battle.table import ALONE, Model, Table
from cardgen.rulesets.skirmish.referee.morale import flight_length
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, STUNNED

NEAR_FLIGHT, TERROR_REACH = 4, 6


def start_turn(table: Table) -> Procedure[None]:
    """Take rout tests, and then those of panic, terror, stupidity, and of models that ran because they were alone."""
    side, name = table.side, table.sides[table.side]
    for each in table.models:
        each.acts &= {"rose"} if each.side != side and table.says("stand-up", "next-turn") else set()
    if (yield from table.test_rout()):
        yield Log("{} routs", (name,))
        table.loser = side
        return
    if table.of(side, lambda each: bool(each.flight)):
        yield from panic_test(table, side, f'models within {NEAR_FLIGHT}" of fleeing friends that test for panic')
    if table.of(1 - side, lambda each: each.has_rule("terror")):
        afraid = table.of(side, lambda each: each.is_fit and can_be_terrified(each))
        for each in (yield from select("terror", name, f'models within {TERROR_REACH}" of terror', afraid)):
            yield from terror_test(table, each)
    for each in table.of(side, lambda each: each.is_fit and each.has_rule("stupidity")):
        each.acts |= set() if (yield from table.test_courage(each, "stupidity test")) else {"stupid"}
    for each in table.of(side, lambda each: each.flight == ALONE and table.says("runners", "test")):
        if (yield from table.test_courage(each, "test to stop")):
            each.flight = ""
            each.acts.add("resting")
        else:
            yield from run_away(table, each, ALONE, 2)


def can_be_terrified(who: Model) -> bool:
    """Return whether a model still tests for terror."""
    return not (who.ignores_fear or who.is_proof_to_terror or who.has_rule("terror"))


def terror_test(table: Table, who: Model) -> Procedure[bool]:
    """Take the one terror test of a model in a game; one that fails flees, and cannot rally in this turn."""
    who.is_proof_to_terror = True
    passed = yield from table.test_courage(who, "terror test")
    if not passed:
        yield from run_away(table, who)
    return passed


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
    what = f"the model nearest to {who.name} is a fit enemy that is not hidden"
    is_near = yield from confirm("nearest", table.sides[who.side], what)
    if is_near or not (yield from table.test_courage(who, "rally")):
        dice = flight_length(who.profile, table.rules, was_alone=who.flight == ALONE)
        yield from run_away(table, who, who.flight, dice)
        return
    who.flight = ""
    who.acts.add("resting" if table.says("rally", "cast") else "rallied")
    yield Log("{} rallies", (who.name,))
