"""The exact figures of the rules: one attack or shot at Strength 3, a target with 1 Wound and Toughness 3."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.requests import roll_sum
from cardgen.rulesets.skirmish.referee.combat import WarriorDuel
from cardgen.rulesets.skirmish.referee.target_numbers import (
    FALLS,
    Attempt,
    Fighter,
    Opponent,
    Shot,
    alone_test,
    break_away,
    fall,
    jump,
    shots,
    strikes,
)
from cardgen.rulesets.skirmish.referee.warrior import (
    AUTOMATIC,
    DOWN,
    FIT,
    HAND_WEAPON,
    NEVER,
    Health,
    Tally,
    initiative_test,
    leadership_test,
    need_to_save,
    need_to_strike,
    need_to_wound,
    strike,
    warrior_of,
)
from tests.cases import each_case
from tests.rulesets.skirmish.referee.fights import (
    GREAT_WEAPON,
    HANDGUN,
    LONGBOW,
    blow,
    card,
    case,
    chances,
    fighter,
    harm,
    need,
    parts,
    rules,
    states,
    terms,
    warrior,
)

F = Fraction
CASES = {
    "1": (blow(), 1, 1, "N 29/36, K 5/108, S 7/108, O 1/12"),
    "4": (blow(rules=rules(critical="hits")), 1, 1, "N 119/144, K 23/432, S 25/432, O 1/16"),
    "5": (blow(rules=rules(critical="extra")), 1, 1, "N 29/36, K 1/18, S 7/108, O 2/27"),
    "20": (blow(4, 6), 1, 1, "N 17/18, K 1/54, S 1/54, O 1/54"),
    "21": (blow(4, 5), 1, 1, "N 31/36, K 1/36, S 5/108, O 7/108"),
    "22": (blow(), 1, 2, "N 29/36, L 1/9, K 1/36, S 1/36, O 1/36"),
    "23": (blow(), 2, 1, "N 841/1296, K 899/11664, S 1345/11664, O 617/3888"),
    "38": (blow(4, 4, 5, "killing-blow"), 1, 1, "N 29/36, K 1/27, S 1/27, O 13/108"),
    "39": (blow(4, 5, 5, "poison"), 1, 1, "N 85/108, K 17/324, S 23/324, O 29/324"),
    "41": (blow(4, 4, 5, "hatred"), 1, 1, "N 17/24, K 5/72, S 7/72, O 1/8"),
    "42": (blow(6), 1, 1, "N 101/108, K 5/324, S 7/324, O 1/36"),
}  # fmt: skip


@each_case("number", CASES)
def test_attacks(number: str) -> None:
    one, count, wounds, figures = CASES[number]
    assert harm(((one, count),), Health(wounds)) == parts(figures)


def test_case_2_leadership_tests() -> None:
    passes = [odds(leadership_test, "A", leadership).chance_of(True) * 36 for leadership in range(2, 13)]
    assert passes == [1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]


def test_case_3_needs_over_six() -> None:
    hits = [harm(blow(hit, 2, NEVER, can_be_critical=False)).get("N", F(0)) for hit in (7, 8, 9, 10)]
    assert [(1 - miss) / F(5, 6) for miss in hits] == [F(1, 12), F(1, 18), F(1, 36), 0]


def test_cases_6_to_11_shooting_needs() -> None:
    on, off = rules(single_target="ignored"), rules(single_target="counted")
    far: Any = {"distance": 20, "moved": True, "cover": "soft"}
    assert (need(3, on, **far), need(3, off, **far)) == (7, 8)
    assert need(4, on, cover="hard", distance=12) == 5
    assert need(3, on, warrior("B", rules=frozenset({"large"})), distance=13, cover="hard") == 6
    assert (need(6, on), need(6, on, cover="hard")) == (2, 3)
    assert need(4, off, distance=20, cover="soft", is_charging=True) == 7
    assert need(2, off, distance=20, cover="hard", moved=True) == 10


def test_case_12_longbow() -> None:
    target = warrior("B", t=4, armor=6)
    volley = shots(warrior(bs=4), target, LONGBOW, Shot(30), target.health, rules())
    assert harm(volley) == parts("N 61/72, K 7/216, S 11/216, O 5/72")


@pytest.mark.parametrize(
    ("save", "figures"), [(5, "N 2/3, K 5/54, S 1/9, O 7/54"), (3, "N 3/4, K 7/108, S 1/12, O 11/108")]
)
def test_case_13_handgun(save: int, figures: str) -> None:
    target = warrior("B", armor=save)
    assert harm(shots(warrior(), target, HANDGUN, Shot(12), target.health, rules())) == parts(figures)


@pytest.mark.parametrize(
    ("save", "strengths", "chances_"),
    [
        (5, (3, 4, 5), "1/3 1/6 0"),
        (4, (3, 4, 5, 6), "1/2 1/3 1/6 0"),
        (2, (3, 4, 5, 6, 7), "5/6 2/3 1/2 1/3 1/6"),
        (1, (3, 4, 5, 6, 7), "5/6 5/6 2/3 1/2 1/3"),
    ],
)
def test_cases_14_to_16_saves(save: int, strengths: tuple[int, ...], chances_: str) -> None:
    assert [F(7 - need_to_save(save, each), 6) for each in strengths] == [*map(F, chances_.split())]


def test_case_17_armor_piercing() -> None:
    saves = [F(7 - need_to_save(save, 4, 1), 6) for save in (6, 5, 4, 3, 2, 1)]
    assert saves == [0, 0, F(1, 6), F(1, 3), F(1, 2), F(2, 3)]


@pytest.mark.parametrize(("dice", "figures"), [(2, "K 1/9, S 1/3, O 5/9"), (3, "K 1/27, S 7/27, O 19/27")])
def test_cases_18_and_19_injuries(dice: int, figures: str) -> None:
    sure = blow(AUTOMATIC, 1, NEVER, kind="fall", can_be_critical=False)
    assert harm(((sure, dice),)) == parts(figures)


@pytest.mark.parametrize(
    ("height", "keys", "figures"),
    [
        (4, {}, "N 13/81, K 404/2187, S 596/2187, O 836/2187"),
        (6, {}, "N 43/648, K 3095/17496, S 5195/17496, O 8045/17496"),
        (2, {}, "N 38/81, K 325/2187, S 385/2187, O 451/2187"),
        (6, {"t": 4, "w": 2}, "N 43/648, L 85/216, K 100/729, S 175/972, O 325/1458"),
    ],
)
def test_cases_24_to_27_falls(height: int, keys: Any, figures: str) -> None:
    who = warrior(**keys)
    die = odds(fall, who, who.health, Attempt(height), rules()).map(lambda end: end.health)
    assert states(die, who.health) == parts(figures)


@pytest.mark.parametrize(
    ("initiative", "landed"),
    [(3, "1/2 1/4 1/8"), (4, "2/3 4/9 8/27"), (5, "5/6 25/36 125/216"), (6, "5/6 25/36 125/216")],
)
def test_case_28_landings(initiative: int, landed: str) -> None:
    who = warrior(i=initiative)
    dice = [odds(jump, who, who.health, Attempt(height), rules()) for height in (2, 4, 6)]
    assert [die.chance(lambda end: end.words != FALLS) for die in dice] == [*map(F, landed.split())]


def test_case_29_jump() -> None:
    found = chances(case("jump", warrior=card(), height=4))
    assert found["succeeds: 1 Wound"] == F(1, 4)
    assert found["succeeds: 1 Wound"] + found["falls: 1 Wound"] == F(10, 27)
    assert found["falls: out of action"] == F(209, 729)


def test_case_30_dive() -> None:
    foe = warrior("B")
    one, other = fighter(i=4, charges=True, first=True, dives=True), fighter(1)
    dive = strikes(one, other, one.warrior.health, foe.health, rules())
    landed = F(4, 9)
    struck = {letter: chance * landed for letter, chance in harm(dive).items()}
    struck["N"] += 1 - landed
    assert struck == parts("N 65/81, K 40/729, S 16/243, O 56/729")
    assert odds(jump, one.warrior, foe.health, Attempt(4), rules()).chance(lambda end: end.words != FALLS) == landed


def _alone(leadership: int, save: int = 5, **keys: Any) -> Any:
    one, foe = fighter(armor=save), fighter(1)
    opponents = (Opponent(foe, foe.warrior.health, **keys),) * 2
    return odds(alone_test, one, one.warrior.health, opponents, leadership, rules())


def test_case_31_alone() -> None:
    fails = [_alone(leadership).chance(lambda end: end is not None) for leadership in (6, 7, 8, 9)]
    assert fails == [F(7, 12), F(5, 12), F(5, 18), F(1, 6)]


@pytest.mark.parametrize(("may_crit", "out"), [(True, F(55, 432)), (False, F(85, 972))])
def test_case_32_alone_and_out(may_crit: bool, out: Fraction) -> None:
    assert _alone(7, may_crit=may_crit).chance(lambda end: end and end.health.state == "out of action") == out
    found = chances(case("alone", warrior=card(save=5), opponents=(card("B"),) * 2, no_critical=not may_crit))
    assert found["stays, out of action"] == out


def test_case_33_parting_blows() -> None:
    one, foe = fighter(armor=5), fighter(1)
    opponents = (Opponent(foe, foe.warrior.health),) * 2
    die = odds(break_away, one, one.warrior.health, opponents, rules()).map(lambda end: end.health)
    assert states(die, one.warrior.health) == parts("N 121/324, K 355/2916, S 581/2916, O 11/36")


def test_case_34_flights() -> None:
    two, three = (odds(roll_sum, dice, "flight", "A", "flight") for dice in (2, 3))
    least = [two.chance(lambda inches, each=each: inches >= each) for each in (6, 7, 8, 10, 12)]  # type: ignore[misc]
    assert least == [F(13, 18), F(7, 12), F(5, 12), F(1, 6), F(1, 36)]
    assert [three.chance(lambda inches, each=each: inches >= each) for each in (10, 12)] == [F(5, 8), F(3, 8)]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("situation", "holds"),
    [
        ({"leadership": 8}, F(2197, 5832)),
        ({"leadership": 8, "led": 0, "next_leadership": 7}, F(343, 1728)),
        ({"leadership": 8, "next_leadership": 7, "led": 1}, F(637, 2592)),
    ],
)
def test_case_35_routs(situation: Any, holds: Fraction) -> None:
    assert chances(case("rout", tests=3, **situation))["holds"] == holds


@pytest.mark.parametrize(
    ("weapon", "its", "figures"),
    [
        (GREAT_WEAPON, HAND_WEAPON._replace(rules=frozenset()), "N 23/36, K 11/108, S 13/108, O 5/36"),
        (HAND_WEAPON, HAND_WEAPON, "N 25/36, K 1/12, S 11/108, O 13/108"),
    ],
)
def test_case_36_great_weapon(weapon: Any, its: Any, figures: str) -> None:
    one, other = fighter(weapon=weapon), fighter(1, its, armor=5, has_shield=True)
    if weapon is HAND_WEAPON:
        one = one._replace(weapon=GREAT_WEAPON)
    found = harm(strikes(one, other, one.warrior.health, other.warrior.health, rules()))
    assert found == parts(figures)


@pytest.mark.parametrize(("may_crit", "out"), [(True, F(7, 18)), (False, F(1, 3))])
def test_case_37_attack_on_the_knocked_down(may_crit: bool, out: Fraction) -> None:
    assert harm(blow(), Health(0, DOWN), may_crit=may_crit)["O"] == out


def test_case_40_cavalry() -> None:
    rider = Health(1, FIT, is_mounted=True)
    die = odds(strike, *_one_attack_on(rider))
    assert die.chance(lambda tally: tally.lost_mount) == F(1, 9)
    assert harm(blow(save=2, foot_save=4), rider) == {"N": F(1)}


def _one_attack_on(health: Health) -> Any:
    return blow(save=2, foot_save=4), Tally(health.wounds, has_mount=health.is_mounted)


DUEL = {"a": card(ws=4, i=4), "b": card("B")}
AFTER = {
    1: "1/2; K 7/81, S 1/9, O 11/81; K 7/162, S 1/18, O 11/162",
    2: "95/324; K 697/6561, S 95/1458, O 1778/6561; K 308/6561, S 95/2916, O 1213/6561",
}


@pytest.mark.parametrize("turns", AFTER)
def test_cases_43_and_44_duel(turns: int) -> None:
    matter = case("duel", **DUEL, turns=turns)
    assert matter.odds is not None
    of_a, of_b = [dict(table.parts) for table in matter.odds()[:3]][1:]
    stand, b, a = AFTER[turns].split("; ")
    for table, figures in ((of_a, a), (of_b, b)):
        states_ = {"K": "knocked down", "S": "stunned", "O": "out of action"}
        assert {letter: table[name] for letter, name in states_.items()} == parts(figures)
    one, other = (Fighter(warrior_of(DUEL[name]), side, HAND_WEAPON) for side, name in enumerate("ab"))
    duel = WarriorDuel((one, other), terms(policy={"forces": "one"}), turns)
    assert duel.odds(0).chance(lambda end: all("Wound" in words for words in end.states)) == F(stand)


def test_charts() -> None:
    strike_rows = ("4455555555", "3444555555", "3344445555", "3334444455", "3333444444", "3333344444", "3333334444",
                   "3333333444", "3333333344", "3333333334")  # fmt: skip
    wound_rows = ("4566------", "34566-----", "234566----", "2234566---", "22234566--", "222234566-", "2222234566",
                  "2222223456", "2222222345", "2222222234")  # fmt: skip
    rows = range(1, 11)
    assert ["".join(str(need_to_strike(own, its)) for its in rows) for own in rows] == [*strike_rows]
    shown = ["".join(str(need_to_wound(s, t)).replace(str(NEVER), "-") for t in rows) for s in rows]
    assert shown == [*wound_rows]


def test_a_six_fails_an_initiative_test() -> None:
    passes = [odds(initiative_test, "A", initiative).chance_of(True) for initiative in (0, 1, 5, 6, 10)]
    assert passes == [0, F(1, 6), F(5, 6), F(5, 6), F(5, 6)]
