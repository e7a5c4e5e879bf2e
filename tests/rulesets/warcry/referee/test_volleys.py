"""Whether the damage of an ability reaches the target of an activation."""

from __future__ import annotations

from typing import Any

from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, fighter, means

USER = fighter("Hal", "M5 T4 W20", "Sword: sword R1 A3 S4 D2/5")
TARGET = fighter("Orc", "M5 T4 W60", "Axe: axe R1 A3 S4 D2/5", marks=("hero",))
DEAL = {"of": "picked", "deal": 3}
ENEMY = {"side": "enemy", "within": 3}
ROLLED = {"on_roll": "4+", "of": "rolled", "deal": 4}


def damage_of(changes: list[dict[str, Any]], **values: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the mean damage that an ability adds, and what is not adjudicated."""
    ability = card("ability", "Hex", price="double", changes=changes)
    given: dict[str, Any] = {"attacker": USER, "target": TARGET, "activations": 1, "distance": 1, **values}
    matter = case("activation", **given, ability=ability)
    return means(matter)["mean"] - means(case("activation", **given))["mean"], matter.not_simulated


@each_case(
    ("changes", "values"),
    [
        ([{"pick": {"side": "friend", "within": 3}}, DEAL], {}),
        ([{"pick": {**ENEMY, "runemarks": ["minion"]}}, DEAL], {}),
        ([{"pick": {**ENEMY, "any_runemarks": ["minion", "beast"]}}, DEAL], {}),
        ([{"pick": {**ENEMY, "most_wounds": 20}}, DEAL], {}),
        ([{"pick": {**ENEMY, "toughness": 5}}, DEAL], {}),
        ([{"pick": {**ENEMY, "lower": "toughness"}}, DEAL], {}),
        ([{"pick": {**ENEMY, "cost": 90}}, DEAL], {}),
        ([{"pick": {**ENEMY, "cover": True}}, DEAL], {}),
        ([{"pick": {**ENEMY, "carries": True}}, DEAL], {}),
        ([{"pick": {**ENEMY, "fresh": True}}, DEAL], {}),
        ([{"pick": {**ENEMY, "activated": True}}, DEAL], {}),
        ([{"pick": {**ENEMY, "nearest": True}}, DEAL], {"enemies_near": True}),
        ([{"pick": {"side": "enemy", "within": 3, "to": "leader"}}, DEAL], {}),
        ([{"roll": 1}, {"on_roll": "4+", "pick": ENEMY}, DEAL], {}),
        ([{"roll_each": {"side": "friend", "within": 3}}, ROLLED], {}),
        ([{"roll_each": {**ENEMY, "runemarks": ["minion"]}}, ROLLED], {}),
        ([{"pick": ENEMY}, {"roll_each": {"side": "friend"}}, {**ROLLED, "of": "picked"}], {}),
        ([{"pick": ENEMY}, {"roll": "2d6"}, {**ROLLED, "of": "picked", "on_roll": "7+"}], {}),
        ([{"of": {"side": "friend", "within": 3}, "deal": 3}], {}),
        ([{"of": {**ENEMY, "runemarks": ["minion"]}, "deal": 3}], {}),
        ([{"when": {"event": "round-end"}, "pick": ENEMY}, DEAL], {}),
        ([{"pick": {"side": "friend", "within": 6}}, {"of": "picked", "bonus_attack": True}], {}),
    ],
)  # fmt: skip
def test_a_group_must_contain_the_target(changes: list[dict[str, Any]], values: dict[str, Any]) -> None:
    added, notes = damage_of(changes, **values)
    assert added == 0
    assert any("'Hex' is not applied" in note for note in notes)


@each_case(
    ("changes", "values", "points"),
    [
        ([{"pick": {"side": "enemy", "within": 3, "visible": True, "runemarks": ["hero"]}}, DEAL], {}, 3),
        ([{"pick": {**ENEMY, "lower": "toughness"}}, DEAL],
         {"attacker": fighter("Hal", "M5 T5 W20", "Sword: sword R1 A3 S4 D2/5")}, 3),
        ([{"pick": {**ENEMY, "wounds": 20, "cost": 100}}, DEAL], {}, 3),
        ([{"pick": {**ENEMY, "damaged": 5}}, DEAL], {}, 0),
        ([{"pick": {**ENEMY, "damaged": 5}}, DEAL], {"target_damage": 5}, 3),
        ([{"pick": {**ENEMY, "unhurt": True}}, DEAL], {"target_damage": 1}, 0),
        ([{"pick": {**ENEMY, "half_wounds": True}}, DEAL], {"target_damage": 29}, 0),
        ([{"pick": {**ENEMY, "wounds_left": 40}}, DEAL], {"target_damage": 20}, 3),
        ([{"pick": {"side": "enemy", "within": 6, "beyond": 3}}, DEAL], {}, 0),
        ([{"pick": {"side": "enemy", "beyond": 3}}, DEAL], {"distance": 5}, 3),
        ([{"of": ENEMY, "deal": 3}], {}, 3),
        ([{"roll": 1}, {"on_roll": "4+", "of": ENEMY, "deal": 4}], {}, 2),
        ([{"roll_each": ENEMY}, ROLLED], {}, 2),
        ([{"pick": ENEMY}, {"roll_each": "picked", "dice_each": 2}, ROLLED], {}, 4),
        ([{"pick": ENEMY, "roll": 1}, {**ROLLED, "of": "picked"}, {"on_roll": "6", "of": "picked", "deal": 6}], {}, 3),
    ],
)  # fmt: skip
def test_the_target_is_reached(changes: list[dict[str, Any]], values: dict[str, Any], points: int) -> None:
    assert damage_of(changes, **values) == (points, ())


def test_the_damage_points_are_those_when_the_ability_is_used() -> None:
    """In the second activation, the target has some."""
    sword = fighter("Hal", "M5 T4 W20", "Sword: sword R1 A1 S4 D6/6")
    ability = card("ability", "Hex", price="double", changes=[{"pick": {**ENEMY, "damaged": 1}}, DEAL])
    given: dict[str, Any] = {"attacker": sword, "target": TARGET, "activations": 2, "distance": 1}
    plain, more = case("activation", **given), case("activation", **given, ability=ability, again=True)
    assert 0 < means(more)["mean"] - means(plain)["mean"] < 3
