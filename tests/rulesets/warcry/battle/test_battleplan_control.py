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
from cardgen.rulesets.warcry.battle.table import Table
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
