"""Victory points of the battlepack's twelve battleplans, and the winner."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warcry.battle.battleplan import leader, score_round
from cardgen.rulesets.warcry.battle.performance import allocate
from cardgen.rulesets.warcry.battle.table import Fall, RoundNotes, Table
from tests.cases import each_case
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of
from tests.rulesets.warcry.referee.fights import terms

OBJECTIVE_PLANS = (
    "Lightning Raid", "Raze to the Ground", "Mystic Glade", "A War Over Nothing", "Running Out of Time",
)  # fmt: skip
SLAUGHTER_PLANS = (
    "A Tithe of Blades", "Endless Struggle", "Brutal Encounter", "A Reckoning for the Ages",
    "Uncompromising Slaughter", "Blood on the Forest Floor",
)  # fmt: skip


def score(table: Table, **answers: Any) -> tuple[int, int]:
    """Score a battle round; return the victory points of both sides since the last one."""
    before = [side.vp for side in table.sides]
    run_with(score_round(table), Script(dict(answers)))
    after = [side.vp - points for side, points in zip(table.sides, before, strict=True)]
    return after[0], after[1]


def hold(table: Table, red: str, blue: str) -> None:
    """Give objectives such as '12' to the sides; those of the start of the round are the same."""
    table.places = [f"objective {mark}" for mark in red + blue]
    table.control = {f"objective {mark}": side for side, marks in enumerate((red, blue)) for mark in marks}
    table.notes = RoundNotes(held_before=dict(table.control))


def fall(table: Table, *numbers: int) -> None:
    """Take down combatants by index: 0 and 1 are red, 2 and 3 blue."""
    for number in numbers:
        who = table.combatants[number]
        who.damage = who.stats.wounds
        table.notes.falls.append(Fall(who, None))


@each_case("plan", OBJECTIVE_PLANS)
@each_case(
    ("red", "blue", "points"),
    [("", "", (0, 0)), ("1", "", (2, 0)), ("1", "2", (1, 1)), ("12", "3", (3, 1)), ("12", "34", (2, 2))],
)
def test_objectives(plan: str, red: str, blue: str, points: tuple[int, int]) -> None:
    """Any, two or more, and more than the opponent."""
    table = table_of(plan)
    hold(table, red, blue)
    assert score(table) == points


@pytest.mark.parametrize(
    ("red", "blue", "points"),
    [("B", "", (2, 0)), ("A", "", (1, 0)), ("", "A", (0, 2)), ("AB", "", (3, 0)), ("B", "A3", (2, 3))],
)
def test_plundered_spoils(red: str, blue: str, points: tuple[int, int]) -> None:
    table = table_of("Plundered Spoils")
    hold(table, red, blue)
    assert score(table) == points
    table.red_side = 1
    hold(table, blue, red)
    assert score(table) == points[::-1]


@each_case("plan", SLAUGHTER_PLANS)
@each_case(("down", "points"), [((), (0, 0)), ((2,), (2, 0)), ((0, 2), (1, 1)), ((0, 2, 3), (2, 1))])
def test_slaughter(plan: str, down: tuple[int, ...], points: tuple[int, int]) -> None:
    """Any enemy taken down, and more enemies than friends, in this battle round alone."""
    table = table_of(plan)
    fall(table, *down)
    assert score(table) == points
    table.notes = RoundNotes()
    assert score(table) == (0, 0)


@pytest.mark.parametrize(
    ("marks", "each_round"), [(("hero",), 1), (("ally",), 1), (("ally", "monster"), 1), (("ally", "hero"), 2)], ids=str
)
def test_heroes_allies_and_monsters_score_in_every_round(marks: tuple[str, ...], each_round: int) -> None:
    """An Ally that is a Hero is worth 8 victory points if it falls in the first of four battle rounds."""
    table = table_of("Brutal Encounter")
    table.combatants[2] = combatant(1, "Blue 1", marks=marks)
    fall(table, 2)
    assert score(table) == (2 + each_round, 0)
    for _ in range(3):
        table.notes = RoundNotes()
        assert score(table) == (each_round, 0)


def test_lightning_raid_counts_wounds_of_the_whole_battle() -> None:
    table = table_of("Lightning Raid")
    fall(table, 2)
    assert score(table) == (2, 0)
    table.notes = RoundNotes()
    assert score(table) == (2, 0)
    fall(table, 0)
    assert score(table) == (0, 0)


@pytest.mark.parametrize(("plan", "both"), [("Raze to the Ground", (2, 0)), ("Plundered Spoils", (2, 2))])
def test_falls_near_objectives(plan: str, both: tuple[int, int]) -> None:
    """The first of the round for Raze to the Ground; one for each side in Plundered Spoils."""
    table, script = table_of(plan), Script({"near": ["no", "yes", "yes", "yes"]})
    for number in (1, 2, 3, 0):
        run_with(allocate(table, table.combatants[number], 10), script)
    assert score(table) == both
    assert script.of("near")[0].what == 'Red 2 is within 3" of an objective'
    assert len(script.of("near")) == (2 if both == (2, 0) else 3)


@pytest.mark.parametrize(("inches", "asked"), [(2, 0), (5, 0), (None, 1)])
def test_mystic_glade(inches: int | None, asked: int) -> None:
    """The attacker is bloodgifted within 3 inches; that is only asked if it is unknown."""
    table, script = table_of("Mystic Glade"), Script({"near": "yes"})
    attacker, victim = table.combatants[0], table.combatants[2]
    if inches is not None:
        table.distances.claim(attacker, victim, inches, inches)
    run_with(allocate(table, victim, 10, attacker), script)
    assert len(script.of("near")) == asked
    assert table.notes.bloodgifted is (None if inches == 5 else attacker)
    assert score(table, bloodgifted="yes") == (0, 0)
    table.places, table.control = ["objective 1"], {"objective 1": 0}
    assert score(table, bloodgifted="yes") == (2 if inches == 5 else 4, 0)
    assert score(table, bloodgifted="no") == (2, 0)


def test_only_attacks_give_blood() -> None:
    table, script = table_of("Mystic Glade"), Script()
    run_with(allocate(table, table.combatants[2], 10), script)
    assert table.notes.bloodgifted is None
    assert not script.asked


def test_a_war_over_nothing_scores_new_objectives() -> None:
    table = table_of("A War Over Nothing")
    hold(table, "12", "3")
    table.notes.held_before = {"objective 1": 0, "objective 3": 0}
    assert score(table) == (3 + 1, 1 + 1)


@pytest.mark.parametrize(("points", "vp"), [(100, 1), (101, 2), (250, 3)])
def test_a_worthy_foe(points: int, vp: int) -> None:
    table = table_of("Running Out of Time")
    table.combatants[2].card = table.combatants[2].card.model_copy(update={"points": points + 1})
    table.combatants[3].card = table.combatants[3].card.model_copy(update={"points": points})
    table.combatants[2].damage = 10
    table.round = 1
    assert score(table, worthy="Red 2") == (0, 0)
    assert [each.name for each in table.worthy] == ["Red 2", "Blue 2"]
    fall(table, 0, 3)
    assert score(table) == (vp, 0)


def test_no_worthy_foe_is_determined_in_the_last_round() -> None:
    table = table_of("Running Out of Time")
    table.round = 4
    score(table)
    assert table.worthy == []


def test_take_their_measure() -> None:
    table = table_of("A Tithe of Blades")
    table.notes.extra_objective = "the extra objective"
    table.control["the extra objective"] = 1
    assert score(table) == (0, 2)
    assert table.control == {}
    assert score(table) == (0, 0)


def test_flickering_shrines_count_active_objectives() -> None:
    table = table_of("Endless Struggle")
    hold(table, "12", "3")
    assert score(table) == (0, 0)
    table.active = ["objective 3", "objective 1"]
    assert score(table) == (0, 0)
    table.active = ["objective 3"]
    assert score(table) == (0, 2)


@pytest.mark.parametrize(
    "plan", ["Brutal Encounter", "Uncompromising Slaughter", "A Reckoning for the Ages", "Blood on the Forest Floor"]
)
def test_more_quarters_halves_or_places_of_power(plan: str) -> None:
    table = table_of(plan)
    hold(table, "12", "3")
    assert score(table) == (2, 0)
    table.notes.ignored_place = "objective 1"
    assert score(table) == (0, 0)


def test_the_fighters_that_a_twist_leaves_out() -> None:
    table = table_of("A Tithe of Blades")
    table.combatants[2] = combatant(1, "Blue 1", marks=("hero",))
    table.notes.ignored_fighter = table.combatants[2]
    fall(table, 2)
    assert score(table) == (0, 0)


def test_endurance_of_exhaustion() -> None:
    table = table_of("Endless Struggle")
    table.notes.exhausted = table.combatants[3]
    assert score(table) == (0, 1)
    fall(table, 3)
    assert score(table) == (2, 0)


def test_the_prize_of_glittering_hoard() -> None:
    table = table_of("Lightning Raid")
    hold(table, "1", "2")
    table.notes.prize = "objective 2"
    assert score(table) == (1, 2)


def test_conditions_in_words_are_asked() -> None:
    """Those with victory points are answered with yes or no; the rest by a number."""
    table = table_of("The Flooded Toll")
    script = Script({"scores": ["yes", "no", "no", "yes"], "points": [0, 3]})
    run_with(score_round(table), script)
    assert [side.vp for side in table.sides] == [1, 2 + 3]
    assert script.of("scores")[0].what == "Controlling any objective"


def test_the_winner_has_more_victory_points() -> None:
    table = table_of()
    assert leader(table) is None
    table.sides[1].vp = 1
    assert leader(table) == 1
    table.sides[0].vp = 2
    assert leader(table) == 0


def test_the_reasons_for_victory_points_are_in_words() -> None:
    table = table_of("Brutal Encounter")
    fall(table, 2)
    _, lines = run_with(score_round(table), Script())
    assert lines[:2] == [
        "Red scores 1 VP: an enemy was taken down", "Red scores 1 VP: more enemies than friends were taken down",
    ]  # fmt: skip
    table = table_of()
    hold(table, "12", "3")
    _, lines = run_with(score_round(table), Script())
    assert lines == [
        "Red scores 1 VP: control of an objective", "Blue scores 1 VP: control of an objective",
        "Red scores 1 VP: control of two objectives or more", "Red scores 1 VP: control of more objectives",
    ]  # fmt: skip


def test_a_fighter_that_falls_twice_counts_once() -> None:
    table = table_of("Brutal Encounter")
    fall(table, 0, 2, 2)
    assert score(table) == (1, 1)
    table = table_of("Running Out of Time")
    table.worthy = [table.combatants[2]]
    fall(table, 2, 2)
    assert score(table) == (1, 0)


@pytest.mark.parametrize("setting", ["not", "counted"])
def test_whether_a_fighter_that_returned_counts_is_a_ruling(setting: str) -> None:
    """For this battle round alone: it is not taken down any more, so that a Hero scores no further points."""
    for plan, points in (("Brutal Encounter", 2), ("Running Out of Time", 1)):
        table = table_of(plan, marks=("hero",))
        table.rulings, table.worthy = terms({"returned": setting}).rulings, table.combatants[2:3]
        fall(table, 2)
        table.combatants[2].damage = 0
        assert score(table) == ((points if setting == "counted" else 0), 0)


@pytest.mark.parametrize(
    ("plan", "setting", "points"),
    [("Plundered Spoils", "not", 0), ("Plundered Spoils", "counted", 2), ("Raze to the Ground", "not", 2)],
)
def test_the_ruling_on_fighters_that_returned_covers_falls_near_objectives(
    plan: str, setting: str, points: int
) -> None:
    """In Raze to the Ground, the first fall scores when it happens."""
    table = table_of(plan)
    table.rulings = terms({"returned": setting}).rulings
    run_with(allocate(table, table.combatants[2], 10), Script({"near": "yes"}))
    table.combatants[2].damage = 0
    assert score(table) == (points, 0)


@pytest.mark.parametrize("setting", ["not", "counted"])
def test_another_fall_near_an_objective_counts_once_the_first_has_returned(setting: str) -> None:
    table = table_of("Plundered Spoils")
    table.rulings = terms({"returned": setting}).rulings
    for victim in table.combatants[2:]:
        run_with(allocate(table, victim, 10), Script({"near": "yes"}))
        if victim is table.combatants[2]:
            victim.damage = 0
    assert score(table) == (2, 0)
