"""Reactions: who may make them, which, and what they cost."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import play
from cardgen.referee.requests import Roll
from cardgen.rulesets.warcry.battle.attacks import AttackOption, apply_reaction, make_attack
from cardgen.rulesets.warcry.battle.table import Table
from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.effective import changes_of
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of

BOW = "Bow: ranged R3-20 A2 S4 D1/4"
COUNTER = "Counter"


def attack(table: Table, script: Script, cover: bool = False, refusals: set[object] | None = None) -> list[str]:
    attacker, target = table.combatants
    option = AttackOption(target, attacker.stats.weapons[0], cover)
    held: set[object] = set() if refusals is None else refusals
    _, lines = run_with(make_attack(table, attacker, option, held, has_more=True), script)  # type: ignore[arg-type]
    return lines


def duel(*weapons: str, **keys: Any) -> Table:
    table = table_of(sizes=(1, 1), **keys)
    if weapons:
        table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", *weapons)
    return table


def test_counter_costs_an_action_and_damages_the_attacker() -> None:
    table, script = duel(), Script({"reaction": COUNTER})
    lines = attack(table, script)
    assert script.of("reaction")[0].what == "reaction of Blue 1 (costs 1 of 2 actions)"
    assert "Blue 1 reacts: 1 action left" in lines
    assert (table.combatants[0].damage, table.combatants[1].actions) == (3, 1)


def test_two_reactions_are_all() -> None:
    table, script = duel(), Script({"reaction": COUNTER})
    table.combatants[0].profile = table.combatants[0].profile._replace(wounds=40)
    for _ in range(3):
        attack(table, script)
    assert len(script.of("reaction")) == 2
    assert not table.combatants[1].can_activate


def test_whoever_has_activated_is_not_asked() -> None:
    table, script = duel(), Script()
    table.combatants[1].begin_activation()
    attack(table, script)
    assert not script.of("reaction")


def test_a_waiting_fighter_gives_up_its_second_activation() -> None:
    table, script = duel(), Script({"reaction": COUNTER})
    target = table.combatants[1]
    target.begin_activation()
    target.wait()
    lines = attack(table, script)
    assert script.of("reaction")[0].what.endswith("(costs its second activation)")
    assert "Blue 1 reacts: no activation left" in lines
    assert not target.can_activate


def test_spite_is_free() -> None:
    table, script = duel(), Script({"reaction": COUNTER})
    table.combatants[1] = combatant(1, "Blue 1", blessing="Spite")
    assert "Blue 1 reacts for free" in attack(table, script)
    assert table.combatants[1].actions == 2


def test_no_reaction_in_this_activation_is_not_asked_again() -> None:
    table, script, refusals = duel(), Script({"reaction": "no reaction in this"}), set[object]()
    for _ in range(2):
        attack(table, script, refusals=refusals)
    assert len(script.of("reaction")) == 1


def test_take_cover_needs_cover_and_a_missile_attack() -> None:
    for cover, asked in ((True, True), (False, False)):
        table, script = duel(BOW), Script({"reaction": "Take Cover"}, face=6)
        attack(table, script, cover=cover)
        assert bool(script.of("reaction")) == asked
        assert table.combatants[1].damage == (2 if cover else 8)


def test_mounts_do_not_take_cover() -> None:
    table, script = duel(BOW, marks=("mount",)), Script()
    attack(table, script, cover=True)
    assert not script.of("reaction")


def test_reactions_of_cards() -> None:
    """One with changes lasts for the attack; one in words is noted."""
    table, script = duel(), Script({"reaction": "Brace"}, face=4)
    brace = Ability(name="Brace", price="reaction", changes=({"toughness": 1, "for": "attack"},))  # type: ignore[arg-type]
    table.sides[1].rules = (brace,)
    attack(table, script)
    assert (table.combatants[1].damage, table.combatants[1].stats.toughness) == (0, 4)
    table, script = duel(), Script({"reaction": "Spines", "effect": "nothing"})
    table.sides[1].rules = (Ability(name="Spines", price="reaction", text="Ouch."),)
    attack(table, script)
    assert [each.what for each in script.of("effect")] == ["effect of 'Spines'"]


def test_reactions_of_cards_heal_and_last_as_they_say() -> None:
    table, script = duel(BOW), Script({"reaction": "Grit"}, face=1)
    changes: Any = ({"toughness": 1, "for": "round"}, {"heal": 2}, {"bonus_move": 3})
    table.sides[1].rules = (Ability(name="Grit", price="reaction", changes=changes),)
    target = table.combatants[1]
    target.damage = 5
    table.distances.claim(table.combatants[0], target, 5, 5)
    lines = attack(table, script)
    assert (target.damage, target.stats.toughness) == (3, 5)
    assert "Blue 1 removes 2 damage, 3 of 10 Wounds" in lines
    assert table.distances.bounds(*table.combatants) == (2, 8)
    target.end_effects("round")
    assert target.stats.toughness == 4


def reaction(*changes: dict[str, Any]) -> Ability:
    return Ability.model_validate({"name": "Spines", "price": "reaction", "changes": changes})


TARGETED = {"reacts": {"event": "targeted", "attack": "melee"}}


def test_a_reaction_that_its_condition_rules_out_is_not_offered() -> None:
    table, script = duel(), Script()
    table.sides[1].rules = (
        reaction({**TARGETED, "only_if": {"half_wounds": True}}, {"toughness": 1, "for": "attack"}),
    )
    attack(table, script)
    assert "Spines" not in script.of("reaction")[0].options
    table, script = duel(), Script()
    table.combatants[1].damage = 5
    table.sides[1].rules = (
        reaction({**TARGETED, "only_if": {"half_wounds": True}}, {"toughness": 1, "for": "attack"}),
    )
    attack(table, script)
    assert "Spines" in script.of("reaction")[0].options


def test_what_a_reaction_does_later_is_for_the_players() -> None:
    """It does not happen at once, and neither does what follows."""
    table, script = duel(), Script({"reaction": "Spines", "effect": "nothing"}, face=1)
    later = {"when": {"event": "round-end"}, "of": "attacker", "deal": 3}
    table.sides[1].rules = (reaction(TARGETED, later, {"of": "attacker", "deal": 2}),)
    lines = attack(table, script)
    assert table.combatants[0].damage == 0
    assert not script.of("effect")
    assert any(line.startswith("Spines is for the players to apply then: At the end of ") for line in lines)


def test_what_the_tracker_cannot_apply_of_a_reaction_is_asked_for() -> None:
    table, script = duel(), Script({"reaction": "Spines", "effect": "nothing"}, face=1)
    table.sides[1].rules = (reaction(TARGETED, {"of": "attacker", "shift": 3, "direction": "away"}),)
    attack(table, script)
    assert [each.what for each in script.of("effect")] == ["effect of 'Spines'"]


def test_whoever_a_reaction_takes_down_before_the_hit_rolls_makes_no_attack() -> None:
    table, script = duel(), Script({"reaction": "Spines"}, face=6)
    changes: Any = ({"of": "attacker", "deal": 2},)
    table.sides[1].rules = (Ability(name="Spines", price="reaction", changes=changes),)
    table.combatants[0].damage = 9
    lines = attack(table, script)
    assert table.combatants[0].is_down
    assert table.combatants[1].damage == 0
    assert not any("critical hits" in line for line in lines)


def test_a_reaction_is_offered_once_in_its_span() -> None:
    table, script = duel(), Script({"reaction": ["Brace", None]})
    changes = [{"reacts": {"event": "targeted"}}, {"only_if": {"once": "battle"}}, {"toughness": 1, "for": "attack"}]
    table.sides[1].rules = (Ability.model_validate({"name": "Brace", "price": "reaction", "changes": changes}),)
    for _ in range(2):
        attack(table, script)
    assert ["Brace" in each.options for each in script.of("reaction")] == [True, False]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("This fighter makes a bonus move action.", "Blue 1"),
        ('Pick another friendly fighter within 6". That fighter makes a bonus move action.', "Blue 2"),
        ("If this fighter has no damage points allocated to it, it makes a bonus move action.", ""),
    ],
)
def test_the_bonus_move_of_a_reaction_is_made_by_whom_it_is_for(text: str, moved: str) -> None:
    table = table_of(sizes=(1, 2))
    attacker, target, friend = table.combatants
    target.damage = 1
    moment = (
        "A fighter can make this reaction after they are targeted by a melee attack action but before the hit rolls."
    )
    rule = Ability(name="Own", price="reaction", text=f"{moment} {text}")
    assert changes_of(rule)
    table.distances.claim(attacker, friend, 9, 9)
    table.distances.claim(attacker, target, 1.5, 1.5)
    lines = run_with(apply_reaction(table, target, rule, attacker), Script({"pick": "Blue 2"}))[1]
    assert [line.split(" may ")[0] for line in lines if "bonus move" in line] == [moved][: bool(moved)]
    near, far = table.distances.bounds(attacker, target), table.distances.bounds(attacker, friend)
    assert (near != (1.5, 1.5), far != (9, 9)) == (moved == "Blue 1", moved == "Blue 2")


@pytest.mark.parametrize(
    ("text", "needed", "dice"),
    [
        ("Subtract 1 from the Strength characteristic of that attack action.", "5+", 3),
        ("Subtract 1 from the Attacks characteristic of that attack action.", "4+", 2),
        ("Add 1 to the Toughness characteristic of this fighter until the end of that attack action.", "5+", 3),
        (
            "Subtract 1 from the Strength of attacks that target this fighter until the end of the battle round.",
            "5+",
            3,
        ),
    ],
)
def test_a_reaction_before_the_hit_rolls_changes_them(text: str, needed: str, dice: int) -> None:
    moment = (
        "A fighter can make this reaction after they are targeted by a melee attack action but before the hit rolls."
    )
    rule = Ability(name="Own", price="reaction", text=f"{moment} {text}")
    assert changes_of(rule)
    table = duel()
    table.sides[1].rules = (rule,)
    for reaction, (face, count) in {"no reaction": ("4+", 3), "Own": (needed, dice)}.items():
        script = Script({"reaction": [reaction]})
        attack(table, script)
        rolls = [each.what for each in script.asked if isinstance(each, Roll) and each.key == "hit"]
        assert rolls == [f"to hit, {face}"] * count
        assert not script.of("effect")


@pytest.mark.parametrize(
    ("moment", "place"),
    [({"event": "targeted"}, 0), ({"event": "totaled"}, 1), ({"event": "resolved"}, 2)],
    ids=["before the hit rolls", "before the damage", "after the damage"],
)
def test_a_reaction_is_offered_at_its_moment(moment: dict[str, Any], place: int) -> None:
    table, script = duel(), Script({"reaction": ["no reaction"] * min(place, 1) + ["Riposte"]}, face=5)
    changes: Any = ({"reacts": moment}, {"of": "attacker", "deal": "d3"})
    table.sides[1].rules = (Ability(name="Riposte", price="reaction", changes=changes),)
    attacker, target = table.combatants
    option = AttackOption(target, attacker.stats.weapons[0], False)
    events: list[Any] = []
    play(make_attack(table, attacker, option, set(), has_more=True), script, events.append)
    texts = [each if isinstance(each, str) else f"{each.question.key} {each.answer}" for each in events]
    steps = ("hit", "Blue 1: +", "reaction Riposte")
    hit, damage, made = (next(at for at, each in enumerate(texts) if each.startswith(step)) for step in steps)
    assert (made > hit) + (made > damage) == place


def test_a_reaction_to_deadly_damage_is_offered_only_then() -> None:
    for damage, asked in ((0, False), (9, True)):
        table, script = duel(), Script(face=5)
        changes: Any = ({"reacts": {"event": "totaled", "deadly": True}}, {"heal": 1})
        table.sides[1].rules = (Ability(name="Dodge", price="reaction", changes=changes),)
        table.combatants[1].damage = damage
        attack(table, script)
        assert any("Dodge" in each.options for each in script.of("reaction")) is asked


def test_one_reaction_is_made_to_an_attack_and_none_by_the_fallen() -> None:
    changes: Any = ({"reacts": {"event": "resolved"}}, {"heal": 1})
    for damage, answer, count in ((0, COUNTER, 1), (0, "no reaction", 2), (9, "no reaction", 1)):
        table, script = duel(), Script({"reaction": answer}, face=5)
        table.sides[1].rules = (Ability(name="Grit", price="reaction", changes=changes),)
        table.combatants[1].damage = damage
        attack(table, script)
        assert len(script.of("reaction")) == count
