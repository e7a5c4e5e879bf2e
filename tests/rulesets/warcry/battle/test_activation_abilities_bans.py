"""What rules forbid in a battle: the tracker keeps to it, or shows it to the players."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warcry.battle.activation import ability_options
from cardgen.rulesets.warcry.battle.attacks import AttackOption, attack_options, make_attack
from cardgen.rulesets.warcry.battle.battleplan import determine_control
from cardgen.rulesets.warcry.battle.performance import remove_damage, suffer_impact
from cardgen.rulesets.warcry.battle.table import Combatant, Effect, Table
from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from cardgen.rulesets.warcry.wording.reader import READER
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of
from tests.rulesets.warcry.battle.test_activation import act, options
from tests.rulesets.warcry.battle.test_performance import table_with, use

AXE, BOW = "Axe: axe R1 A2 S4 D1/4", "Bow: ranged R3-20 A2 S4 D1/4"


def forbid(who: Combatant, *bans: Any) -> None:
    who.effects.append(Effect((Change.model_validate({"cannot": bans, "for": "round"}),), "round"))


def archer_and_target() -> Table:
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", AXE, BOW)
    return table


@pytest.mark.parametrize(
    ("ban", "weapons"),
    [("be-attacked", set()), ("be-struck", {"Bow"}), ("be-shot", {"Axe"})],
)
def test_who_cannot_be_the_target_of_attacks_is_not_offered(ban: str, weapons: set[str]) -> None:
    table = archer_and_target()
    forbid(table.combatants[1], ban)
    assert {each.weapon.name for each in attack_options(table, table.combatants[0])} == weapons


@pytest.mark.parametrize(
    ("ban", "inches", "offered"),
    [
        ("wait", 4, {"Rush", "Onslaught"}),
        ("move", 4, set()),  # The axe reaches 1 inch, and no move brings it near.
        ("move", 1, {"Onslaught"}),
        ("attack", 4, {"Rush"}),
        ("attack", 1, set()),
    ],
)
def test_abilities_for_forbidden_actions_are_not_offered(ban: str, inches: int, offered: set[str]) -> None:
    table = table_of(sizes=(1, 1))
    table.sides[0].sets = [DiceSet(1, 3)]
    attacker, target = table.combatants
    table.distances.claim(attacker, target, inches, inches)
    forbid(attacker, ban)
    assert {each.rule.name for each in ability_options(table, attacker, 2)} == offered


def test_cover_does_not_count_for_who_cannot_benefit_from_it() -> None:
    table = archer_and_target()
    assert {each.cover for each in attack_options(table, table.combatants[0])} == {False, True}
    forbid(table.combatants[1], "cover")
    assert {each.cover for each in attack_options(table, table.combatants[0])} == {False}


def test_nobody_reacts_to_who_cannot_be_answered() -> None:
    table = archer_and_target()
    forbid(table.combatants[0], "be-answered")
    script = Script()
    attacker, target = table.combatants
    run_with(
        make_attack(table, attacker, AttackOption(target, attacker.stats.weapons[0], False), set(), has_more=True),
        script,
    )
    assert not script.of("reaction")
    table.distances.claim(attacker, target, 1, 1)
    script, _ = act(table, ["disengage", "end"])
    assert not script.of("striker")


def test_impact_damage_and_healing_are_forbidden() -> None:
    table = table_of(sizes=(1, 1))
    red = table.combatants[0]
    red.damage = 5
    forbid(red, "impact", "heal")
    _, lines = run_with(suffer_impact(table, red), Script(face=1))
    run_with(remove_damage(table, red, 3), Script())
    assert red.damage == 5
    assert lines == ["Red 1 cannot suffer impact damage"]


def test_who_cannot_act_can_only_end_the_activation() -> None:
    table = table_of(sizes=(1, 1))
    forbid(table.combatants[0], "act")
    script, _ = act(table, ["end"])
    assert options(script) == ("end the activation", "something else")


@pytest.mark.parametrize("ban", ["bonus", "act"])
def test_who_cannot_make_bonus_actions_makes_none(ban: str) -> None:
    table = table_with('Pick another friendly fighter within 6". That fighter makes a bonus move action.')
    forbid(table.combatants[1], ban)
    use(table, Script({"pick": "Red 2"}))
    assert not table.combatants[1].has_moved


def test_who_cannot_control_objectives_does_not_count() -> None:
    table = table_of(sizes=(2, 1))
    table.places = ["objective 1"]
    forbid(table.combatants[0], "control")
    forbid(table.combatants[2], "control")
    script = Script({"control": "Red"})
    run_with(determine_control(table), script)
    (question,) = script.of("control")
    assert question.options == ("Red", "neither")
    assert question.what.endswith(", without Red 1 and Blue 1")


@pytest.mark.parametrize(
    "text",
    [
        "This fighter cannot be taken down until the end of the battle round.",
        'Pick a visible enemy fighter within 6". That fighter cannot carry treasure until the end of the battle round.',
        "Until the end of the battle round, enemy fighters cannot make disengage actions while they are within "
        '3" of this fighter.',
    ],
)
def test_what_the_tracker_cannot_forbid_is_shown(text: str) -> None:
    lines = use(table_with(text), Script({"pick": "Blue 1"}))
    assert any("applies to" in line and "cannot" in line for line in lines)
    ability = Ability(name="Own", price="quad", text=text)
    steps = [READER.referee(ability, each) for each in READER.read(ability, text)]
    assert any("shows it to the players" in step for step in steps)
    assert not any("keeps it in force" in step for step in steps)


@pytest.mark.parametrize(("face", "damage"), [(6, 6), (3, 0)])
def test_a_bonus_disengage_action_can_be_answered(face: int, damage: int) -> None:
    """It is a disengage action, to which Strike Them Down is a reaction; it ends more than 1 inch away."""
    table = table_with("This fighter can make a bonus disengage action.")
    red, _, blue, _ = table.combatants
    table.distances.claim(red, blue, 1, 1)
    script = Script({"striker": "Blue 1"}, face=face)
    use(table, script)
    assert len(script.of("striker")) == 1
    assert (red.damage, blue.actions) == (damage, 1)
    assert table.distances.is_within(red, blue, 1) is False
