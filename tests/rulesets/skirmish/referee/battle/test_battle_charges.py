"""Charges: targets, tests, reactions, interception, and contact."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.skirmish.referee.battle.battle import charge_phase
from cardgen.rulesets.skirmish.referee.battle.table import Model
from cardgen.rulesets.skirmish.referee.warrior import DOWN, OUT, Health, Mount
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of
from tests.rulesets.skirmish.referee.fights import BOW

HILL = {"terrain": ({"name": "Hill", "level": 4},)}


def charge(who: Model, *others: Model, face: int = 1, dice: Any = None, rulings: Any = None, **answers: Any) -> Script:
    """Let a model charge the first enemy; return the script."""
    given = {"charge": [who.name], "target": others[0].name, "reach": "yes", "way": "in a", **answers}
    script = Script(face, dice, **given)
    run_with(charge_phase(table_of(who, *others, scenario=HILL, **(rulings or {}))), script)
    return script


def test_contact() -> None:
    who, foe = model(0, "A"), model(1, "B")
    charge(who, foe)
    assert who.contacts == {foe}
    assert who.has_acted("charged")


def test_a_failed_charge_ends_short_of_the_enemy() -> None:
    who, foe = model(0, "A"), model(1, "B")
    charge(who, foe, reach="no")
    assert not who.contacts
    assert who.has_acted("failed")


def test_an_unseen_enemy_must_be_found() -> None:
    for face, is_found in ((3, True), (4, False)):
        who, foe = model(0, "A"), model(1, "B")
        charge(who, foe, way="at an enemy", face=face)
        assert bool(who.contacts) == is_found
        assert who.has_acted("no-charge") == (not is_found)
        assert not who.has_acted("failed", "moved")


def test_only_a_hidden_enemy_that_is_found_can_be_charged() -> None:
    for is_found in (False, True):
        who, foe = model(0, "A"), model(1, "B", is_hidden=True)
        script = charge(who, foe, charge=["A"], found="yes" if is_found else "no")
        assert bool(who.contacts) == is_found
        assert foe.is_hidden != is_found
        assert 'within 3"' in script.of("found")[0].what


def test_whoever_finds_no_unseen_enemy_does_not_run() -> None:
    who = model(0, "A")
    charge(who, model(1, "B"), way="at an enemy", face=4)
    assert who.has_acted("walks")


def test_a_dismounted_rider_is_as_strong_as_on_foot() -> None:
    horse = Mount("Horse", 8)
    assert [model(1, "B", mount=horse, **keys).profile.unit_strength for keys in ({}, {"health": Health(1)})] == [2, 1]


def test_interception() -> None:
    who, foe, guard = model(0, "A"), model(1, "B"), model(1, "C")
    script = charge(who, foe, guard, interception="C")
    assert who.contacts == {guard}
    assert script.of("interception")[0].options == ("nobody", "C (1 Wound)")


def test_only_free_and_seen_enemies_intercept() -> None:
    who, foe = model(0, "A"), model(1, "B")
    busy, hidden, fallen = model(1, "C"), model(1, "D", is_hidden=True), model(1, "E", health=Health(0, DOWN))
    busy.touch(model(0, "F"))
    assert not charge(who, foe, busy, hidden, fallen).of("interception")


def test_by_the_other_reading_all_intercept() -> None:
    who, foe, one, two = model(0, "A"), model(1, "B"), model(1, "C"), model(1, "D")
    charge(who, foe, one, two, interception=[["C", "D"]], rulings={"interception": "all"})
    assert who.contacts == {one, two}


def test_two_at_once() -> None:
    who, foe, other = model(0, "A"), model(1, "B"), model(1, "C")
    charge(who, foe, other, also=[["C"]])
    assert who.contacts == {foe, other}


def test_stand_and_shoot() -> None:
    who, archer = model(0, "A"), model(1, "B", weapons=(BOW,))
    charge(who, archer, reaction="stands", dice=[6, 6, 6, 6], face=6)
    assert who.health.state == OUT
    assert not archer.contacts


def test_flight_from_a_charge() -> None:
    who, foe = model(0, "A"), model(1, "B")
    script = charge(who, foe, reaction="flees")
    assert foe.flight == "panic"
    assert script.asked_keys().count("flight") == 2
    assert not who.contacts
    assert who.has_acted("failed")


@pytest.mark.parametrize("rule", ["immune", "frenzy", "undead"])
def test_some_never_flee_from_a_charge(rule: str) -> None:
    script = charge(model(0, "A"), model(1, "B", rules=frozenset({rule})))
    assert not script.of("reaction")


def test_a_fleeing_model_runs_on_before_any_blow() -> None:
    for setting, is_out in (("runs", False), ("destroyed", True)):
        who, runner = model(0, "A"), model(1, "B", flight="panic")
        script = charge(who, runner, rulings={"caught": setting}, caught="yes")
        assert script.asked_keys().count("flight") == 2
        assert (runner.health.state == OUT) == is_out
        assert not who.contacts


@pytest.mark.parametrize(("dice", "dives", "state"), [([4, 4], True, "fit"), ([4, 5, 3, 6, 6, 6, 6, 6, 6], False, OUT)])
def test_diving_charges(dice: list[int], dives: bool, state: str) -> None:
    """Four inches are two tests; a fall is damage, and no charge."""
    who, foe = model(0, "A", i=4), model(1, "B")
    charge(who, foe, way="from above", height=4, dice=dice)
    assert who.has_acted("dives") == dives == bool(who.contacts)
    assert who.health.state == state


def test_a_dive_is_intercepted_only_by_the_ruling() -> None:
    for setting, asked in (("ground", 1), ("air", 0)):
        script = charge(
            model(0, "A"), model(1, "B"), model(1, "C"), way="from above", height=1, rulings={"dive": setting}
        )
        assert len(script.of("interception")) == asked


def test_fear() -> None:
    beast = frozenset({"fear"})
    who, foe = model(0, "A"), model(1, "B", rules=beast)
    charge(who, foe, face=4)
    assert not who.contacts
    assert who.has_acted("failed")
    charger, timid, weak = model(0, "A", rules=beast), model(1, "B"), model(1, "C")
    charge(charger, timid, face=4)
    assert timid.has_acted("afraid")
    giant = model(0, "A", rules=frozenset({"fear", "large"}))
    charge(giant, weak, face=4)
    assert weak.flight == "panic"


def test_a_model_that_stood_up_cannot_charge() -> None:
    for act in ("rose", "rallied", "resting", "stupid"):
        who = model(0, "A", acts={act})
        script = Script()
        run_with(charge_phase(table_of(who, model(1, "B"))), script)
        assert not script.asked


def test_a_defended_obstacle_lasts_as_long_as_the_contact() -> None:
    who, foe = model(0, "A"), model(1, "B")
    charge(who, foe, way="across")
    assert foe.is_defended
    charge(model(0, "C"), foe)
    assert foe.is_defended
    foe.leave_combat()
    charge(model(0, "D"), foe)
    assert not foe.is_defended


def test_a_hidden_model_that_is_found_can_shoot_only_by_the_ruling() -> None:
    for setting, options in (("hold", 2), ("shoot", 3)):
        archer = model(1, "B", is_hidden=True, weapons=(BOW,))
        script = charge(model(0, "A"), archer, rulings={"reactions": setting}, found="yes")
        assert len(script.of("reaction")[0].options) == options


@pytest.mark.parametrize("face", [1, 6])
def test_a_charge_at_terror_takes_one_test(face: int) -> None:
    who, foe = model(0, "A"), model(1, "B", rules=frozenset({"terror"}))
    script = charge(who, foe, face=face)
    assert [each.what.split(",")[0] for each in script.of("leadership")[::2]] == ["terror test"]
    assert bool(who.contacts) == (face == 1)


def test_a_later_charge_at_terror_takes_a_test_of_fear() -> None:
    who, foe = model(0, "A"), model(1, "B", rules=frozenset({"terror"}))
    who.is_proof_to_terror = True
    script = charge(who, foe)
    assert [each.what.split(",")[0] for each in script.of("leadership")[::2]] == ["fear of B"]
