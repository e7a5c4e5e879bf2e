"""Courage: rallies, All Alone, parting blows, flights, and rout tests (seed: Psychology)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from cardgen.game import Log, MemoizedCall, Procedure, roll_sum
from cardgen.rulesets.skirmish.referee.aim import Fighter, parting_blow
from cardgen.rulesets.skirmish.referee.blow import Outcome, resolve
from cardgen.rulesets.skirmish.referee.charts import flight_dice, leadership_test
from cardgen.rulesets.skirmish.referee.warrior import FALLEN, FIT, OUT, Health, Rules, Warrior

LEADER_REACH = 6


class Opponent(NamedTuple):
    """An opponent of a fighter who breaks: its health, and whether it can still cause a critical hit."""

    fighter: Fighter
    health: Health
    may_crit: bool = True


Opponents: TypeAlias = tuple[Opponent, ...]


class Break(NamedTuple):
    """How a fighter leaves a combat: whether it runs, and its health."""

    runs: bool
    health: Health


def count_opponents(opponents: Sequence[Opponent], rules: Rules) -> int:
    """Return how many opponents count for All Alone."""
    counts_all = ("fallen-opponents", "all") in rules
    return sum(each.health.state == FIT or (counts_all and each.health.state in FALLEN) for each in opponents)


def break_away(one: Fighter, health: Health, opponents: Opponents, rules: Rules, dice: int = 2) -> Procedure[Break]:
    """Resolve the parting blows of opponents and the flight of a fighter that breaks."""
    strikes_all = ("parting-blows", "all") in rules
    batch = rules - {("milder-injury", "new")} | {("milder-injury", "worse")}
    for opponent in opponents:
        if health.state == OUT or opponent.health.state not in ((FIT, *FALLEN) if strikes_all else (FIT,)):
            continue
        volley = parting_blow(opponent.fighter, one, health, batch)
        outcome: Outcome = yield MemoizedCall(resolve, (volley, health, opponent.may_crit))
        health = outcome.health
    if health.state != FIT and not (strikes_all and health.state in FALLEN):
        yield Log("{} does not get away", (one.warrior.name,))
        return Break(False, health)
    inches = yield from roll_sum(dice, "flight", one.warrior.name, "flight in inches")
    yield Log('{} runs {}" away', (one.warrior.name, inches))
    return Break(True, health)


def alone_test(
    one: Fighter, health: Health, opponents: Opponents, leadership: int, rules: Rules
) -> Procedure[Break | None]:
    """Take the All Alone test; return None if it is passed or not needed."""
    is_immune = "immune" in one.warrior.rules and ("alone-immune", "never") in rules
    if is_immune or health.state != FIT or count_opponents(opponents, rules) < 2:
        return None
    if (yield from leadership_test(one.warrior.name, leadership, "All Alone")):
        return None
    return (yield from break_away(one, health, opponents, rules))


def flight_length(warrior: Warrior, rules: Rules, *, was_alone: bool) -> int:
    """Return how many D6 inches a fleeing warrior runs."""
    return 2 if was_alone and ("flight", "cause") in rules else flight_dice(warrior.move)
