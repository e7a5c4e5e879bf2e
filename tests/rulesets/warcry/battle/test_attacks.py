"""Attack actions: which are offered, cover, and damage."""

from __future__ import annotations

import pytest

from cardgen.rulesets.warcry.battle.attacks import AttackOption, attack_options, make_attack
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of


@pytest.mark.parametrize(("strength", "lines"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 1)], ids=lambda each: str(each))
def test_cover_is_asked_only_where_it_changes_the_face(strength: int, lines: int) -> None:
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", f"Axe: axe R1 A3 S{strength} D1/4")
    assert len(attack_options(table, table.combatants[0])) == lines


def test_cover_matters_to_missile_attacks_while_the_target_can_react() -> None:
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", "Bow: ranged R3-20 A2 S3 D1/4")
    assert len(attack_options(table, table.combatants[0])) == 2
    table.combatants[1].begin_activation()
    assert len(attack_options(table, table.combatants[0])) == 1


def test_cover_is_remembered_until_somebody_moves() -> None:
    table = table_of(sizes=(1, 1))
    attacker, target = table.combatants
    option = AttackOption(target, attacker.stats.weapons[0], True)
    run_with(make_attack(table, attacker, option, set(), has_more=False), Script())
    assert [each.cover for each in attack_options(table, attacker)] == [True]
    table.distances.move(target, 3)
    assert [each.cover for each in attack_options(table, attacker)] == [False, True]


def test_cover_that_is_ignored_is_not_asked() -> None:
    table = table_of(sizes=(1, 1))
    table.combatants[0].profile = table.combatants[0].profile._replace(ignored_cover="melee")
    assert [each.cover for each in attack_options(table, table.combatants[0])] == [False]


def test_a_known_distance_excludes_weapons() -> None:
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", "Axe: axe R1 A3 S2 D1/4", "Bow: ranged R3-9 A2 S2 D1/4")
    attacker, target = table.combatants
    target.begin_activation()
    for inches, names in ((1, ["Axe"]), (2, []), (5, ["Bow"])):
        table.distances.forget(target)
        table.distances.claim(attacker, target, inches, inches)
        assert [each.weapon.name for each in attack_options(table, attacker)] == names


def test_damage_points_take_down_and_the_rest_is_lost() -> None:
    table = table_of(sizes=(1, 1))
    attacker, target = table.combatants
    option = AttackOption(target, attacker.stats.weapons[0], False)
    _, lines = run_with(make_attack(table, attacker, option, set(), has_more=False), Script(face=6))
    assert lines[-1] == "Blue 1 is taken down"
    assert [(fall.victim, fall.attacker) for fall in table.notes.falls] == [(target, attacker)]
    assert target.damage == 10


@pytest.mark.parametrize(("answer", "damage"), [("yes", 3), ("no", 0)])
def test_desperate_strength_asks_only_where_it_matters(answer: str, damage: int) -> None:
    """Strength 4 against Toughness 4: a 3 hits only with +1 Strength. The answer holds until the target moves."""
    table = table_of("Plundered Spoils", sizes=(1, 1))
    attacker, target = table.combatants
    target.begin_activation()
    table.notes.strength = ("objective A", 0)
    script = Script({"near": answer}, face=3)
    for _ in range(2):
        option = AttackOption(target, attacker.stats.weapons[0], False)
        target.damage = 0
        run_with(make_attack(table, attacker, option, set(), has_more=False), script)
        assert target.damage == damage
    assert len(script.of("near")) == 1
    attacker.profile = attacker.profile._replace(toughness=4)
    script = Script(face=1)
    option = AttackOption(attacker, target.stats.weapons[0], False)
    run_with(make_attack(table, target, option, set(), has_more=False), script)
    assert not script.of("near")


@pytest.mark.parametrize(
    ("dice", "line"),
    [
        ([6, 4, 1], "Red 1: 1 hit, 1 critical hit, 1 miss"),
        ([6, 6, 4], "Red 1: 1 hit, 2 critical hits, 0 misses"),
        ([5, 4, 5], "Red 1: 3 hits, 0 critical hits, 0 misses"),
    ],
)
def test_the_hit_rolls_in_words(dice: list[int], line: str) -> None:
    table = table_of(sizes=(1, 1))
    attacker, target = table.combatants
    option = AttackOption(target, attacker.stats.weapons[0], False)
    _, lines = run_with(make_attack(table, attacker, option, set(), has_more=False), Script(dice=dice))
    assert line in lines


@pytest.mark.parametrize(("answer", "loser"), [("Blue 1", 1), ("Red 1", 0)])
def test_the_attacker_orders_two_falls_where_only_the_first_scores(answer: str, loser: int) -> None:
    """Held in a Bloody Fist: the active player orders what happens at the same time in the combat phase."""
    table = table_of("Raze to the Ground", sizes=(1, 1))
    attacker, target = table.combatants
    attacker.damage, target.damage = 7, 9
    script = Script({"reaction": "Counter", "fall": answer, "near": "yes"}, dice=[1, 1, 6])
    option = AttackOption(target, attacker.stats.weapons[0], False)
    run_with(make_attack(table, attacker, option, set(), has_more=False), script)
    assert [(each.who, each.options) for each in script.of("fall")] == [("Red", ("Blue 1", "Red 1"))]
    assert [each.side for each in table.notes.near_objective] == [loser]
    assert attacker.is_down
    assert target.is_down


@pytest.mark.parametrize(("plan", "damage"), [("Lightning Raid", 9), ("Raze to the Ground", 0)])
def test_the_order_of_falls_is_asked_only_where_it_matters(plan: str, damage: int) -> None:
    table = table_of(plan, sizes=(1, 1))
    attacker, target = table.combatants
    attacker.damage, target.damage = 7, damage
    script = Script({"reaction": "Counter", "near": "yes"}, dice=[1, 1, 6])
    option = AttackOption(target, attacker.stats.weapons[0], False)
    run_with(make_attack(table, attacker, option, set(), has_more=False), script)
    assert attacker.is_down
    assert not script.of("fall")
