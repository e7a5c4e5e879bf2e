"""Activations: moves, attacks, disengaging, waiting, and what is offered."""

from __future__ import annotations

from typing import Any

from cardgen.referee.trial import card_of_kind
from cardgen.rulesets.warcry.battle.activation import activate, openings
from cardgen.rulesets.warcry.battle.table import Table
from cardgen.rulesets.warcry.cards import Rule, Trait
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, sample, table_of

BESIDE = 1


def act(table: Table, actions: Any = None, opening: str = "", **more: Any) -> tuple[Script, list[str]]:
    """Let Red 1 activate."""
    face = more.pop("face", 1)
    script = Script({"action": actions, **more}, face=face)
    _, lines = run_with(activate(table, table.combatants[0], opening), script)
    return script, lines


def duel(inches: int | None = None) -> Table:
    """Return a table of one fighter a side, at a known distance or none."""
    table = table_of(sizes=(1, 1))
    if inches is not None:
        table.distances.claim(table.combatants[0], table.combatants[1], inches, inches)
    return table


def is_beside(table: Table) -> bool | None:
    return table.distances.is_within(table.combatants[0], table.combatants[1], BESIDE)


def options(script: Script, number: int = 0) -> tuple[str, ...]:
    return script.of("action")[number].options


def test_heroes_without_limits_use_several_abilities() -> None:
    """The same one again too; everyone else uses one in an activation."""
    for name, uses in (("Heroes Without Limits", 2), ("Aspire to Glory", 1)):
        table = duel()
        table.sides[0].trait = card_of_kind(sample("trait", name), Trait)
        table.sides[0].sets = [DiceSet(1, 2), DiceSet(1, 2)]
        _, lines = act(table, ["Rush", "Rush" if uses == 2 else "end", "end"])
        assert sum("uses Rush" in line for line in lines) == uses


def test_several_abilities_are_possible_after_the_last_action_too() -> None:
    table = duel()
    table.sides[0].trait = card_of_kind(sample("trait", "Heroes Without Limits"), Trait)
    table.sides[0].sets, table.combatants[0].damage = [DiceSet(2, 2), DiceSet(3, 2)], 8
    act(table, ["ask for an ability", "move up", "move up"], ability=["Respite", "Respite"])
    assert (table.combatants[0].damage, table.sides[0].sets) == (3, [])


def test_two_actions() -> None:
    script, lines = act(duel(), ["move up", "move up"])
    assert lines == ['Red 1 moves up to 5"'] * 2
    assert len(script.of("action")) == 2


def test_beside_an_enemy_only_a_disengage_action_moves() -> None:
    script, _ = act(duel(BESIDE))
    assert not any(option.startswith("move") for option in options(script))
    assert any(option.startswith("disengage") for option in options(script))
    script, _ = act(duel(9))
    assert not any(option.startswith("disengage") for option in options(script))
    script, _ = act(duel())
    assert {option.split(" ")[0] for option in options(script)} >= {"move", "disengage"}


def test_whoever_disengages_is_not_beside_an_enemy() -> None:
    table = duel(BESIDE)
    script, _ = act(table, ["disengage", "end"])
    assert is_beside(table) is False
    assert not any(option.startswith("disengage") for option in options(script, 1))


def test_strike_them_down_costs_an_action_and_may_take_down() -> None:
    table = duel(BESIDE)
    table.combatants[0].damage = 7
    _, lines = act(table, ["disengage"], striker="Blue 1", face=6)
    assert table.combatants[0].is_down
    assert table.combatants[1].actions == 1
    assert "Red 1 is taken down" in lines


def test_only_enemies_nearby_that_can_react_strike() -> None:
    table = table_of(sizes=(1, 3))
    red, near, far, spent = table.combatants
    table.distances.claim(red, near, 0, 1)
    table.distances.claim(red, far, 5, 5)
    table.distances.claim(red, spent, 0, 1)
    spent.begin_activation()
    script, _ = act(table, ["disengage"])
    assert script.of("striker")[0].options == ("no reaction", "Blue 1 (0/10)")


def test_a_target_out_of_reach_is_not_offered() -> None:
    script, _ = act(duel(20))
    assert not any("Axe" in option or "attack" in option for option in options(script))
    script, _ = act(duel(6))
    assert "move, then attack" in options(script)
    script, _ = act(duel(7))
    assert "move, then attack" not in options(script)


def test_nobody_attacks_whoever_is_down_or_in_reserve() -> None:
    table = table_of(sizes=(1, 3))
    table.combatants[1].damage = 10
    table.combatants[2].is_in_reserve = True
    script, _ = act(table)
    attacks = [option for option in options(script) if "Axe" in option]
    assert attacks
    assert all("Blue 3" in option for option in attacks)


def test_a_pair_of_attacks_stops_when_the_target_falls() -> None:
    table = duel(BESIDE)
    script, _ = act(table, opening='Axe (1") at Blue 1 (0/10), twice', face=6)
    assert table.combatants[1].is_down
    assert [each.what for each in script.of("action")] == ["Red 1 (0/10), 1 action left"]


def test_many_targets_are_asked_for_in_a_second_question() -> None:
    table = table_of(sizes=(1, 9))
    script, lines = act(table, ["attack twice"], attack='Axe (1") at Blue 7', reaction="no reaction in this activation")
    assert len(script.of("attack")) == 1
    assert len(script.of("reaction")) == 1
    assert sum(line.startswith("Red 1: Axe at Blue 7") for line in lines) == 2


def test_an_attack_after_a_move_can_be_given_up() -> None:
    script, _ = act(duel(3), ["move, then", "move up"], attack="another action")
    assert len(script.of("action")) == 2


def test_picking_an_attack_says_that_the_target_is_in_range() -> None:
    table = duel()
    act(table, ["Axe (1"])
    assert is_beside(table) is True


def test_openings_are_what_is_surely_possible() -> None:
    table = duel(20)
    assert openings(table, table.combatants[0]) == ["move twice"]
    table = duel(4)
    assert openings(table, table.combatants[0]) == ["move twice", "move, then attack"]
    table = duel(BESIDE)
    table.distances.note(table.combatants[0], table.combatants[1], False)
    assert openings(table, table.combatants[0]) == ['Axe (1") at Blue 1 (0/10), twice']


def test_an_immobile_fighter_does_not_move() -> None:
    table = duel()
    table.combatants[0] = combatant(0, "Stone", "M0 T4 W10")
    script, _ = act(table)
    assert not any(option.startswith(("move", "disengage")) for option in options(script))


def test_an_ability_after_the_last_action() -> None:
    table = duel(9)
    table.sides[0].sets = [DiceSet(4, 2)]
    table.combatants[0].damage = 5
    act(table, ["ask for an ability", "move twice"], ability="Respite")
    assert table.combatants[0].damage == 1
    table.sides[0].sets = [DiceSet(4, 2)]
    table.combatants[0].begin_round()
    script, _ = act(table, ["end the activation"])
    assert not script.of("ability")


def test_one_ability_in_an_activation() -> None:
    table = duel(9)
    table.sides[0].sets = [DiceSet(1, 2), DiceSet(2, 2)]
    script, _ = act(table, ["Rush", "end"])
    assert not any("Rush" in option for option in options(script, 1))
    assert table.sides[0].sets == [DiceSet(2, 2)]


def test_a_fall() -> None:
    table = duel(9)
    _, lines = act(table, ["something else", "end"], event="a fighter falls", fighter="Red 1", face=1)
    assert table.combatants[0].damage == 3
    assert "Red 1: +3 damage, 3 of 10 Wounds" in lines
    assert table.distances.bounds(table.combatants[0], table.combatants[1])[0] == 0


def test_actions_that_cards_grant() -> None:
    table = duel(9)
    table.combatants[0].damage = 5
    mend = Rule.model_validate({"name": "Mend", "price": "action", "changes": [{"heal": 2}]})
    table.sides[0].rules = (mend, Rule(name="Howl", price="action", text="Howl."))
    script, lines = act(table, ["Mend (1 action)", "Howl"], effect="nothing")
    assert "Red 1 removes 2 damage, 3 of 10 Wounds" in lines
    assert [each.what for each in script.of("effect")] == ["effect of 'Howl'"]
    assert len(script.of("action")) == 2


def test_the_second_of_two_attacks_is_without_the_changes_for_an_attack() -> None:
    """Strength 4 against Toughness 4: a 3 hits with +1 Strength only."""
    table = duel(1)
    aim: Any = ({"strength": 1, "for": "attack"},)
    table.sides[0].rules = (Rule(name="Aim", price="free", changes=aim),)
    _, lines = act(table, ["Aim", 'Axe (1") at Blue 1 (0/10), twice'], face=3)
    assert [line for line in lines if "hits" in line] == [
        "Red 1: 3 hits, 0 critical hits, 0 misses",
        "Red 1: 0 hits, 0 critical hits, 3 misses",
    ]
