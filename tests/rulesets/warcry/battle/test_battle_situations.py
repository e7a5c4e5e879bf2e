"""Further situations, worked out from the rulebook alone: the initiative, battle rounds, falls, and battleplans."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.rulesets.warcry.battle.activation import ability_options
from cardgen.rulesets.warcry.battle.attacks import attack_options
from cardgen.rulesets.warcry.battle.battleplan import extra_wild_dice, score_round
from cardgen.rulesets.warcry.battle.performance import allocate, suffer_impact
from cardgen.rulesets.warcry.battle.table import Combatant, Fall, Table
from cardgen.rulesets.warcry.cards import Blessing, Fighter
from cardgen.rulesets.warcry.effective import read_changes
from cardgen.rulesets.warcry.referee.fighter import impact_damage
from cardgen.rulesets.warcry.referee.initiative import DiceSet, Hand, Players, hand_of, settle_initiative
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, sample, table_of
from tests.rulesets.warcry.referee.fights import case, chances, fighter

F = Fraction


# The initiative and wild dice.


@pytest.mark.parametrize(
    ("faces", "hand"),
    [
        ((1, 2, 3, 4, 5, 6), Hand(6, (), 0, (1, 2, 3, 4, 5, 6))),
        ((1, 1, 2, 2, 3, 3), Hand(0, (DiceSet(1, 2), DiceSet(2, 2), DiceSet(3, 2)))),
        ((4, 4, 4, 4, 1, 2), Hand(2, (DiceSet(4, 4),), 0, (1, 2))),
        ((6, 6, 6, 6, 6, 6), Hand(0, (DiceSet(6, 4),))),
        ((2, 2, 2, 5, 5, 5), Hand(0, (DiceSet(2, 3), DiceSet(5, 3)))),
    ],
)
def test_singles_and_sets(faces: tuple[int, ...], hand: Hand) -> None:
    assert hand_of(faces) == hand


@pytest.mark.parametrize(
    ("singles", "wild", "first"),
    [
        ((3, 2), (0, 0), {0: F(1)}),
        ((3, 2), (0, 1), {0: F(1, 2), 1: F(1, 2)}),
        ((3, 2), (0, 2), {1: F(1)}),
        ((2, 2), (0, 0), {0: F(1, 2), 1: F(1, 2)}),
        ((4, 2), (0, 1), {0: F(1)}),
    ],
    ids=["more singles", "newly equal: rolled off", "strictly more takes it", "a tie", "a die that is not enough"],
)
def test_who_has_the_initiative(singles: tuple[int, int], wild: tuple[int, int], first: dict[int, Fraction]) -> None:
    players = Players(("A", "B"), (6, 6), wild, ((), ()), (False, False), "seize")
    hands = Hand(singles[0], (), wild[0]), Hand(singles[1], (), wild[1])
    assert dict(odds(settle_initiative, players, hands).map(lambda end: end.first)) == first


def test_master_manipulators_do_not_settle_a_tie_after_wild_dice() -> None:
    """Not when seizing the initiative: a new tie is rolled off."""
    players = Players(("A", "B"), (6, 6), (0, 1), ((), ()), (True, False), "seize")
    ends = odds(settle_initiative, players, (Hand(3, ()), Hand(2, (), 1))).map(lambda end: end.first)
    assert dict(ends) == {0: F(1, 2), 1: F(1, 2)}


@pytest.mark.parametrize(("points", "extra"), [((3, 5), (2, 0)), ((6, 1), (0, 5)), ((4, 4), (0, 0))])
def test_pulsing_power_is_the_difference(points: tuple[int, int], extra: tuple[int, int]) -> None:
    table = table_of("Mystic Glade")
    for side, vp in zip(table.sides, points, strict=True):
        side.vp = vp
    assert extra_wild_dice(table) == extra


# Falls, impact damage, and disengage actions.


@pytest.mark.parametrize(
    ("modifier", "chance"),
    [
        (0, {0: F(1, 2), 1: F(1, 3), 3: F(1, 6)}),
        (-2, {0: F(1, 6), 1: F(1, 3), 3: F(1, 2)}),
    ],
    ids=["no battle trait", "A Realm of Fire and Ash: 1 at least"],
)
def test_impact_damage(modifier: int, chance: dict[int, Fraction]) -> None:
    die = odds(lambda: impact_damage("A", modifier, low_is_worse=True))
    assert dict(die) == chance


def test_a_realm_of_fire_and_ash_needs_a_fighter_on_the_battlefield() -> None:
    table = table_of(sizes=(1, 1))
    table.sides[1].trait = None
    table.combatants[1].damage = 10
    _, lines = run_with(suffer_impact(table, table.combatants[0]), Script(face=4))
    assert lines == ["Red 1 lands unharmed"]


@pytest.mark.parametrize(("damage", "down"), [(4, F(1, 12)), (9, F(1, 2)), (6, F(1, 4)), (0, F(0))])
def test_strike_them_down(damage: int, down: Fraction) -> None:
    """On 4+, D6 damage points before it moves."""
    found = chances(case("disengage", fighter=fighter("A", "M5 T4 W10"), damage=damage))
    assert found["A is taken down"] == down


def test_fortitude_counts_when_a_fighter_falls() -> None:
    """10 Wounds and 4 more: 9 damage points leave 5, and impact damage is 3 at most."""
    gift = sample("blessing", "Fortitude")
    assert chances(case("fall", fighter=fighter("A"), damage=9, blessing=gift))["A is taken down"] == 0


# Blessings and reactions.


@pytest.mark.parametrize(("wounds", "price"), [(22, 15), (23, 25)], ids=["22 Wounds: regular", "23 Wounds: elite"])
def test_the_price_of_a_blessing(wounds: int, price: int) -> None:
    card = Fighter.model_validate({k: v for k, v in fighter("A", f"M5 T4 W{wounds}").items() if k != "kind"})
    blessing = Blessing.model_validate({k: v for k, v in sample("blessing", "Swiftness").items() if k != "kind"})
    assert blessing.price(card) == price


def test_a_fighter_that_waits_has_activated_for_inspiring_presence() -> None:
    table = table_of(sizes=(2, 1))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", marks=("hero",))
    table.sides[0].sets = [DiceSet(2, 3)]
    friend = table.combatants[1]
    friend.begin_activation()
    friend.wait()
    assert "Inspiring Presence" not in {each.rule.name for each in ability_options(table, table.combatants[0], 2)}


@pytest.mark.parametrize(("down", "total", "offered"), [(1, 2, True), (1, 3, False), (2, 4, True), (2, 5, False)])
def test_reckoning_needs_half_or_more(down: int, total: int, offered: bool) -> None:
    table = table_of(sizes=(total, 1))
    table.sides[0].sets = [DiceSet(3, 4)]
    for each in table.combatants[1 : 1 + down]:
        each.damage = 10
    names = {each.rule.name for each in ability_options(table, table.combatants[0], 2)}
    assert ("Reckoning" in names) == offered


@pytest.mark.parametrize(
    ("inches", "weapons"),
    [(1, {"Axe"}), (2, set()), (3, {"Bow"}), (8, {"Bow"}), (9, set())],
    ids=["within 1 inch", "between the ranges", "the near end", "the far end", "beyond"],
)
def test_range_includes_both_ends(inches: int, weapons: set[str]) -> None:
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", "Axe: axe R1 A2 S4 D1/4", "Bow: ranged R3-8 A2 S4 D1/4")
    table.distances.claim(table.combatants[0], table.combatants[1], inches, inches)
    assert {each.weapon.name for each in attack_options(table, table.combatants[0])} == weapons


# Victory points of battleplans.


def fall(table: Table, *victims: Combatant) -> None:
    for each in victims:
        each.damage = 10
        table.notes.falls.append(Fall(each, None))


def scored(table: Table, script: Script | None = None) -> tuple[int, int]:
    run_with(score_round(table), script or Script())
    return table.sides[0].vp, table.sides[1].vp


def control(table: Table, red: int, blue: int, total: int) -> None:
    table.places = [f"objective {number}" for number in range(1, total + 1)]
    table.control = dict.fromkeys(table.places[:red], 0)
    table.control |= dict.fromkeys(table.places[red : red + blue], 1)


def an_ally_hero(table: Table) -> tuple[int, int]:
    """1 for any, 1 for more, 1 as a Hero, and 1 as an Ally or Monster."""
    table.combatants[2] = combatant(1, "Blue 1", "M5 T4 W10", marks=("hero", "ally", "monster"))
    fall(table, table.combatants[2])
    return scored(table)


def one_each(table: Table) -> tuple[int, int]:
    """One for any enemy; nobody has taken down more."""
    fall(table, table.combatants[0], table.combatants[2])
    return scored(table)


def equal_objectives(table: Table) -> tuple[int, int]:
    """1 for any and 1 for two or more, for both; nobody controls more."""
    control(table, 2, 2, 4)
    return scored(table)


def devastation(table: Table) -> tuple[int, int]:
    """2 for the higher total of Wounds that are taken down: 10 and 10 against 10."""
    fall(table, table.combatants[0], table.combatants[1], table.combatants[2])
    return scored(table)


def equal_devastation(table: Table) -> tuple[int, int]:
    fall(table, table.combatants[0], table.combatants[2])
    return scored(table)


def prize(table: Table) -> tuple[int, int]:
    """1 for any, 1 for more, and 1 for the prize."""
    control(table, 1, 0, 2)
    table.notes.prize = "objective 1"
    return scored(table)


def endurance(table: Table) -> tuple[int, int]:
    """The player of an exhausted fighter that still stands scores 1."""
    table.notes.exhausted = table.combatants[2]
    return scored(table)


def ignored(table: Table) -> tuple[int, int]:
    """An objective that is ignored counts for nothing: one is left, for any and for more, and as a new one."""
    control(table, 2, 0, 2)
    table.notes.ignored_place = "objective 1"
    return scored(table)


@pytest.mark.parametrize(
    ("plan", "situation", "points"),
    [
        ("Brutal Encounter", an_ally_hero, (4, 0)),
        ("Brutal Encounter", one_each, (1, 1)),
        ("Running Out of Time", equal_objectives, (2, 2)),
        ("Lightning Raid", devastation, (0, 2)),
        ("Lightning Raid", equal_devastation, (0, 0)),
        ("Lightning Raid", prize, (3, 0)),
        ("Endless Struggle", endurance, (0, 1)),
        ("A War Over Nothing", ignored, (3, 0)),
    ],
)
def test_victory_points(plan: str, situation: Callable[[Table], tuple[int, int]], points: tuple[int, int]) -> None:
    assert situation(table_of(plan)) == points


def test_only_the_first_fall_near_an_objective_scores_in_raze_to_the_ground() -> None:
    table = table_of("Raze to the Ground")
    table.places = ["objective 1"]
    script = Script({"near": "yes"})
    for each in (table.combatants[2], table.combatants[0]):
        run_with(allocate(table, each, 10), script)
    assert scored(table) == (2, 0)


# Sentences.


@pytest.mark.parametrize(
    ("text", "price", "changes"),
    [
        ("Add 1 to the Move characteristic of this fighter until the end of their activation.", "double",
         [{"move": 1, "for": "activation"}]),
        ("Add 1 to the Attacks characteristic of melee attack actions made by this fighter until the end of their "
         "activation.", "triple", [{"attacks": 1, "weapon": "melee", "for": "activation"}]),
        ("Remove a number of damage points allocated to this fighter equal to the value of this ability.", "double",
         [{"heal": "value"}]),
        ('Allocate 1 damage point to a visible enemy fighter within 3", or to this fighter.', "double", []),
    ],
)  # fmt: skip
def test_sentences_of_the_battlepack(text: str, price: str, changes: list[dict[str, Any]]) -> None:
    found = [each.model_dump(mode="json", by_alias=True, exclude_defaults=True) for each in read_changes(text, price)]
    assert found == changes
