"""The start of a turn, and the Recovery phase."""

from __future__ import annotations

import pytest

from cardgen.rulesets.skirmish.referee.battle.battle import recover, start_turn
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STUNNED, Health, Mount
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of


def test_stunned_models_turn_over_and_knocked_down_ones_may_stand_up() -> None:
    stunned, down, lazy = (
        model(0, name, health=Health(0, state)) for name, state in zip("SDL", (STUNNED, DOWN, DOWN), strict=True)
    )
    run_with(recover(table_of(stunned, down, lazy)), Script(rise=["yes", "no"]))
    assert [each.health.state for each in (stunned, down, lazy)] == [DOWN, FIT, DOWN]
    assert down.has_acted("rose")


@pytest.mark.parametrize(
    ("faces", "nearest", "flight"), [([3, 4], "no", ""), ([4, 4], "no", "panic"), ([1, 1], "yes", "panic")]
)
def test_rallies(faces: list[int], nearest: str, flight: str) -> None:
    """Two dice of the Leadership or less rally, but not if an enemy is nearest."""
    runner = model(0, "R", flight="panic")
    script = Script(1, faces, nearest=nearest)
    run_with(recover(table_of(runner, model(1, "E"))), script)
    assert runner.flight == flight
    assert runner.has_acted("rallied") == (not flight)
    assert script.asked_keys().count("flight") == (2 if flight else 0)


def test_a_fast_model_flees_three_dice_after_panic_and_two_after_all_alone() -> None:
    for flight, dice in (("panic", 3), ("alone", 2)):
        script = Script(6, nearest="yes")
        run_with(recover(table_of(model(0, "R", flight=flight, m=8), runners="rally")), script)
        assert script.asked_keys().count("flight") == dice


def test_riders_flee_as_fast_as_their_mounts_while_they_have_them() -> None:
    for health, dice in ((Health(1, is_mounted=True), 3), (Health(1), 2)):
        script = Script(6, nearest="yes")
        run_with(recover(table_of(model(0, "R", flight="panic", mount=Mount("Horse", 8), health=health))), script)
        assert script.asked_keys().count("flight") == dice


@pytest.mark.parametrize(("face", "flight", "act"), [(3, "", "resting"), (4, "alone", "fled")])
def test_models_that_ran_because_they_were_alone_test_at_the_start(face: int, flight: str, act: str) -> None:
    runner = model(0, "R", flight="alone")
    run_with(start_turn(table_of(runner, model(1, "E"))), Script(face))
    assert runner.flight == flight
    assert runner.has_acted(act)


def test_by_the_other_reading_they_rally_like_everyone() -> None:
    runner = model(0, "R", flight="alone")
    run_with(start_turn(table_of(runner, model(1, "E"), runners="rally")), Script(1))
    assert runner.flight == "alone"


@pytest.mark.parametrize(("out", "face", "loser"), [(1, 4, 0), (1, 3, None), (0, 6, None)])
def test_rout_tests(out: int, face: int, loser: int | None) -> None:
    models = [model(0, f"R{number}") for number in range(4)]
    for each in models[:out]:
        each.health = Health(0, OUT)
    table = table_of(*models, model(1, "E"))
    run_with(start_turn(table), Script(face))
    assert table.loser == loser


def test_a_failed_terror_test_is_flight_without_a_rally() -> None:
    who, beast = model(0, "R"), model(1, "B", rules=frozenset({"terror"}))
    table = table_of(who, beast)
    run_with(start_turn(table), Script(6, terror=[["R"]]))
    assert who.flight == "panic"
    script = Script(1)
    run_with(recover(table), script)
    assert who.flight == "panic"
    assert not script.asked
    run_with(start_turn(table), script := Script(6, terror=[]))
    assert "terror" not in script.asked_keys()


def test_stupidity() -> None:
    who = model(0, "R", rules=frozenset({"stupidity"}))
    for face, is_stupid in ((4, True), (3, False)):
        run_with(start_turn(table_of(who, model(1, "E"))), Script(face))
        assert who.has_acted("stupid") == is_stupid


def test_friends_of_the_fleeing_test_for_panic() -> None:
    who, calm = model(0, "R"), model(0, "U", rules=frozenset({"undead"}))
    runners = model(0, "F", flight="panic"), model(0, "G", flight="panic")
    script = Script(4, panic=[["R"]])
    run_with(start_turn(table_of(who, *runners, calm, model(1, "E"))), script)
    assert who.flight == "panic"
    assert script.of("panic")[0].options == ("R (1 Wound)",)


@pytest.mark.parametrize(
    ("runners", "tested"), [(1, ()), (2, ("Foot",)), (3, ("Foot", "Rider")), (4, ("Foot", "Rider"))]
)
def test_as_much_unit_strength_as_all_fleeing_friends_spares_the_panic_test(runners: int, tested: tuple[str]) -> None:
    """Fact 18.1, cause 1: on foot a model has 1, mounted 2."""
    friends = [model(0, "Foot"), model(0, "Rider", mount=Mount("Horse", 8))]
    fleeing = [model(0, f"F{number}", flight="panic") for number in range(runners)]
    script = Script(1, panic=[])
    run_with(start_turn(table_of(*friends, *fleeing, model(1, "E"))), script)
    asked = [each.split(" (")[0] for question in script.of("panic") for each in question.options]
    assert asked == [*tested]


def test_who_flees_from_combat_in_terror_takes_parting_blows() -> None:
    who, beast, other = model(0, "R"), model(1, "B", rules=frozenset({"terror"})), model(1, "C")
    for foe in (beast, other):
        who.touch(foe)
    script = Script(1, [6, 6, 1, 1], terror=[["R"]], off="no")
    run_with(start_turn(table_of(who, beast, other)), script)
    assert [each.who for each in script.of("wound")] == ["B", "C"]
    assert (who.flight, who.contacts) == ("panic", set())


@pytest.mark.parametrize(("leader_state", "helps"), [(FIT, True), (DOWN, False)])
def test_a_fit_leader_lends_its_leadership(leader_state: str, helps: bool) -> None:
    who, leader = model(0, "R", flight="alone"), model(0, "L", ld=10, is_leader=True, health=Health(1, leader_state))
    script = Script(4, leader="yes")
    run_with(start_turn(table_of(who, leader, model(1, "E"))), script)
    assert (who.flight == "") == helps == ("leader" in script.asked_keys())


def test_a_successor_leads_by_the_ruling() -> None:
    dead, heir = model(0, "L", ld=10, is_leader=True, health=Health(0, OUT)), model(0, "H", ld=9)
    for setting, leader in (("none", None), ("next", heir)):
        assert table_of(dead, heir, successor=setting).leader(0) is leader
