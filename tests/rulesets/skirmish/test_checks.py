"""Checks of Skirmish that look at more than one card."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

CARDS = """game: skirmish
cards:
  - {name: Ada, kind: warrior, m: 4, ws: 4, bs: 3, s: 3, t: 3, w: 1, i: 4, a: 1, ld: 8, points: 60, rank: hero}
  - {name: Troll, kind: warrior, m: 6, ws: 3, bs: 1, s: 5, t: 4, w: 3, i: 1, a: 3, ld: 4, points: 50, rules: [RULE]}
  - {name: Mire, kind: warband, members: [Ada, Troll], leader: Ada}
  - {name: Den, kind: scenario, reason: A troll., setup: Place it., table_width: 36, table_depth: 36, hunt: HUNT,
     forces: [{side: attacker, name: A}, {side: defender, name: B}],
     zones: [{Lane: "attacker 0,0 8x36"}, {Yard: "defender 28,0 8x36"}],
     victory: [{side: attacker, when: wiped-out, text: The attacker wins.}]}
"""


@pytest.mark.parametrize(
    ("rule", "hunt", "found"), [("Monster", "false", ["WS374"]), ("Monster", "true", []), ("Large", "false", [])]
)
def test_a_monster_belongs_to_a_hunt(rule: str, hunt: str, found: list[str], tmp_path: Path) -> None:
    """15.3: no large monster, unless the scenario is about hunting it."""
    text = CARDS.replace("RULE", rule).replace("HUNT", hunt)
    marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("WS374",))))
    assert [mark.code for mark in marks] == found


PROFILE = "m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7"


def codes(folder: Path, cards: str, *select: str) -> list[str]:
    text = f"game: skirmish\ncards:\n  - {{{cards}}}\n"
    return [mark.code for mark in found_marks(checked(folder, text, request=CheckRequest(select=select)))]


@each_case(
    ("rows", "wrong"),
    [
        ("BS 2 > 5 or more; BS 3 > 3 or more; BS 4 > 3 or more", 1),
        ("Ballistic Skill 2 > 5+; Ballistic Skill 3 > 4+; Ballistic Skill 4 > 2+", 1),
        ("BS 2 > 6, then 4 or more; BS 3 > 6 or more; BS 4 > 5 or more", 0),  # all of them at −2
        ("BS 5 > 2 or more; BS 6 > 2 or more; BS 7 > 2 or more", 0),
        ("WS 4 against WS 3 > 3 or more; WS 3 against WS 3 > 4 or more; WS 3 against WS 7 > 4 or more", 1),
        ("S 3 against T 3 > 4+; S 3 against T 4 > 5+; S 4 against T 3 > 4+", 1),
        ("S 3 against T 3 > 4+; S 3 against T 4 > 5+; S 4 against T 3 > 3+", 0),
        ("Strength 4 > −1; Strength 5 > −2; Strength 6 > −4", 1),
        ("Strength 4 > −2; Strength 5 > −3; Strength 6 > −4", 0),  # armor piercing
        ("1-2 > Knocked down; 3-4 > Stunned; 5-6 > Out of action", 0),
        ("1 or 2 > Knocked down, and stunned by the noise; 3 or 4 > Stunned; 5+ > Out of action", 0),
        ("1-2 > Knocked down; 3-5 > Stunned; 6 > Out of action", 2),
        ("BS 3 > a bow hits", 0),
        ("Hard cover > −1", 1),
        ("Hard cover > −2; Soft cover > −1; Long range > −1; Large target > +1", 0),
    ],
)
def test_a_table_of_an_aid_is_as_the_rules_have_it(rows: str, wrong: int, tmp_path: Path) -> None:
    """11.8 to 11.10, 16.1, 16.4, 16.5, and 16.7, on cards that players look at during the game."""
    lines = (row.split(" > ") for row in rows.split("; "))
    table = ", ".join(f"{{roll: '{roll}', result: '{result}'}}" for roll, result in lines)
    cards = f"kind: aid, name: Injuries and rolls, text: Roll a D6., rows: [{table}]"
    assert codes(tmp_path, cards, "WS375") == ["WS375"] * wrong


@each_case(
    ("cost", "gear", "found"),
    [
        ("shield: 2", "armor: light", ["WS319"]),
        ("armor and shield: 2", "armor: light, shield: true", []),
        ("heavy armor: 2", "armor: light", ["WS319"]),
        ("light armor: 2", "armor: none", ["WS319"]),
        ("barding: 2", "mount: {name: Horse, m: 8, ws: 3, s: 3, i: 3, a: 1}", ["WS319"]),
        ("barding: 2", "mount: {name: Horse, m: 8, ws: 3, s: 3, i: 3, a: 1, barded: true}", []),
        ("hammer: 2", "armor: none", []),
    ],
)
def test_a_cost_is_that_of_something_that_the_warrior_has(
    cost: str, gear: str, found: list[str], tmp_path: Path
) -> None:
    cards = f"kind: warrior, name: Ada, {PROFILE}, points: 7, cost: {{body: 5, {cost}}}, {gear}"
    assert codes(tmp_path, cards, "WS319") == found


@each_case(
    ("special", "found"),
    [
        ("Killing Blow: A 5 or 6 to wound slays.", ["WS376"]),
        ("Killing Blow: It has Killing Blow.", []),
        ("Fear: It causes Fear.", []),
        ("Stupidity: It fights on a 3 or more.", ["WS376"]),
        ("Headsman: A 5 or 6 to wound slays.", []),
    ],
)
def test_a_rule_of_the_game_has_one_meaning(special: str, found: list[str], tmp_path: Path) -> None:
    rule = special.split(":")[0]
    cards = f"kind: warrior, name: Ada, {PROFILE}, points: 7, rules: [{rule}], special: {{{special}}}"
    assert codes(tmp_path, cards, "WS376") == found


@each_case(
    ("zones", "found"),
    [
        ("{A: 'attacker 0,0 8x36'}, {B: 'defender 40,0 8x36'}", 0),
        ("{A: 'attacker 0,0 8x36'}, {B: 'defender 8,0 8x36'}", 0),
        ("{A: 'attacker 0,0 8x36'}, {B: 'defender 40,0 8x36'}, {C: 'attacker 0,30 41x6'}", 1),
        ("{A: 'attacker 0,0 8x36'}, {B: 'attacker 4,0 8x36'}, {C: 'defender 6,0 8x36'}", 2),
    ],
)
def test_no_zone_overlaps_one_of_the_other_side(zones: str, found: int, tmp_path: Path) -> None:
    cards = (
        "kind: scenario, name: Ford, reason: A goat., setup: In turn., victory: [{side: either, when: wiped-out,"
        f" text: Win.}}], forces: [{{side: attacker, name: A}}, {{side: defender, name: B}}], zones: [{zones}]"
    )
    assert codes(tmp_path, cards, "WS363") == ["WS363"] * found


@each_case(
    ("text", "found"),
    [
        ("Whoever falls takes D6 hits.", 1),
        ("Whoever falls takes D3 hits at a Strength of the height.", 0),
        ("It tests its Leadership if no friend is within 8 inches.", 1),
        ("It tests its Leadership if no friend is within 6 inches.", 0),
        ("It jumps down at most 8 inches, and crawls 2 inches.", 1),
        ("A warrior within 12 inches of the leader uses its Leadership.", 1),
        ("It runs if no enemy is within 8 inches at the start of the turn.", 0),
        ("It runs 2D6 inches. Rout test: roll 3D6.", 1),
        ("A tree is within 8 inches.", 0),
        ("A Rout test is taken when half of the force is out of action.", 1),
        ("When a quarter or more of its force is out of action, it takes a Rout test.", 0),
        ("A hidden model is found by an enemy within 8 inches.", 1),
        ("Stunned models may crawl. Knocked down models may crawl.", 1),
        ("A model that ran may shoot in the same turn.", 1),
        ("Climbing needs a Strength test, and an Initiative test for each complete 3 inches.", 2),
        ("A charger moves three times its Movement.", 1),
        ("Charge and run at twice Movement. A model that ran may cast.", 0),
        ("Roll a D6 equal to or above Initiative to pass.", 1),
        ("A critical hit causes three wounds.", 1),
        ("A jump needs one for each complete 3 inches.", 1),
        ("A jump needs one for each complete 2 inches.", 0),
        ("While more than a quarter of your force is out of action, roll 2D6.", 1),
        ("While a third or more of your force is out of action, roll 2D6.", 1),
        ("While a quarter or more of your force is out of action, roll 2D6.", 0),
        ("The phases are Movement, Recovery, Magic, Shooting, and Close Combat.", 1),
        ("The phases are Recovery, Movement, Magic, Shooting, and Close Combat.", 0),
    ],
)
def test_an_aid_has_the_distances_and_dice_of_the_rules(text: str, found: int, tmp_path: Path) -> None:
    assert codes(tmp_path, f"kind: aid, name: Aid, text: '{text}'", "WS375") == ["WS375"] * found


@each_case(
    ("terrain", "found"),
    [
        ("{A: 'building 20,4 6x6'}, {B: 'building 24,8 6x6'}", 1),
        ("{A: 'building 20,4 6x6'}, {B: 'building 26,4 6x6'}", 0),
        ("{A: 'building 20,4 6x6 H3'}, {B: 'building 22,6 2x2 H6'}", 0),
        ("{A: 'water 20,4 6x6'}, {B: 'ruin 24,8 6x6'}", 1),
        ("{A: 'wood 20,4 6x6'}, {B: 'building 24,8 6x6'}", 0),
        ("{A: 'water 20,4 6x6'}, {B: 'bridge 24,2 2x9'}", 0),
    ],
)
def test_two_buildings_are_not_in_one_place(terrain: str, found: int, tmp_path: Path) -> None:
    cards = (
        "kind: scenario, name: Ford, reason: A goat., setup: In turn., victory: [{side: either, when: wiped-out,"
        " text: Win.}], forces: [{side: attacker, name: A}, {side: defender, name: B}],"
        f" zones: [{{A: 'attacker 0,0 8x36'}}, {{B: 'defender 40,0 8x36'}}], terrain: [{terrain}]"
    )
    assert codes(tmp_path, cards, "WS368") == ["WS368"] * found


def test_a_weapon_for_two_hands_goes_with_no_shield(tmp_path: Path) -> None:
    assert codes(tmp_path, "kind: weapon, name: Flail, hands: 2, rules: [parry]", "WS330") == ["WS330"]
