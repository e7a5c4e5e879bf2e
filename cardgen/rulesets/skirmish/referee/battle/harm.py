"""Harm and its consequences: falls from edges, panic, and flight."""

from __future__ import annotations

from cardgen.game import Log, Measurement, Procedure, choose, confirm, roll_sum, select
from cardgen.rulesets.skirmish.referee.aim import Fighter
from cardgen.rulesets.skirmish.referee.battle.table import ALONE, PANIC, Model, Table
from cardgen.rulesets.skirmish.referee.charts import flight_dice
from cardgen.rulesets.skirmish.referee.heights import EDGE, Attempt, slip
from cardgen.rulesets.skirmish.referee.morale import Break, Opponent, break_away
from cardgen.rulesets.skirmish.referee.warrior import FALLEN, FIT, OUT, Health, Rules

PANIC_REACH, HIGHEST = 6, 30
OTHER_HEIGHT, UNKNOWN = "another height", -1


def rules_for(table: Table, victim: Model) -> Rules:
    """Return the rulings for an attack; a model that was felled in this turn may keep its worse state."""
    keeps_worse = table.says("worst-injury", "turn") and victim.has_acted("felled")
    return frozenset({**table.settings, **({"milder-injury": "worse"} if keeps_worse else {})}.items())


def take_harm(
    table: Table, who: Model, health: Health, *, was: Health | None = None, can_slip: bool = True
) -> Procedure[None]:
    """Give a model its health after an attack or a fall, with everything that follows.

    `was` is its health before, if it has the new one already.
    """
    was, who.health = was or who.health, health
    if health.state == was.state:
        yield from [Log("{}", (who,))] if health != was else ()
        return
    who.is_hidden, who.flight = False, ""
    who.acts.add("felled")
    may_slip = health.state in FALLEN and can_slip and table.has_heights
    if may_slip and (height := (yield from _measure_edge(table, who))):
        roller = table.sides[1 - who.side]
        landing = yield from slip(who.warrior, health, Attempt(height), rules_for(table, who), roller)
        yield from take_harm(table, who, landing.health, can_slip=False)
    if health.state == OUT:
        who.leave_combat()
    if health.state == OUT or table.says("panic-broken", "any"):
        yield from spread_panic(table, who)


def _measure_edge(table: Table, who: Model) -> Procedure[int]:
    """Ask for the height of the edge over which a felled model may slip; 0 if there is none."""
    what = f'edge within {EDGE}" of {who.name}'
    if not table.floors:
        height: int = yield Measurement("edge", "", f"height of an {what}, 0 for none", 0, HIGHEST, "inches")
        return height
    height = yield from choose("edge", "", what, {"none": 0, **table.floors, OTHER_HEIGHT: UNKNOWN})
    if height == UNKNOWN:
        height = yield Measurement("height", "", f"height of the {what}", 1, table.highest, "inches")
    return height


def measure_height(table: Table, who: str, what: str, low: int, high: int) -> Procedure[int]:
    """Ask for a height, within limits: one of those that the scenario names, or another one."""
    floors = {label: height for label, height in table.floors.items() if low <= height <= high}
    height = (yield from choose("height", who, what, {**floors, OTHER_HEIGHT: UNKNOWN})) if floors else UNKNOWN
    if height == UNKNOWN:
        height = yield Measurement("height", who, what, low, min(high, table.highest or high), "inches")
    return height


def spread_panic(table: Table, cause: Model) -> Procedure[None]:
    """Let the friends near a model that is lost test for panic, each once in a phase."""
    what = f'models within {PANIC_REACH}" of {cause.name} that test for panic'
    yield from panic_test(table, cause.side, what)


def panic_test(table: Table, side: int, what: str) -> Procedure[None]:
    """Ask which models test for panic; those who fail flee, from combat under parting blows."""
    friends = table.of(side, lambda each: each.is_fit and not each.ignores_fear and not each.has_acted("tested"))
    for who in (yield from select("panic", table.sides[side], what, friends)):
        who.acts.add("tested")
        if not who.is_fit or (yield from table.test_courage(who, "panic test")):
            continue
        if who.contacts:
            end = yield from break_away(*opponents_of(who), table.rules, flight_dice(who.profile.move))
            yield from leave_fight(table, who, end, PANIC)
        else:
            yield from run_away(table, who)


def opponents_of(who: Model) -> tuple[Fighter, Health, tuple[Opponent, ...]]:
    """Return a model and its opponents as procedures see them."""
    enemies = sorted(who.contacts, key=lambda each: each.name)
    opponents = (Opponent(fighter_of(each), each.health, not each.has_acted("critical")) for each in enemies)
    return fighter_of(who), who.health, tuple(opponents)


def fighter_of(who: Model) -> Fighter:
    """Return a model as a fighter with its weapon in this combat."""
    weapon = next((each for each in who.warrior.melee_weapons if each.name == who.weapon), who.warrior.melee_weapons[0])
    return Fighter(who.warrior, who.side, weapon, first=not who.rounds)


def leave_fight(table: Table, who: Model, end: Break, cause: str) -> Procedure[None]:
    """Move a model out of a combat that it breaks from, unless parting blows have felled it."""
    if not end.runs:
        yield from take_harm(table, who, end.health)
        return
    who.health = end.health._replace(state=FIT)
    yield from _flee(table, who, cause)
    if cause == ALONE or table.says("panic-broken", "any"):
        yield from spread_panic(table, who)


def run_away(table: Table, who: Model, cause: str = PANIC, dice: int = 0) -> Procedure[None]:
    """Roll for the flight of a model, which may lead off the table."""
    inches = yield from roll_sum(dice or flight_dice(who.profile.move), "flight", who.name, "flight in inches")
    yield Log('{} runs {}"', (who.name, inches))
    yield from _flee(table, who, cause)


def _flee(table: Table, who: Model, cause: str) -> Procedure[None]:
    who.leave_combat()
    who.flight, who.is_hidden = cause, False
    who.acts.add("fled")
    if (yield from confirm("off", table.sides[who.side], f"{who.name} reaches a table edge")):
        who.is_gone = True
        yield Log("{} flees off the table, and counts as out of action", (who.name,))
