"""Twists: they help the player with fewer victory points."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.requests import Roll
from cardgen.rulesets.warcry.battle.attacks import AttackOption, make_attack
from cardgen.rulesets.warcry.battle.battleplan import extra_wild_dice, play_twist
from cardgen.rulesets.warcry.battle.table import Table
from tests.cases import each_case
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of
from tests.rulesets.warcry.referee.fights import terms

PLANS = (
    "Lightning Raid", "Raze to the Ground", "Mystic Glade", "Plundered Spoils", "A War Over Nothing",
    "A Tithe of Blades", "Endless Struggle", "Brutal Encounter", "A Reckoning for the Ages",
    "Uncompromising Slaughter", "Blood on the Forest Floor", "The Flooded Toll",
)  # fmt: skip


def twist(plan: str, answer: Any = None, places: int = 3, behind: int = 1) -> tuple[Table, Script]:
    """Play the twist of a plan with a side behind, and objectives 1 to 3."""
    table = table_of(plan)
    table.places = [f"objective {number}" for number in range(1, places + 1)]
    table.sides[1 - behind].vp = 3
    script = Script({"twist": answer, "effect": "nothing"})
    run_with(play_twist(table), script)
    return table, script


@each_case("plan", PLANS)
def test_nothing_happens_with_equal_victory_points(plan: str) -> None:
    table = table_of(plan)
    script = Script()
    _, lines = run_with(play_twist(table), script)
    assert (script.asked, lines) == ([], [])


@each_case("plan", [plan for plan in PLANS if plan not in ("Mystic Glade", "The Flooded Toll")])
@each_case("behind", [0, 1])
def test_whoever_is_behind_is_asked(plan: str, behind: int) -> None:
    _, script = twist(plan, behind=behind)
    assert {each.who for each in script.of("twist")} == {("Red", "Blue")[behind]}


def test_glittering_hoard() -> None:
    assert twist("Lightning Raid", "objective 2")[0].notes.prize == "objective 2"


def test_raze_to_the_ground_may_be_declined() -> None:
    assert twist("Raze to the Ground", "objective 2")[0].places == ["objective 1", "objective 3"]
    assert len(twist("Raze to the Ground", "none")[0].places) == 3


def test_pulsing_power() -> None:
    table = table_of("Mystic Glade")
    assert extra_wild_dice(table) == (0, 0)
    table.sides[0].vp = 4
    assert extra_wild_dice(table) == (0, 4)
    table.sides[1].vp = 9
    assert extra_wild_dice(table) == (5, 0)
    other = table_of("Lightning Raid")
    other.sides[0].vp = 4
    assert extra_wild_dice(other) == (0, 0)


def test_desperate_strength() -> None:
    assert twist("Plundered Spoils", "objective 3")[0].notes.strength == ("objective 3", 1)


def test_it_aint_worth_it() -> None:
    assert twist("A War Over Nothing", "objective 1")[0].notes.ignored_place == "objective 1"


def test_nothing_left_worth_looting() -> None:
    """Each player removes an own one; whoever is behind removes any, and one of the opponent's instead."""
    table = table_of("Running Out of Time")
    table.places = [f"objective {number}" for number in range(1, 6)]
    table.control = {"objective 1": 0, "objective 2": 0, "objective 3": 1}
    script = Script({"twist": ["objective 2"]})
    run_with(play_twist(table), script)
    assert table.places == ["objective 1", "objective 4", "objective 5"]
    run_with(play_twist(table), script)
    assert len(table.places) == 3, "fewer than four are left alone"
    table.places = [f"objective {number}" for number in range(1, 6)]
    table.control = {"objective 1": 0, "objective 2": 0}
    table.sides[0].vp = 1
    script = Script({"twist": ["objective 5", "objective 2"]})
    run_with(play_twist(table), script)
    assert table.places == ["objective 1", "objective 3", "objective 4"]
    assert [each.who for each in script.of("twist")] == ["Blue", "Blue"]
    assert run_with(play_twist(table), Script())[1] == [], "nothing is left to loot, and nobody is said to be behind"


def test_grim_resolve() -> None:
    table, _ = twist("A Tithe of Blades", ["Blue 2", "Red 1"])
    assert (table.notes.ignored_fighter, table.notes.barred) == (table.combatants[3], table.combatants[0])
    assert table.notes.extra_objective


@pytest.mark.parametrize(("setting", "friends"), [("standing", ["Blue 1"]), ("any", ["Blue 1", "Blue 2", "Blue 3"])])
def test_which_friend_grim_resolve_leaves_out_is_a_ruling(setting: str, friends: list[str]) -> None:
    table = table_of("A Tithe of Blades", sizes=(1, 3))
    table.sides[0].vp, table.rulings = 3, terms({"grim-resolve": setting}).rulings
    table.combatants[2].damage, table.combatants[3].is_in_reserve = 10, True
    script = Script()
    run_with(play_twist(table), script)
    offered = script.of("twist")[0].options
    assert [option.split(" (")[0] for option in offered] == ["nobody", *friends]


def test_grim_resolve_beside_objectives_of_the_map() -> None:
    """A battleplan of your own may join it with objectives; without any, nobody is asked who cannot control them."""
    for places, barred in ((["objective 1"], 0), ([], None)):
        table = table_of("A Tithe of Blades")
        secondary = table.plan.secondary.model_copy(update={"rule": None})
        table.plan, table.places = table.plan.model_copy(update={"secondary": secondary}), places
        table.sides[0].vp = 3
        run_with(play_twist(table), Script({"twist": ["Blue 2", "Red 1"]}))
        assert table.notes.barred is (None if barred is None else table.combatants[barred])


def test_flickering_shrines_and_suffer_no_weakness() -> None:
    table, _ = twist("Endless Struggle", ["objective 2", "Red 2"])
    weak = table.combatants[1]
    assert (table.active, table.notes.exhausted, weak.stats.toughness) == (["objective 2"], weak, 2)
    weak.end_effects("round")
    assert weak.stats.toughness == 4


@pytest.mark.parametrize(("setting", "toughness", "face"), [("none", 2, 3), ("one", 2, 4), ("none", 4, 5)])
def test_how_low_suffer_no_weakness_brings_toughness_is_a_ruling(setting: str, toughness: int, face: int) -> None:
    """Strength 1 is more than a Toughness of 0, and as much as one that stays at 1."""
    table = table_of("Endless Struggle")
    table.rulings = terms({"lowest-characteristic": setting}).rulings
    table.combatants[1] = combatant(0, "Red 2", f"M5 T{toughness} W10")
    table.combatants[2] = combatant(1, "Blue 1", "M5 T4 W10", "Needle: dagger R1 A1 S1 D1/1")
    table.places, table.sides[1].vp = ["objective 1", "objective 2"], 0
    table.sides[0].vp = 3
    run_with(play_twist(table), Script({"twist": ["objective 2", "Red 2"]}))
    option, script = AttackOption(table.combatants[1], table.combatants[2].stats.weapons[0], cover=False), Script()
    run_with(make_attack(table, table.combatants[2], option, set(), has_more=False), script)
    assert [each.what for each in script.asked if isinstance(each, Roll)] == [f"to hit, {face}+"]


def test_tangled_roots() -> None:
    table, _ = twist("Brutal Encounter", "Red 2")
    assert table.notes.silenced is table.combatants[1]


@pytest.mark.parametrize("plan", ["Brutal Encounter", "Endless Struggle"])
def test_an_enemy_that_arrives_in_this_battle_round_can_be_picked(plan: str) -> None:
    """Only Grim Resolve needs an enemy on the battlefield."""
    table = table_of(plan)
    table.places, table.sides[0].vp = ["objective 1", "objective 2"], 3
    table.combatants[1].is_in_reserve = True
    script = Script({"twist": ["objective 1", "Red 2"] if plan == "Endless Struggle" else "Red 2"})
    run_with(play_twist(table), script)
    assert table.combatants[1] in (table.notes.silenced, table.notes.exhausted)


def test_worthless_ruin() -> None:
    assert len(twist("A Reckoning for the Ages", "objective 1")[0].places) == 2


def test_no_quarter_and_no_half_measures() -> None:
    assert twist("Uncompromising Slaughter", "upper right")[0].notes.ignored_place == "upper right quarter"
    assert twist("Blood on the Forest Floor", "red")[0].notes.halved == ("red half", 0)


def test_a_twist_in_words_is_noted() -> None:
    _, script = twist("The Flooded Toll")
    assert [each.what for each in script.of("effect")] == ["effect of 'High Water'"]


def test_the_text_of_a_twist_in_words_is_shown() -> None:
    table = table_of("The Flooded Toll")
    table.sides[0].vp = 1
    _, lines = run_with(play_twist(table), Script({"effect": "nothing"}))
    assert lines[0].startswith(
        "Blue is behind: High Water: After the initiative phase of each battle round, the player"
    )
