"""The Close Combat phase: combats, weapons, and All Alone."""

from __future__ import annotations

import pytest

from cardgen.rulesets.skirmish.referee.battle.table import combat_phase, panic_test
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, HAND_WEAPON, OUT, Health, Mount, Weapon
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of
from tests.rulesets.skirmish.referee.fights import GREAT_WEAPON


def test_both_sides_fight_in_either_turn() -> None:
    for side in (0, 1):
        one, other = model(0, "A", i=5), model(1, "B")
        one.touch(other)
        script = Script(1)
        run_with(combat_phase(table_of(one, other, side=side)), script)
        assert [each.who for each in script.of("hit")] == ["A", "B"]


def test_the_targets_of_each_attack_are_chosen() -> None:
    one, foe, other = model(0, "A", a=2, i=9), model(1, "B"), model(1, "C")
    one.touch(foe)
    one.touch(other)
    script = Script(1, target=["B", "C"])
    run_with(combat_phase(table_of(one, foe, other)), script)
    assert [each.what.split(" (")[0] for each in script.of("hit")[:2]] == ["to hit B", "to hit C"]


def test_only_enemies_in_contact_are_targets() -> None:
    one, foe, friend, far = model(0, "A"), model(1, "B"), model(0, "C"), model(1, "D")
    one.touch(foe)
    friend.touch(foe)
    friend.touch(far)
    script = Script(1)
    run_with(combat_phase(table_of(one, foe, friend, far)), script)
    assert {each.who for each in script.of("target")} == {"C", "B"}


def test_a_weapon_is_kept_while_the_combat_lasts() -> None:
    one, foe = model(0, "A", weapons=(HAND_WEAPON, GREAT_WEAPON)), model(1, "B")
    one.touch(foe)
    table = table_of(one, foe)
    run_with(combat_phase(table), script := Script(1, weapon="Great"))
    assert "weapon" in script.asked_keys()
    run_with(combat_phase(table), script := Script(1))
    assert "weapon" not in script.asked_keys()
    assert one.weapon == "Great weapon"


def test_who_is_out_of_action_leaves_the_combat() -> None:
    one, foe = model(0, "A", i=9), model(1, "B")
    one.touch(foe)
    run_with(combat_phase(table_of(one, foe)), Script(6))
    assert foe.health.state == OUT
    assert not one.contacts


@pytest.mark.parametrize(
    ("face", "friend", "side", "runs"),
    [(4, "no", 0, True), (3, "no", 0, False), (4, "yes", 0, False), (4, "no", 1, False)],
)
def test_all_alone(face: int, friend: str, side: int, runs: bool) -> None:
    """Two opponents, no friend near, a failed test, in the own turn."""
    lone, foes, far = model(0, "A"), [model(1, "B"), model(1, "C")], model(0, "D")
    for foe in foes:
        lone.touch(foe)
    script = Script(face, friend=friend)
    for each in (lone, *foes):
        each.warrior = each.warrior._replace(ws=1, a=0)
    run_with(combat_phase(table_of(lone, *foes, far, side=side)), script)
    assert (lone.flight == "alone" or lone.health.state != FIT) == runs


def test_a_friend_in_the_combat_is_near() -> None:
    lone, foes, friend = model(0, "A"), [model(1, "B"), model(1, "C")], model(0, "D")
    for foe in foes:
        lone.touch(foe)
    friend.touch(foes[0])
    script = Script(1)
    run_with(combat_phase(table_of(lone, *foes, friend)), script)
    assert "leadership" not in script.asked_keys()


def test_by_the_other_reading_everyone_tests_in_every_phase() -> None:
    lone, foes = model(0, "A"), [model(1, "B"), model(1, "C")]
    for foe in foes:
        lone.touch(foe)
    for setting, asked in (("own", False), ("every", True)):
        script = Script(1)
        run_with(combat_phase(table_of(lone, *foes, side=1, alone_phase=setting)), script)
        assert ("leadership" in script.asked_keys()) == asked


def test_who_stood_up_strikes_last() -> None:
    one, foe = model(0, "A", i=9, acts={"rose"}), model(1, "B", health=Health(1))
    one.touch(foe)
    script = Script(1)
    run_with(combat_phase(table_of(one, foe)), script)
    assert [each.who for each in script.of("hit")] == ["B", "A"]


def test_a_knocked_down_model_does_not_fight() -> None:
    one, foe = model(0, "A"), model(1, "B", health=Health(0, DOWN))
    one.touch(foe)
    script = Script(1)
    run_with(combat_phase(table_of(one, foe)), script)
    assert not script.of("hit")
    assert [each.who for each in script.of("wound")] == ["A"]


def test_who_flees_from_one_combat_does_not_fight_in_the_next() -> None:
    """A friend goes out of action in the first combat, and the panic spreads to the second one."""
    victim, killer = model(0, "A", i=1), model(1, "B", i=9)
    friend, foe = model(0, "C", i=9), model(1, "D", i=1)
    victim.touch(killer)
    friend.touch(foe)
    dice = [5, 5, 6, 6, 6, 1, 1, 1]  # B fells A; C panics, and D's parting blow fails to wound
    script = Script(1, dice, panic=[["C"]], off="no")
    run_with(combat_phase(table_of(victim, killer, friend, foe)), script)
    assert victim.health.state == OUT
    assert friend.flight == "panic"
    assert [each.who for each in script.of("hit")] == ["B"]


@pytest.mark.parametrize("names", [("B", "C"), ("C", "B")])
def test_parting_blows_fall_in_the_order_of_initiative_and_strength_whatever_the_names(names: tuple[str, str]) -> None:
    lone, strong, weak = model(0, "A", a=0), model(1, names[0], a=0, s=5), model(1, names[1], a=0, s=2)
    for foe in (weak, strong):
        lone.touch(foe)
    script = Script(1, [1, 6, 6, 1, 1, 1], off="no")
    run_with(combat_phase(table_of(lone, weak, strong)), script)
    assert [each.who for each in script.of("wound")] == [*names]


def test_the_parting_blow_of_a_charger_has_the_strength_of_its_charge() -> None:
    """A lance adds 2 to Strength in the turn of a charge, and the panic comes in that turn (17.7)."""
    lance = Weapon("Lance", charge_bonus=2)
    for acts, need in ((set[str](), 4), ({"charged"}, 2)):
        coward, foe = model(0, "A"), model(1, "B", weapons=(lance,), acts=acts)
        coward.touch(foe)
        script = Script(6, [6, 6, 1, 1, 1], panic=[["A"]], off="no")
        run_with(panic_test(table_of(coward, foe), 0, "all"), script)
        assert script.of("wound")[0].what.endswith(f"{need} or more")


def test_a_model_without_attacks_still_strikes_a_parting_blow() -> None:
    lone, foes = model(0, "A", a=0), [model(1, "B", a=0), model(1, "C", a=0)]
    for foe in foes:
        lone.touch(foe)
    script = Script(1, [1, 6, 6, 1, 1], off="no")
    run_with(combat_phase(table_of(lone, *foes)), script)
    assert [each.who for each in script.of("wound")] == ["B", "C"]


def test_parting_blows_cause_one_critical_hit_in_a_phase() -> None:
    """Two friends panic and break from one enemy, whose second 6 is an ordinary wound; its next blows are, too."""
    cowards, foe = [model(0, name, w=5, i=1) for name in "AC"], model(1, "B", i=9)
    for each in cowards:
        each.touch(foe)
    table = table_of(*cowards, foe)
    script = Script(6, [6, 6, 6, 1, 1, 6, 6, 6, 1, 1], panic=[["A", "C"]], off="no")
    run_with(panic_test(table, 0, "all"), script)
    assert [each.health.wounds for each in cowards] == [3, 4]
    third = model(0, "D", w=5)
    third.touch(foe)
    run_with(combat_phase(table_of(third, foe)), Script(1, [6, 6]))
    assert third.health.wounds == 4


def test_a_rider_who_loses_its_mount_to_a_parting_blow_runs_on_foot() -> None:
    rider, foe = model(0, "A", mount=Mount("Horse", 8)), model(1, "B")
    rider.touch(foe)
    script = Script(4, [6, 6, 5], panic=[["A"]], off="no")
    run_with(panic_test(table_of(rider, foe), 0, "all"), script)
    assert not rider.health.is_mounted
    assert len([each for each in script.asked if each.what == "flight in inches, 2D6"]) == 2


@pytest.mark.parametrize(("face", "touches"), [(6, False), (1, True)])
def test_who_slips_off_an_edge_lies_out_of_reach_of_its_enemies(face: int, touches: bool) -> None:
    foe, victim = model(0, "A", i=9), model(1, "B", i=3)
    foe.touch(victim)
    script = Script(1, [6, 4, 1, face], edge=4)
    table = table_of(foe, victim)
    table.scenario = {}
    run_with(combat_phase(table), script)
    assert victim.health.state == DOWN
    assert (victim in foe.contacts) == touches
