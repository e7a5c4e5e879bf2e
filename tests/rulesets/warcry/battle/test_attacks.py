"""Attack actions: which are offered, cover, and damage."""

from __future__ import annotations

import pytest

from cardgen.rulesets.warcry.battle.activation import ability_options
from cardgen.rulesets.warcry.battle.attacks import AttackOption, attack_options, make_attack
from cardgen.rulesets.warcry.battle.performance import Performance, end_effects
from cardgen.rulesets.warcry.battle.table import Combatant, Side, Table
from cardgen.rulesets.warcry.cards import Ability, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.initiative import DiceSet
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


# What lasts and changes the attacks on a fighter.


def struck(table: Table, attacker: Combatant, target: Combatant, script: Script | None = None) -> int:
    """Return the damage points of an attack with fours for all dice."""
    before, option = target.damage, AttackOption(target, attacker.stats.weapons[0], False)
    run_with(make_attack(table, attacker, option, set(), has_more=False), script or Script(face=4))
    return target.damage - before


def answer(**keys: object) -> Change:
    return Change.model_validate({"incoming": True, "for": "round", **keys})


def test_what_a_rule_changes_in_the_attacks_on_a_fighter_counts_in_each_until_its_end() -> None:
    """Three dice of 4 hit with Strength 4, but not with Strength 3, and so does the bearer itself."""
    table = table_of(sizes=(2, 2))
    one, two, bearer, friend = table.combatants
    run_with(Performance(table, bearer, "Own").apply(answer(strength=-1)), Script())
    assert [struck(table, each, bearer) for each in (one, two, one)] == [0, 0, 0]
    assert (struck(table, one, friend), struck(table, bearer, two)) == (3, 3)
    run_with(end_effects(table, table.combatants, "round"), Script())
    assert struck(table, one, bearer) == 3


@pytest.mark.parametrize(
    ("keys", "damage"),
    [
        ({"strength": -1, "weapon": "missile"}, 3),
        ({"strength": -1, "weapon": "melee"}, 0),
        ({"attacks": -2}, 1),
        ({"damage": -1, "at_least": 1}, 3),
        ({"damage": 1, "times": "value"}, 9),
    ],
    ids=["another type", "its type", "Attacks", "a minimum", "the value of the dice"],
)
def test_which_attacks_on_a_fighter_change_and_how(keys: dict[str, object], damage: int) -> None:
    table = table_of(sizes=(1, 1))
    attacker, bearer = table.combatants
    run_with(Performance(table, bearer, "Own", value=2).apply(answer(**keys)), Script())
    assert struck(table, attacker, bearer) == damage


def test_the_attacks_on_a_picked_enemy_change() -> None:
    table = table_of(sizes=(1, 1))
    attacker, enemy = table.combatants
    use = Performance(table, attacker, "Own", picked=[enemy])
    run_with(use.apply(answer(strength=1, of="picked")), Script())
    assert struck(table, attacker, enemy, Script(face=3)) == 3


def test_cover_is_asked_if_a_rule_changes_the_attacks_on_the_target() -> None:
    table = table_of(sizes=(1, 1))
    attacker, target = table.combatants
    target.begin_activation()
    table.combatants[0] = attacker = combatant(0, "Red 1", "M5 T4 W10", "Axe: axe R1 A3 S6 D1/4")
    assert len(attack_options(table, attacker)) == 1
    run_with(Performance(table, target, "Own").apply(answer(strength=-1)), Script())
    assert len(attack_options(table, attacker)) == 2


def test_an_ability_against_the_attacks_on_its_user_is_offered_whatever_its_own_weapons_reach() -> None:
    table = table_of(sizes=(1, 1))
    user, enemy = table.combatants
    table.sides[0].sets = [DiceSet(2, 2)]
    table.distances.claim(user, enemy, 20, 20)
    changes = (answer(strength=-1, **{"for": "next-activation"}),)
    table.sides[0].rules = (Ability(name="Guard", price="double", changes=changes),)
    assert [each.rule.name for each in ability_options(table, user, 0)] == ["Guard"]


@pytest.mark.parametrize(("span", "later"), [("attack", 3), ("round", 0)])
def test_a_trait_against_an_attack_lasts_as_long_as_it_says(span: str, later: int) -> None:
    """At the moment at which an attack targets its fighter; the trait is used once."""
    table = table_of(sizes=(1, 1))
    attacker, target = table.combatants
    target.begin_activation()
    changes = [
        {"only_if": {"once": "battle"}},
        {"when": {"event": "targeted", "of": "friend"}, "of": "subject", "strength": -1, "incoming": True, "for": span},
    ]
    trait = Trait.model_validate({"name": "Omen", "runemark": "chaos", "changes": changes})
    table.sides = table.sides[0], Side(1, "Blue", trait, ())
    assert [struck(table, attacker, target) for _ in range(2)] == [0, later]


@pytest.mark.parametrize("order", [(-1, 1), (1, -1)], ids=["penalty first", "bonus first"])
@pytest.mark.parametrize("number", ["attacks", "damage", "move"])
def test_a_penalty_and_a_bonus_count_in_any_order(number: str, order: tuple[int, int]) -> None:
    """From 1, they are 1 again, also where the penalty alone has a minimum of 1."""
    fighter = combatant(0, "Red 1", "M1 T4 W10", "Axe: axe R1 A1 S4 D1/4")
    table = table_of(sizes=(1, 1))
    for by in order:
        change = Change.model_validate({number: by, "for": "round"} | ({"at_least": 1} if by < 0 else {}))
        run_with(Performance(table, fighter, "Own").apply(change), Script())
    stats = fighter.stats
    assert {"move": stats.move, "attacks": stats.weapons[0].attacks, "damage": stats.weapons[0].damage}[number] == 1
