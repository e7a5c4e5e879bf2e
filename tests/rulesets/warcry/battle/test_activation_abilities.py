"""Abilities: who may use them, the dice that pay, and their effects."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.requests import Measurement
from cardgen.rulesets.warcry.battle.activation import AbilityUse, ability_options, use_ability
from cardgen.rulesets.warcry.battle.table import Table
from cardgen.rulesets.warcry.cards import Ability, Rule, Trait
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of
from tests.rulesets.warcry.referee.fights import terms


def table_with(*sets: DiceSet, damage: int = 5, **keys: Any) -> Table:
    table = table_of(sizes=(2, 2), **keys)
    table.sides[0].sets = [*sets]
    table.combatants[0].damage = damage
    return table


def labels(table: Table, actions: int = 2) -> list[str]:
    return [str(each) for each in ability_options(table, table.combatants[0], actions)]


def use(table: Table, name: str, script: Script | None = None) -> list[str]:
    option = next(each for each in ability_options(table, table.combatants[0], 2) if str(each).startswith(name))
    _, lines = run_with(use_ability(AbilityUse(table, table.combatants[0], option, set())), script or Script())
    return lines


@pytest.mark.parametrize(
    ("dice", "names"),
    [
        (DiceSet(2, 2), {"Rush", "Respite"}),
        (DiceSet(2, 3), {"Rush", "Respite", "Onslaught"}),
        (DiceSet(2, 4), {"Rush", "Respite", "Onslaught"}),
    ],
)
def test_larger_sets_pay_for_smaller_prices(dice: DiceSet, names: set[str]) -> None:
    assert {label.split(" (")[0] for label in labels(table_with(dice))} == names


def test_without_dice_nothing_is_offered() -> None:
    assert labels(table_with()) == []


def test_the_smallest_set_pays_if_the_value_does_not_matter() -> None:
    offered = labels(table_with(DiceSet(5, 3), DiceSet(4, 2), DiceSet(2, 2)))
    assert [each for each in offered if each.startswith("Rush")] == ["Rush (double of 2)"]
    assert [each for each in offered if each.startswith("Respite")] == [
        "Respite (double of 2)", "Respite (double of 4)", "Respite (triple of 5)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("use", "values"),
    [
        ({"only_if": {"least_value": 5}}, [5]),
        ({"not_if": {"least_value": 5}}, [2]),
        ({"if": {"least_value": 5}, "heal": 3}, [2, 5]),
        ({"unless": {"least_value": 5}, "heal": 3}, [2, 5]),
        ({"heal": 3}, [2]),
    ],
    ids=str,
)
def test_the_sets_whose_value_decides_are_offered(use: dict[str, Any], values: list[int]) -> None:
    table = table_with(DiceSet(2, 2), DiceSet(5, 2))
    changes = [use, {"heal": 1}]
    table.sides[0].rules = (Ability.model_validate({"name": "Own", "price": "double", "changes": changes}),)
    assert labels(table) == [f"Own (double of {value})" for value in values]


def test_dice_are_paid_whole() -> None:
    table = table_with(DiceSet(5, 4), DiceSet(4, 2, lifted=True))
    use(table, "Respite (quad")
    assert table.sides[0].sets == [DiceSet(4, 2, lifted=True)]
    use(table, "Rush (double")
    assert table.sides[0].sets == []


def test_respite_needs_room_and_damage_points() -> None:
    table = table_with(DiceSet(4, 2))
    use(table, "Respite")
    assert table.combatants[0].damage == 1
    assert table.distances.is_within(table.combatants[0], table.combatants[2], 1) is False
    table = table_with(DiceSet(4, 2))
    table.distances.claim(table.combatants[0], table.combatants[2], 0, 1)
    assert not any("Respite" in each for each in labels(table))
    assert not any("Respite" in each for each in labels(table_with(DiceSet(4, 2), damage=0)))


def test_rush_and_onslaught_last_for_the_activation() -> None:
    table = table_with(DiceSet(4, 2), DiceSet(1, 3))
    who = table.combatants[0]
    use(table, "Rush")
    use(table, "Onslaught")
    assert (who.stats.move, who.stats.weapons[0].attacks) == (6, 4)
    who.end_effects("activation")
    assert (who.stats.move, who.stats.weapons[0].attacks) == (5, 3)


def test_what_changes_nothing_is_not_offered() -> None:
    """After the last action no move and no attack follows; without a target in reach no attack does."""
    dice = DiceSet(1, 3)
    assert labels(table_with(dice, damage=0), actions=0) == []
    table = table_with(dice, damage=0)
    for enemy in table.combatants[2:]:
        table.distances.claim(table.combatants[0], enemy, 20, 30)
    assert labels(table) == ["Rush (triple of 1)"]


def test_what_changes_an_attack_needs_a_weapon_in_reach() -> None:
    """At 4 inches a move brings the axe near; with one action left, or with a bow alone in reach, nothing does."""
    for inches, actions, offered in ((4, 2, True), (4, 1, False), (1, 1, True), (9, 2, False)):
        table = table_with(DiceSet(1, 3), damage=0)
        table.combatants[0] = combatant(
            0, "Red 1", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4", "Bow: ranged R3-20 A2 S3 D1/4"
        )
        for enemy in table.combatants[2:]:
            table.distances.claim(table.combatants[0], enemy, inches, inches)
        assert ("Onslaught (triple of 1)" in labels(table, actions)) == offered


def test_inspiring_presence_needs_a_hero_and_a_friend_that_has_not_activated() -> None:
    dice = DiceSet(1, 3)
    assert not any("Inspiring" in each for each in labels(table_with(dice)))
    table = table_with(dice, marks=("hero",))
    assert any("Inspiring" in each for each in labels(table))
    table.combatants[1].begin_activation()
    assert not any("Inspiring" in each for each in labels(table))
    table = table_with(dice)
    table.combatants[0] = combatant(0, "Red 1", blessing="Heroism")
    assert any("Inspiring" in each for each in labels(table))


def test_an_exhausted_friend_cannot_be_inspired() -> None:
    """Suffer No Weakness: abilities of others in its warband do not affect it."""
    table = table_with(DiceSet(1, 3), marks=("hero",))
    table.notes.exhausted = table.combatants[1]
    assert not any("Inspiring" in each for each in labels(table))
    table = table_of(sizes=(3, 1), marks=("hero",))
    table.sides[0].sets, table.notes.exhausted = [DiceSet(1, 3)], table.combatants[1]
    script = Script({"inspired": "Red 3"})
    use(table, "Inspiring", script)
    assert script.of("inspired")[0].options == ("Red 3 (0/10)", "nobody")


def test_reckoning_needs_half_of_the_warband_taken_down() -> None:
    table = table_with(DiceSet(3, 4))
    assert not any("Reckoning" in each for each in labels(table))
    table.combatants[1].damage = 10
    assert any("Reckoning" in each for each in labels(table))
    lines = use(table, "Reckoning", Script({"bonus attack": "Axe", "reaction": "no reaction"}, face=6))
    assert "Red 1 may make a bonus move of up to 3 inches" in lines
    assert any(each.is_down for each in table.combatants[2:])


def test_the_bonus_attack_of_reckoning_may_be_at_any_target_in_range() -> None:
    """An enemy within 1 inch allows it; another one may be its target."""
    table = table_with(DiceSet(3, 4))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", "Bow: ranged R3-20 A2 S3 D1/4")
    table.combatants[1].damage = 10
    near, far = table.combatants[2:]
    table.distances.claim(table.combatants[0], near, 0, 1)
    table.distances.claim(table.combatants[0], far, 8, 8)
    script = Script({"bonus attack": "Bow"}, face=6)
    use(table, "Reckoning", script)
    assert {option.split(" at ")[-1][:6] for option in script.of("bonus attack")[0].options} == {"none", "Blue 2"}
    assert far.damage == 8


def test_reckoning_has_no_bonus_attack_away_from_all_enemies() -> None:
    table = table_with(DiceSet(3, 4))
    table.combatants[1].damage = 10
    for enemy in table.combatants[2:]:
        table.distances.claim(table.combatants[0], enemy, 8, 8)
    script = Script()
    use(table, "Reckoning", script)
    assert not script.of("bonus attack")


def test_an_exhausted_or_silenced_enemy() -> None:
    table = table_with(DiceSet(4, 2))
    table.notes.silenced = table.combatants[0]
    assert labels(table) == []


def test_the_price_of_onslaught_is_a_ruling() -> None:
    table = table_with(DiceSet(4, 2))
    table.rulings = terms({"onslaught": "double"}).rulings
    assert "Onslaught (double of 4)" in labels(table)
    changes = [{"attacks": 1, "weapon": "melee", "for": "activation"}]
    own = {"name": "Onslaught", "id": "onslaught", "changes": changes}
    table.sides[0].rules = (Ability.model_validate({**own, "price": "quad"}),)
    assert labels(table) == [], "the ruling is not about a card with a price of its own"
    table.rulings = terms().rulings
    table.sides[0].rules = (Ability.model_validate({**own, "price": "double"}),)
    assert labels(table) == ["Onslaught (double of 4)"]


def test_rules_in_words_are_noted() -> None:
    table = table_with(DiceSet(3, 2))
    words = Ability(name="Lamp Oil", price="double", text="Roll dice.")
    table.sides[0].rules = (words,)
    script = Script({"effect": "damage points are allocated", "fighter": "Blue 2", "points": 4})
    lines = use(table, "Lamp Oil", script)
    assert lines == ["Red 1 uses Lamp Oil (double of 3): Roll dice.", "Blue 2: +4 damage, 4 of 10 Wounds"]


def test_the_text_of_an_ability_is_shown_without_marks() -> None:
    table = table_with(DiceSet(1, 3), marks=("hero",))
    table.sides[0].rules = (Ability(name="Song", price="double", text="A {hero} Hero *sings* **loudly**."),)
    script = Script({"effect": "nothing"})
    assert use(table, "Song", script) == ["Red 1 uses Song (triple of 1): A Hero sings loudly."]


def test_a_rule_of_a_trait_needs_any_of_its_runemarks() -> None:
    table = table_with(DiceSet(3, 3), marks=("brute",))
    table.sides[0].rules = (
        Rule(name="Devour", price="triple", runemarks=("brute", "agile"), text="x"),
        Rule(name="Fly", price="double", runemarks=("mount",), text="x"),
    )
    assert labels(table) == ["Devour (triple of 3)"]


def test_an_ability_for_the_battle_round() -> None:
    table = table_with(DiceSet(3, 3))
    table.sides[0].rules = (Ability(name="Hold", price="triple", changes=({"toughness": 1, "for": "round"},)),)  # type: ignore[arg-type]
    use(table, "Hold")
    who = table.combatants[0]
    who.end_effects("activation")
    assert who.stats.toughness == 5


RAISED = "Each time a friendly fighter uses an ability, add 1 to the value of that ability, to a maximum of 6."
RAISED_IN_WORDS = "When you spend a triple on *Own*, its value rises by 1."
RAISED_FOR_ANOTHER = "When you spend a triple on *Other*, its value rises by 1."


@pytest.mark.parametrize(
    ("trait", "value", "asked"),
    [
        (RAISED, 3, (4, 4)), (RAISED, 2, None), (RAISED, 4, (5, 5)), (RAISED, 6, (6, 6)),
        (RAISED_IN_WORDS, 3, (4, 6)), (RAISED_FOR_ANOTHER, 3, None), (RAISED_FOR_ANOTHER, 4, (4, 4)),
    ],
)  # fmt: skip
def test_an_ability_whose_value_may_be_raised_is_offered_and_asked_for(
    trait: str, value: int, asked: tuple[int, int] | None
) -> None:
    """`asked` are the lowest and the highest value; where they are equal nothing is asked."""
    table = table_with(DiceSet(value, 3), damage=9)
    side, script = table.sides[0], Script()
    rule = Ability.model_validate({"name": "Own", "price": "triple", "changes": [
        {"only_if": {"least_value": 4}}, {"heal": "value"}]})  # fmt: skip
    side.rules, side.trait = (rule,), Trait(name="Lift", runemark="chaos", text=trait)
    options = ability_options(table, table.combatants[0], 2)
    assert bool(options) == (asked is not None)
    if asked:
        run_with(use_ability(AbilityUse(table, table.combatants[0], options[0], set())), script)
        questions = [each for each in script.asked if isinstance(each, Measurement) and each.key == "value"]
        assert [(each.low, each.high) for each in questions] == ([asked] if asked[0] < asked[1] else [])
        assert table.combatants[0].damage == 9 - asked[0]
