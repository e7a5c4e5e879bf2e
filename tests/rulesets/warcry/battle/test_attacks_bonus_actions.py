"""Bonus actions that abilities give."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warcry.battle.activation import activate
from cardgen.rulesets.warcry.battle.table import Effect
from cardgen.rulesets.warcry.changes import Change
from tests.rulesets.warcry.battle.players import Script, run_with, table_of
from tests.rulesets.warcry.battle.test_performance import table_with, use


@pytest.mark.parametrize(
    ("text", "inches"),
    [
        ("This fighter makes a bonus move action.", 5),
        ("This fighter can make a bonus move action up to a number of inches equal to the value of this ability.", 3),
        ('It may move up to 4" as a bonus move action.', 4),
    ],
)
def test_a_bonus_move_is_as_long_as_it_says(text: str, inches: int) -> None:
    table = table_with(text)
    table.distances.claim(table.combatants[0], table.combatants[2], 10, 10)
    use(table)
    assert table.distances.bounds(table.combatants[0], table.combatants[2]) == (10 - inches, 10 + inches)
    assert table.combatants[0].has_moved


@pytest.mark.parametrize(("words", "has_moved"), [("", False), (' They can do this even within 1" of an enemy.', True)])
def test_few_bonus_moves_are_made_beside_an_enemy(words: str, has_moved: bool) -> None:
    table = table_with(f'Remove 1 damage point from this fighter. It makes a bonus move of up to 3".{words}', damage=2)
    table.distances.claim(table.combatants[0], table.combatants[2], 0, 1)
    use(table)
    assert table.combatants[0].has_moved is has_moved


def test_changes_for_a_bonus_move_come_before_it_and_end_with_it() -> None:
    table = table_with("This fighter makes a bonus move. It has +2 Move for that move.")
    table.distances.claim(table.combatants[0], table.combatants[2], 10, 10)
    use(table)
    assert table.distances.bounds(table.combatants[0], table.combatants[2]) == (10 - 7, 10 + 7)
    assert table.combatants[0].stats.move == 5


def test_one_of_two_bonus_actions_is_asked_for() -> None:
    for answer, points in (("bonus attack", 3), ("no bonus action", 0)):
        table = table_with("This fighter makes a bonus move action or a bonus attack action.")
        table.distances.claim(table.combatants[0], table.combatants[3], 9, 9)
        script = Script({"bonus action": answer, "bonus attack": "Axe", "reaction": "no reaction"}, face=5)
        use(table, script)
        assert table.combatants[2].damage == points
        assert script.of("bonus action")[0].options == ("bonus move", "bonus attack", "no bonus action")


def test_a_bonus_attack_can_be_of_one_type() -> None:
    table = table_with("This fighter makes a bonus missile attack action.")
    script = Script(face=5)
    use(table, script)
    assert not script.of("bonus attack")


@pytest.mark.parametrize(("ban", "questions"), [("", 1), (" Enemies cannot react to it.", 0)])
def test_nobody_reacts_to_some_bonus_attacks(ban: str, questions: int) -> None:
    table = table_with(f"This fighter makes a bonus attack action.{ban}")
    table.distances.claim(table.combatants[0], table.combatants[3], 9, 9)
    script = Script({"bonus attack": "Axe", "reaction": "no reaction"}, face=5)
    use(table, script)
    assert len(script.of("reaction")) == questions
    assert table.combatants[2].damage == 3


def test_changes_for_an_attack_come_before_it() -> None:
    text = "This fighter makes a bonus attack action. In addition, add 1 to the Attacks characteristic of that attack "
    table = table_with(f"{text}action.")
    table.distances.claim(table.combatants[0], table.combatants[3], 9, 9)
    use(table, Script({"bonus attack": "Axe", "reaction": "no reaction"}, face=5))
    assert table.combatants[2].damage == 4
    assert table.combatants[0].stats.weapons[0].attacks == 3


def test_a_picked_friend_acts() -> None:
    table = table_with('Pick another friendly fighter within 6". That fighter makes a bonus move action.')
    use(table, Script({"pick": "Red 2"}))
    assert table.combatants[1].has_moved
    assert not table.combatants[0].has_moved


@pytest.mark.parametrize(
    ("picks", "damage", "attacks"),
    [(["none"], 9, 1), (["Axe", "Axe"], 9, 2), (["Axe"], 0, 1)],
    ids=["no attack", "felled", "not felled"],
)
def test_whether_the_bonus_attack_before_took_an_enemy_down_is_known(picks: Any, damage: int, attacks: int) -> None:
    table = table_with(
        "This fighter makes a bonus attack action. If an enemy fighter is taken down by that attack action, it makes "
        "another bonus attack action."
    )
    table.combatants[2].damage = damage
    script = Script({"bonus attack": picks}, face=5)
    use(table, script)
    assert len(script.of("bonus attack")) == attacks
    assert not script.of("condition")


def test_what_is_for_a_bonus_action_ends_if_it_is_not_made() -> None:
    table = table_with("This fighter can make a bonus attack with +1 Attacks.")
    table.distances.claim(table.combatants[0], table.combatants[3], 9, 9)
    use(table, Script({"bonus attack": "none"}))
    assert table.combatants[0].effects == []
    table = table_with("This fighter makes a bonus move. It has +2 Move for that move.")
    table.combatants[0].effects = [Effect((Change(cannot=("move",)),), "round")]
    use(table)
    assert len(table.combatants[0].effects) == 1
    table = table_with(
        'Pick another friendly fighter within 6". It can make a bonus attack. That attack has +1 Attacks.'
    )
    use(table, Script({"pick": "Red 2", "bonus attack": "none"}))
    assert table.combatants[1].effects == []


def test_what_is_for_an_attack_ends_with_the_activation() -> None:
    table = table_of()
    red = table.combatants[0]
    red.effects = [Effect((Change(attacks=1),), until, span=span) for until, span in _SPANS]
    run_with(activate(table, red), Script())
    assert [(each.until, each.span) for each in red.effects] == [("own attack", ""), ("own move", "round")]


_SPANS = [
    ("attack", "attack"),
    ("move", "move"),
    ("own attack", "activation"),
    ("own attack", ""),
    ("own move", "round"),
]
