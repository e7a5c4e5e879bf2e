"""Control of objectives, table quarters, halves, and places of power."""

from __future__ import annotations

from cardgen.game import Log, Measurement, Procedure, choose, join_words
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.questions import NEITHER
from cardgen.rulesets.warcry.referee.battle.table import Side, Table

QUARTERS = ("upper left quarter", "upper right quarter", "lower left quarter", "lower right quarter")
HALVES = ("red half", "blue half")
AREAS = {"more-quarters": QUARTERS, "more-halves": HALVES}
CONTROL_CONDITIONS = {"any-objective", "two-objectives", "more-objectives", "red-holds-b", "blue-holds-a"}
OBJECTIVE_RULES = {"new-objectives", "active-objectives", "bloodgifted", "extra-objective"}
PLACE_RULE = "more-places-of-power"
MOST_PLACES = 12
MARKS = ("A", "B")


def needs_objectives(plan: Battleplan) -> bool:
    """Return whether the match tracker has to know who holds which objective."""
    conditions = {score.when for score in plan.primary.scores} | {score.when for score in plan.secondary.scores}
    return not conditions.isdisjoint(CONTROL_CONDITIONS) or plan.secondary.rule in OBJECTIVE_RULES - {"extra-objective"}


def has_red_and_blue(plan: Battleplan) -> bool:
    """Return whether it matters who deploys at the red points."""
    return any(score.when in ("red-holds-b", "blue-holds-a") for score in plan.primary.scores)


def find_places(table: Table) -> Procedure[list[str]]:
    """Return the names of everything that can be held, from the card or by asking."""
    plan = table.plan
    if plan.secondary.rule in AREAS:
        return [*AREAS[plan.secondary.rule]]
    if plan.secondary.rule == PLACE_RULE:
        return (yield from _ask_count("places of power on the battlefield", "place of power"))
    if not needs_objectives(plan):
        return []
    if plan.map and plan.map.objectives:
        return [f"objective {each.mark or number}" for number, each in enumerate(plan.map.objectives, 1)]
    return (yield from _ask_count("objectives on the battlefield", "objective", marked=has_red_and_blue(plan)))


def _ask_count(what: str, name: str, *, marked: bool = False) -> Procedure[list[str]]:
    count = yield Measurement("places", "", what, len(MARKS) if marked else 1, MOST_PLACES)
    marks = MARKS if marked else ()
    return [f"{name} {mark}" for mark in (*marks, *range(len(marks) + 1, int(count) + 1))]


def determine_control(table: Table) -> Procedure[None]:
    """Ask who holds each place at the end of a battle round.

    Objectives and places of power stay with whoever held them until the other player has more fighters there; quarters
    and halves do not.
    """
    areas = table.plan.secondary.rule in AREAS
    for place in _places_to_ask(table):
        if place == table.notes.ignored_place and areas:
            table.control.pop(place, None)
            continue
        holder = yield from _ask_holder(table, place, wholly=areas)
        if holder is not None:
            table.control[place] = holder
        elif areas:
            table.control.pop(place, None)
    for side in table.sides:
        if held := [place for place, holder in table.control.items() if holder == side.index]:
            yield Log("{} controls {}", (side.name, join_words(held, "and")))


def _places_to_ask(table: Table) -> list[str]:
    """Return the places that can be controlled; an inactive objective only by the ruling `inactive-objectives`."""
    is_limited = table.plan.secondary.rule == "active-objectives" and table.rulings["inactive-objectives"] == "not"
    places = table.active if is_limited else table.places
    return [*places, *filter(None, [table.notes.extra_objective])]


def _ask_holder(table: Table, place: str, *, wholly: bool) -> Procedure[int | None]:
    """Ask which side has more fighters at a place; a side without fighters cannot."""
    options: dict[str, int | None] = {side.name: side.index for side in table.sides if _can_hold(table, side)}
    if not options:
        return None
    where = f"wholly within the {place}" if wholly else f'within 3" of {place}'
    what = f"more fighters {where}{_exceptions(table, place)}"
    return (yield from choose("control", "", what, {**options, NEITHER: None}))


def _can_hold(table: Table, side: Side) -> bool:
    return any(each not in _barred(table) for each in table.standing(side.index))


def _barred(table: Table) -> list[Combatant]:
    """Return the fighters on the battlefield that cannot control objectives: by a twist, or by an effect."""
    if table.plan.secondary.rule in AREAS:
        return []
    return [each for each in table.combatants if each.stands and (each is table.notes.barred or "control" in each.bans)]


def _exceptions(table: Table, place: str) -> str:
    """Say who does not count."""
    half, side = table.notes.halved
    if half == place:
        return f", with half of {table.sides[side].name} rounded down"
    names = [each.name for each in _barred(table)]
    return f", without {join_words(names, 'and')}" if names else ""


def held_by(table: Table, side: int) -> list[str]:
    """Return the places that a side holds and that count in this battle round."""
    return [place for place, holder in table.control.items() if holder == side and _counts(table, place)]


def _counts(table: Table, place: str) -> bool:
    return place in table.places and place != table.notes.ignored_place


def remove_place(table: Table, place: str) -> Procedure[None]:
    """Remove an objective from the battlefield, or a place that nobody can hold any more."""
    table.places.remove(place)
    table.control.pop(place, None)
    if place in table.active:
        table.active.remove(place)
    yield Log("{} is out of play", (place.capitalize(),))
