"""The remaining moves: runs, hiding, climbs, jumps, crawling, and leaving the table."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.skirmish.referee.battle.battle import can_move, compulsory_moves, other_moves
from cardgen.rulesets.skirmish.referee.battle.table import Model
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, STUNNED, Health, Mount
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of

HORSE = Mount("Horse", 8, 3, 3, 3, 1)
HILL = {"terrain": ({"name": "Hill", "level": 4},)}


def move(who: Model, step: str, *others: Model, scenario: Any = HILL, **answers: Any) -> Script:
    """Let a model make a move."""
    dice = answers.pop("dice", None)
    script = Script(answers.pop("face", 1), dice, **{"mover": [who.name], "step": [step], **answers})
    run_with(other_moves(table_of(who, *others, scenario=scenario)), script)
    return script


def steps(who: Model, *others: Model, scenario: Any = HILL) -> tuple[str, ...]:
    """Return the steps that a model can choose from."""
    found: tuple[str, ...] = move(who, "stays", *others, scenario=scenario).of("step")[0].options
    return found


def test_several_models_move_at_once() -> None:
    one, other = model(0, "A"), model(0, "B")
    run_with(other_moves(table_of(one, other)), Script(moves=[["A", "B"]]))
    assert one.has_acted("moved")
    assert other.has_acted("moved")


def test_movement_and_runs() -> None:
    assert {'moves up to 4"', 'runs up to 8", without fit enemies within 8"'} <= {*steps(model(0, "A"))}
    risen = steps(model(0, "A", acts={"rose"}))
    assert 'moves up to 2"' in risen
    assert not any(step.startswith("runs") for step in risen)


def test_riders_move_with_their_mounts() -> None:
    assert 'moves up to 8"' in steps(model(0, "A", mount=HORSE))
    assert 'moves up to 4"' in steps(model(0, "A", mount=HORSE, health=Health(1)))


def test_a_model_that_found_nobody_to_charge_does_not_run() -> None:
    assert not any(step.startswith("runs") for step in steps(model(0, "A", acts={"no-charge", "walks"})))


def test_a_runner_cannot_hide() -> None:
    who = model(0, "A")
    move(who, "runs")
    assert who.has_acted("ran")
    assert not can_move(table_of(who), who)
    for act in ("charged", "fled", "fell", "felled"):
        assert (
            not any("hides" in step for step in steps(model(0, "A", acts={act} - {"charged", "fled", "fell"})))
            or act != "felled"
        )


def test_hiding_and_moving_hidden() -> None:
    who = model(0, "A")
    move(who, "moves and hides")
    assert who.is_hidden
    who.acts.clear()
    move(who, "moves up")
    assert who.is_hidden
    who.acts.clear()
    move(who, "runs")
    assert not who.is_hidden


def test_hidden_enemies_are_found() -> None:
    who, hidden = model(0, "A", i=5), model(1, "B", is_hidden=True)
    script = move(who, "finds", hidden, hidden=[["B"]])
    assert not hidden.is_hidden
    assert 'within 5"' in script.of("hidden")[0].what


@pytest.mark.parametrize(
    ("step", "dice", "state", "acts"),
    [
        ("climb up", [3], FIT, {"moved"}),
        ("climb up", [4], FIT, set()),
        ("climb down", [4, 1, 6, 6], "out of action", {"moved", "fell", "felled"}),
        ("climb down", [3], FIT, {"moved"}),
        ("jump", [3], FIT, {"jumped"}),
        ("jump", [4, 1, 6, 3], STUNNED, {"moved", "fell", "felled"}),
        ("fall", [1, 1], FIT, {"moved", "fell"}),
    ],
)
def test_heights(step: str, dice: list[int], state: str, acts: set[str]) -> None:
    who = model(0, "A")
    move(who, step, height=3, dice=dice)
    assert who.health.state == state
    assert who.acts - {"done"} == acts


def test_a_gap() -> None:
    for left, fallen in ((3, False), (2, True)):
        who = model(0, "A")
        move(who, "jump over", height=4, width=3, left=left, face=1)
        assert who.has_acted("fell") == fallen


def test_animals_do_not_climb_and_flat_tables_have_no_heights() -> None:
    assert not any("climb" in step for step in steps(model(0, "A", rules=frozenset({"animal"}))))
    assert not any("jump" in step for step in steps(model(0, "A"), scenario={"terrain": ({"level": 0},)}))


def test_crawling() -> None:
    down, foe, friend = model(0, "A", health=Health(0, DOWN)), model(1, "B"), model(0, "C")
    down.touch(foe)
    assert not can_move(table_of(down), down)
    foe.touch(friend)
    move(down, "crawls", foe, friend)
    assert down.contacts == set()
    assert foe.contacts == {friend}


def test_crawling_from_a_fallen_enemy_by_the_ruling() -> None:
    for setting, can in (("yes-fallen", True), ("stays", False)):
        down, foe = model(0, "A", health=Health(0, DOWN)), model(1, "B", health=Health(0, STUNNED))
        down.touch(foe)
        assert can_move(table_of(down, foe, crawl=setting), down) == can


def test_stunned_and_engaged_models_stay() -> None:
    stunned, busy = model(0, "A", health=Health(0, STUNNED)), model(0, "B")
    busy.touch(model(1, "C"))
    table = table_of(stunned, busy)
    assert not can_move(table, stunned)
    assert not can_move(table, busy)


def test_stupid_models_walk_on() -> None:
    who = model(0, "A", acts={"stupid"})
    run_with(compulsory_moves(table_of(who)), Script())
    assert who.has_acted("moved")


def test_leaving_with_a_marker() -> None:
    scenario = {"terrain": (), "victory": ({"side": "either", "when": "carry", "edge": "north", "mark": "A"},)}
    who = model(0, "A")
    script = Script(mover=["A"], step=["leaves by the north"], carries="a marker A")
    table = table_of(who, scenario=scenario)
    run_with(other_moves(table), script)
    assert (who.exit, who.is_present, who.is_lost) == ("north", False, False)
    assert table.marks[0, "A"] == 1


def test_a_mounted_model_does_not_climb() -> None:
    climbs = {"climb up", "climb down"}
    assert not climbs & {*steps(model(0, "A", mount=HORSE))}
    assert climbs <= {*steps(model(0, "A", mount=HORSE, health=Health(1)))}
    assert {"jump", "jump over a gap"} <= {*steps(model(0, "A", mount=HORSE))}


def test_heights_of_the_scenario_are_offered() -> None:
    mill = {"terrain": ({"name": "Mill", "level": 4}, {"name": "Tower", "level": 8}, {"name": "Pond", "level": 0})}
    who = model(0, "A", i=6)
    asked = move(who, "climb up", scenario=mill, height="Mill").of("height")[0]
    assert asked.options == ('Mill, 4"', "another height")
    script = move(model(0, "A"), "fall", scenario=mill, height=["another", 3], dice=[1, 1])
    assert [each.what for each in script.of("height")] == ["height, to fall", "height, to fall"]
    assert script.of("height")[1].high == 8
