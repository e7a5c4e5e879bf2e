"""Rules in words: what the players say about their effects."""

from __future__ import annotations

from cardgen.rulesets.warcry.battle.performance import note_effects, note_event
from cardgen.rulesets.warcry.battle.table import Table
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from tests.rulesets.warcry.battle.players import Script, run_with, table_of


def note(table: Table, **answers: object) -> tuple[Script, list[str]]:
    script = Script(dict(answers))
    _, lines = run_with(note_effects(table, table.sides[0], "Song"), script)
    return script, lines


def test_no_effect_takes_one_answer() -> None:
    script, lines = note(table_of(), effect="nothing")
    assert (len(script.asked), lines) == (1, [])


def test_damage_points_may_take_down() -> None:
    table = table_of()
    note(table, effect="damage points are allocated", fighter="Blue 1", points=10)
    assert table.combatants[2].is_down
    assert [fall.attacker for fall in table.notes.falls] == [None]


def test_removing_is_offered_only_if_somebody_is_hurt() -> None:
    table = table_of()
    script, _ = note(table, effect="nothing")
    assert "damage points are removed" not in script.of("effect")[0].options
    table.combatants[1].damage = 4
    script, _ = note(table, effect="damage points are removed", points=3)
    assert (table.combatants[1].damage, script.of("fighter")) == (1, [])


def test_several_effects() -> None:
    table = table_of()
    note(
        table,
        effect=["several", "damage points are allocated", "a wild die", "nothing"],
        fighter=["Blue 2"],
        points=2,
        owner="Red",
    )
    assert (table.combatants[3].damage, table.sides[0].wild) == (2, 1)


def test_a_moved_fighter_may_be_anywhere() -> None:
    table = table_of()
    one, _, other, _ = table.combatants
    table.distances.claim(one, other, 3, 3)
    note(table, effect="a fighter is moved", fighter="Blue 1")
    assert table.distances.bounds(one, other)[0] == 0


def test_a_fighter_may_return() -> None:
    table = table_of()
    script, _ = note(table, effect="nothing")
    assert "a fighter returns" not in script.of("effect")[0].options
    table.combatants[1].damage = 10
    note(table, effect="a fighter returns")
    assert table.combatants[1].stands
    assert table.combatants[1].damage == 0
    note(table, effect="a fighter leaves", fighter="Red 2")
    assert not table.combatants[1].stands
    note(table, effect="a fighter returns")
    assert table.combatants[1].stands


def test_ability_dice_change() -> None:
    """A trait may change the value of a set, or give a new one."""
    table = table_of()
    table.sides[0].sets = [DiceSet(2, 2), DiceSet(3, 3, lifted=True)]
    for old, new, sets in (
        ("double of 2", "double of 6", [DiceSet(3, 3, lifted=True), DiceSet(6, 2)]),
        ("none", "quad of 1", [DiceSet(3, 3, lifted=True), DiceSet(6, 2), DiceSet(1, 4)]),
        ("triple of 3", "no set", [DiceSet(6, 2), DiceSet(1, 4)]),
    ):
        note(table, **{"effect": "ability dice change", "owner": "Red", "old set": old, "new set": new})
        assert table.sides[0].sets == sets


def test_saved_wild_dice_have_no_limit() -> None:
    """The battlepack sets none, and several traits save more."""
    table = table_of()
    table.sides[0].wild = 7
    note(table, effect="a wild die", owner="Red")
    assert table.sides[0].wild == 8


def test_an_event_of_no_rule() -> None:
    table, script = table_of(), Script({"event": "a fighter falls", "fighter": "Red 2"}, face=3)
    run_with(note_event(table, table.sides[0]), script)
    assert table.combatants[1].damage == 1
