"""Groups and conditions: what the tracker knows, and what it asks."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.requests import Roll
from cardgen.rulesets.warcry.battle.activation import ability_options
from cardgen.rulesets.warcry.battle.attacks import AttackOption, make_attack
from cardgen.rulesets.warcry.battle.performance import candidates, is_decided, known_state
from cardgen.rulesets.warcry.effective import changes_of
from cardgen.rulesets.warcry.selections import Condition, Group
from tests.cases import each_case
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of
from tests.rulesets.warcry.battle.test_performance import table_with, use
from tests.rulesets.warcry.referee.fights import terms


def names(**group: Any) -> list[str]:
    table = table_of(marks=("hero",))
    table.combatants[1].damage, table.combatants[3].damage = 6, 10
    table.distances.claim(table.combatants[0], table.combatants[2], 5, 8)
    return [each.name for each in candidates(table, table.combatants[0], Group.model_validate(group), (), 4)]


@each_case(
    ("group", "found"),
    [
        ({"side": "enemy"}, ["Blue 1"]),
        ({"side": "friend"}, ["Red 1", "Red 2"]),
        ({"side": "friend", "another": True}, ["Red 2"]),
        ({"side": "friend", "visible": True}, ["Red 2"]),
        ({"side": "fighter", "damaged": 1}, ["Red 2"]),
        ({"side": "fighter", "half_wounds": True}, ["Red 2"]),
        ({"side": "enemy", "within": 4}, []),
        ({"side": "enemy", "within": "value"}, []),
        ({"side": "enemy", "within": 4, "to": "leader"}, ["Blue 1"]),  # the leader may be anywhere
        ({"side": "enemy", "within": 6}, ["Blue 1"]),
        ({"side": "enemy", "down": True}, ["Blue 2"]),
        ({"side": "enemy", "wounds": 11}, []),
        ({"side": "enemy", "runemarks": ["hero"]}, ["Blue 1"]),
        ({"side": "enemy", "runemarks": ["beast"]}, []),
        ({"side": "friend", "cost": 99}, []),
        ({"side": "enemy", "any_runemarks": ["hero", "beast"]}, ["Blue 1"]),
        ({"side": "enemy", "any_runemarks": ["minion", "beast"]}, []),
        ({"side": "enemy", "lower": "toughness"}, []),  # Both have the same.
    ],
)
def test_whoever_may_belong_to_a_group_is_offered(group: dict[str, Any], found: list[str]) -> None:
    assert names(**group) == found


def test_the_user_is_a_friendly_fighter_unless_the_ruling_says_otherwise() -> None:
    table = table_of()
    user, group = table.combatants[0], Group(side="friend")
    assert user in candidates(table, user, group, (), 4)
    table.rulings = terms({"friendly-user": "others"}).rulings
    assert [each.name for each in candidates(table, user, group, (), 4)] == ["Red 2"]


def test_what_is_measured_is_not_decided() -> None:
    assert is_decided(Group(side="friend", wounds=5))
    assert not is_decided(Group(side="friend", cover=True))
    assert not is_decided(Group(side="enemy", within=3))


@each_case(
    ("condition", "answer"),
    [
        ({"damaged": 3}, True),
        ({"damaged": 6}, False),
        ({"half_wounds": True}, True),
        ({"moved": True}, False),
        ({"still": True, "damaged": 1}, True),
        ({"half_down": True}, False),
        ({"rounds": [1, 2]}, False),
        ({"took_down": "attack"}, False),
        ({"took_down": "any"}, False),
        ({"attacked": True}, False),
        ({"outnumbered": True}, False),
        ({"more_down": "enemy"}, False),
        ({"initiative": True}, True),
        ({"cost": 1}, False),
        ({"leader": True}, None),
        ({"enemy_within": 3}, False),
        ({"no_enemy_within": 3}, True),
        ({"enemy_within": 9}, True),
        ({"enemy_within": 6}, None),
        ({"objective_within": 3}, None),
        ({"objective_within": 3, "moved": True}, False),
        ({"present": True}, True),
    ],
)
def test_conditions_are_known_or_asked(condition: dict[str, Any], answer: bool | None) -> None:
    table = table_of(sizes=(1, 1))
    table.combatants[0].damage = 5
    table.distances.claim(table.combatants[0], table.combatants[1], 5, 8)
    assert known_state(table, table.combatants[0], Condition.model_validate(condition)) is answer


@pytest.mark.parametrize(("is_reaction", "user", "found"), [(False, 0, 1), (True, 0, 2), (False, 1, 2), (False, 2, 2)])
def test_abilities_of_others_in_its_warband_do_not_affect_an_exhausted_fighter(
    is_reaction: bool, user: int, found: int
) -> None:
    """Not those of Red 1, but its own, reactions, and those of the enemy."""
    table = table_of()
    table.notes.exhausted = table.combatants[1]
    group = Group(side="friend" if user < 2 else "enemy")
    who = table.combatants[user]
    assert len(candidates(table, who, group, (), 0, is_reaction=is_reaction)) == found


def test_a_blessing_is_part_of_what_a_fighter_costs() -> None:
    table = table_of(sizes=(1, 1))
    table.combatants.append(combatant(0, "Red 2", blessing="Swiftness"))
    most = table.combatants[0].points
    able = candidates(table, table.combatants[0], Group(side="friend", cost=most), (), 0)
    assert [each.name for each in able] == ["Red 1"]


def test_fighters_in_reserve_are_offered_where_they_are_meant_and_only_there() -> None:
    table = table_of()
    one, away = table.combatants[0], table.combatants[3]
    away.is_in_reserve = True

    def found(**group: Any) -> list[str]:
        return [each.name for each in candidates(table, one, Group(side="enemy", **group), (), 4)]

    assert (found(), found(reserve=True)) == (["Blue 1"], ["Blue 2"])
    away.damage = 10
    assert (found(down=True), found(reserve=True)) == (["Blue 2"], [])


def test_a_fighter_in_reserve_is_not_taken_down() -> None:
    table = table_of()
    table.combatants[0].is_in_reserve = True
    assert known_state(table, table.combatants[0], Condition(standing=True)) is True


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ('Pick a friendly fighter with the Beast runemark within 6". Remove 1 damage point from that fighter.', False),
        ("Remove 1 damage point from each friendly fighter with the Beast runemark.", False),
        ('Roll a die for each enemy with the Beast runemark within 6". On a 4+, allocate 1 damage point to it.',
         False),
        ("Pick an enemy fighter with the Beast runemark and roll a die. On a 4+, allocate 1 damage point to it.",
         False),
        ("Pick a friendly fighter with the Beast runemark. Remove 1 damage point from that fighter. "
         "Remove 1 damage point from this fighter.", True),
        ('Pick an enemy fighter. Allocate 1 damage point to each other enemy fighter within 3" of that fighter.', True),
        ("Pick an enemy fighter. Allocate 1 damage point to it.", True),
    ],
)  # fmt: skip
def test_an_ability_for_nobody_is_not_offered(text: str, is_offered: bool) -> None:
    table = table_with(text, damage=5)
    assert changes_of(table.sides[0].rules[0])
    assert bool(ability_options(table, table.combatants[0], 2)) == is_offered


@pytest.mark.parametrize(("cover", "needed"), [(False, "4+"), (True, "5+")])
def test_whether_the_target_is_in_cover_is_not_asked_twice(cover: bool, needed: str) -> None:
    text = "Friendly fighters have +1 Toughness while they are in cover until the end of the battle round."
    table = table_with(text)
    use(table)
    attacker, target = table.combatants[2], table.combatants[0]
    script = Script()
    option = AttackOption(target, attacker.stats.weapons[0], cover)
    run_with(make_attack(table, attacker, option, set(), has_more=True), script)
    assert not script.of("condition")
    rolls = {each.what for each in script.asked if isinstance(each, Roll) and each.key == "hit"}
    assert rolls == {f"to hit, {needed}"}


@pytest.mark.parametrize(
    ("condition", "inches", "sizes", "known"),
    [
        ({"enemy_within": 3, "enemies": 3}, None, (1, 2), False),
        ({"enemy_within": 3, "enemies": 2}, None, (1, 2), None),
        ({"enemy_within": 3, "enemies": 2}, 2, (1, 2), True),
        ({"enemy_within": 3, "enemies": 2}, 9, (1, 2), False),
        ({"enemy_within": 3}, 2, (1, 1), True),
        ({"friend_within": 3}, None, (1, 2), False),
        ({"friend_within": 3}, None, (2, 2), None),
        ({"friend_within": 3, "friends": 2}, None, (2, 2), False),
        ({"friend_within": 3}, 9, (2, 1), False),
        ({"friend_within": 3}, 1, (2, 1), True),
        ({"sees_enemy_within": 6}, 9, (1, 1), False),
        ({"sees_enemy_within": 6}, 2, (1, 1), None),
    ],
)
def test_as_many_fighters_must_be_left_as_a_condition_needs(
    condition: dict[str, Any], inches: int | None, sizes: tuple[int, int], known: bool | None
) -> None:
    """All others are that many inches away, if that is known."""
    table = table_of(sizes=sizes)
    who, *others = table.combatants
    for other in others if inches else ():
        table.distances.claim(who, other, inches or 0, inches or 0)
    assert known_state(table, who, Condition.model_validate(condition)) is known
