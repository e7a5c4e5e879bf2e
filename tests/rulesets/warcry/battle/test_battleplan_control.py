"""Control of objectives, quarters, halves, and places of power."""

from __future__ import annotations

import pytest

from cardgen.rulesets.warcry.battle.battleplan import (
    HALVES,
    QUARTERS,
    determine_control,
    find_places,
    held_by,
    remove_place,
)
from cardgen.rulesets.warcry.battle.table import ANY_OBJECTIVE, Table, is_near_objective, near_objective
from cardgen.rulesets.warcry.cards import Ability
from tests.rulesets.warcry.battle.players import Script, run_with, table_of
from tests.rulesets.warcry.referee.fights import terms


def control(table: Table, *holders: str) -> Script:
    script = Script({"control": [*holders]})
    run_with(determine_control(table), script)
    return script


@pytest.mark.parametrize(
    ("plan", "count", "places"),
    [
        ("Lightning Raid", 3, ["objective 1", "objective 2", "objective 3"]),
        ("Plundered Spoils", 3, ["objective A", "objective B", "objective 3"]),
        ("A Reckoning for the Ages", 2, ["place of power 1", "place of power 2"]),
        ("Endless Struggle", 1, ["objective 1"]),
        ("Brutal Encounter", None, [*QUARTERS]),
        ("Blood on the Forest Floor", None, [*HALVES]),
        ("A Tithe of Blades", None, []),
        ("The Flooded Toll", None, []),
    ],
)
def test_the_places_of_each_battleplan(plan: str, count: int | None, places: list[str]) -> None:
    """They are counted on the battlefield where the card has no map, and only if they matter."""
    script = Script({"places": count})
    names, _ = run_with(find_places(table_of(plan)), script)
    assert names == places
    assert bool(script.asked) == (count is not None)


def test_the_objectives_of_a_map() -> None:
    plan = {
        "kind": "battleplan",
        "name": "Mapped",
        "map": {"objectives": [{"at": [1, 1], "mark": "A"}, {"at": [2, 2]}]},
        "primary": {"scores": [{"when": "any-objective", "text": "Any."}]},
        "secondary": {"rule": "devastation"},
        "twist": {"rule": "prize-objective"},
    }
    names, _ = run_with(find_places(table_of(plan)), Script())
    assert names == ["objective A", "objective 2"]


def test_whoever_has_more_fighters_controls_and_keeps_it() -> None:
    table = table_of()
    table.places = ["objective 1", "objective 2"]
    control(table, "Red", "neither")
    assert (held_by(table, 0), held_by(table, 1)) == (["objective 1"], [])
    control(table, "neither", "Blue")
    assert (held_by(table, 0), held_by(table, 1)) == (["objective 1"], ["objective 2"])
    control(table, "Blue", "neither")
    assert held_by(table, 0) == []


def test_a_quarter_is_held_only_by_who_is_there() -> None:
    table = table_of("Brutal Encounter")
    table.places = [*QUARTERS]
    script = control(table, "Red", "Red", "Blue", "neither")
    assert script.of("control")[0].what == f"more fighters wholly within the {QUARTERS[0]}"
    control(table, "neither", "neither", "Blue", "neither")
    assert (held_by(table, 0), held_by(table, 1)) == ([], [QUARTERS[2]])


def test_a_side_without_fighters_is_not_offered() -> None:
    table = table_of(sizes=(1, 1))
    table.places = ["objective 1"]
    table.combatants[0].damage = 10
    script = control(table, "Blue")
    assert script.of("control")[0].options == ("Blue", "neither")
    table.combatants[1].damage = 10
    assert not control(table).of("control")
    assert held_by(table, 1) == ["objective 1"]


def test_an_inactive_objective_is_not_asked_for() -> None:
    table = table_of("Endless Struggle")
    table.places, table.active = ["objective 1", "objective 2"], ["objective 2"]
    assert [each.what for each in control(table).of("control")] == ['more fighters within 3" of objective 2']


def test_whether_an_inactive_objective_can_be_controlled_is_a_ruling() -> None:
    table = table_of("Endless Struggle")
    table.places, table.active = ["objective 1", "objective 2"], ["objective 2"]
    table.rulings = terms({"inactive-objectives": "controlled"}).rulings
    control(table, "Red", "Blue")
    assert (held_by(table, 0), held_by(table, 1)) == (["objective 1"], ["objective 2"])


def test_a_removed_objective_is_held_by_nobody() -> None:
    table = table_of()
    table.places, table.control = ["objective 1", "objective 2"], {"objective 1": 0}
    run_with(remove_place(table, "objective 1"), Script())
    assert (table.places, held_by(table, 0)) == (["objective 2"], [])


def test_a_fighter_is_in_one_quarter_only() -> None:
    table = table_of("Brutal Encounter", sizes=(1, 2))
    table.places = [*QUARTERS]
    asked = control(table, "Red", "Blue", "Blue").of("control")
    assert [each.options for each in asked] == [
        ("Red", "Blue", "neither"), ("Blue", "neither"), ("Blue", "neither"),
    ]  # fmt: skip


@pytest.mark.parametrize(("plan", "second"), [("Plundered Spoils", ()), ("Endless Struggle", ("Red", "neither"))])
def test_a_fighter_holds_several_objectives_only_if_the_battleplan_does_not_forbid_it(
    plan: str, second: tuple[str, ...]
) -> None:
    table = table_of(plan, sizes=(1, 1))
    table.combatants[1].damage = 10
    table.places = table.active = ["objective A", "objective B"]
    asked = control(table, "Red", "Red" if second else "").of("control")
    assert [each.options for each in asked] == [("Red", "neither"), second][: 2 if second else 1]


def test_half_of_one_fighter_is_not_more_than_none() -> None:
    table = table_of("Blood on the Forest Floor", sizes=(1, 2))
    table.places, table.notes.halved = [*HALVES], (HALVES[0], 0)
    assert control(table).of("control")[0].options == ("Blue", "neither")
    table.notes.halved = (HALVES[0], 1)
    assert control(table, "Blue").of("control")[0].options == ("Red", "Blue", "neither")
    asked = control(table, "Blue").of("control")
    assert asked[1].options == ("Red", "neither")  # Blue needs both of its fighters in the half where they are halved.


def test_fighters_known_to_be_near_an_objective_or_not_decide_who_can_have_more() -> None:
    table = table_of(sizes=(1, 2))
    table.places = ["objective 1"]
    red, *blue = table.combatants
    for who in blue:
        table.distances.note(who, who, True, "objective 1")
    assert not control(table).of("control")  # One is not more than two.
    assert held_by(table, 1) == ["objective 1"]
    table.distances.note(blue[0], blue[0], False, "objective 1")
    assert control(table).of("control")[0].options == ("Blue", "neither")
    table.distances.note(red, red, False, "objective 1")
    table.distances.note(blue[1], blue[1], False, "objective 1")
    assert not control(table).of("control")


def test_fighters_that_may_count_as_several_can_have_more_than_others_that_are_more() -> None:
    table = table_of(sizes=(1, 2))
    table.places = ["objective 1"]
    for who in table.combatants[1:]:
        table.distances.note(who, who, True, "objective 1")
    for text in ("This fighter counts as 3 fighters to control objectives until the end of the battle round.",
                 "It may count as a crowd of its own."):  # fmt: skip
        table.sides[0].rules = (Ability(name="Crowd", price="double", text=text),)
        assert control(table, "Red").of("control")[0].options == ("Red", "Blue", "neither")


@pytest.mark.parametrize(
    ("told", "asked_for", "known"),
    [
        ({"objective A": True}, ANY_OBJECTIVE, True),
        ({"objective A": False}, ANY_OBJECTIVE, None),
        ({ANY_OBJECTIVE: False}, "objective A", False),
        ({ANY_OBJECTIVE: True}, "objective A", None),
        ({"objective B": True}, "objective A", None),
    ],
)
def test_what_is_known_of_one_objective_is_known_of_any(
    told: dict[str, bool], asked_for: str, known: bool | None
) -> None:
    table = table_of(sizes=(1, 1))
    table.places, who = ["objective A", "objective B"], table.combatants[0]
    for place, answer in told.items():
        table.distances.note(who, who, answer, place)
    assert near_objective(table, who, asked_for) is known
    script = Script({"near": "no"})
    answer, _ = run_with(is_near_objective(table, who, asked_for), script)
    assert (answer, bool(script.of("near"))) == (bool(known), known is None)


def test_near_an_objective_is_asked_again_when_one_is_removed() -> None:
    table = table_of(sizes=(1, 1))
    table.places, who = ["objective A", "objective B"], table.combatants[0]
    run_with(is_near_objective(table, who), Script({"near": "yes"}))
    assert near_objective(table, who, ANY_OBJECTIVE) is True
    run_with(remove_place(table, "objective A"), Script())
    assert near_objective(table, who, ANY_OBJECTIVE) is None
