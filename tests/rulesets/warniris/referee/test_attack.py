"""The figures that the rules come to, exactly; and the test duel with its variants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import decimal
from cardgen.referee.trial import OddsTable, PreparedTrial
from tests.rulesets.warniris.referee.fights import A, B, card, case, relic, sample

SHOOTER = card("Shooter", "M4 B3 S3 W5", "Gun: RW R20 P2 D2")
TARGET = card("Target", "M3 B3 S3 W9", "Gun: RW R20 P2 D2")


def answers(matter: PreparedTrial) -> tuple[OddsTable, ...]:
    assert matter.odds is not None
    return matter.odds()


def chance(matter: PreparedTrial, words: str) -> Fraction:
    (found,) = (value for each in answers(matter) for name, value in (*each.parts, *each.chances) if name == words)
    return found


def mean_loss(matter: PreparedTrial, name: str) -> Fraction:
    (found,) = (each.means[0][1] for each in answers(matter) if each.title == f"Wounds that {name} loses")
    return found


def test_m4_against_b3_with_p2_d2() -> None:
    plain = case("attack", attacker=SHOOTER, target=TARGET)
    assert chance(plain, "Shooter wounds") == Fraction(5, 9)
    assert mean_loss(plain, "Target") == Fraction(10, 9)
    haloed = case("attack", attacker=SHOOTER, target=TARGET, target_relic=relic("Iron Halo"))
    assert mean_loss(haloed, "Target") == Fraction(25, 27)


def test_a_sentinels_rifle_against_b3() -> None:
    matter = case("attack", attacker=sample("minion", "Sentinel"), target=sample("minion", "Brute"), weapon="Rifle")
    assert chance(matter, "Sentinel wounds") == Fraction(2, 9)


@pytest.mark.parametrize("count", range(6))
def test_miniatures_in_the_line(count: int) -> None:
    matter = case("attack", attacker=SHOOTER, target=TARGET, between=(sample("minion", "Brute"),) * count)
    unharmed = {name: chance_of_loss(matter, name) for name in ("Target", *brutes(count))}
    assert unharmed["Target"] == Fraction(2, 3) ** (count + 1) * Fraction(5, 6)
    for place, name in enumerate(brutes(count)):
        assert unharmed[name] == Fraction(2, 3) ** place * Fraction(1, 3) * Fraction(2, 3) * Fraction(5, 6)


def brutes(count: int) -> list[str]:
    return ["Brute"] if count == 1 else [f"Brute {n}" for n in range(1, count + 1)]


def chance_of_loss(matter: PreparedTrial, name: str) -> Fraction:
    (figures,) = (each for each in answers(matter) if each.title == f"Wounds that {name} loses")
    return 1 - dict(figures.parts)["0"]


@pytest.mark.parametrize(("order", "expected"), [("once", 4), ("twice", 3), ("before", 3)])
def test_spirit_5_with_a_bonus_against_p2(order: str, expected: int) -> None:
    channeler = card("C", "M3 B3 S5 W5")
    matter = case("test", {"clamp-order": order}, card=channeler, attribute="spirit", bonus=1, penetration=2)
    assert chance(matter, "success") == Fraction(expected, 6)


@pytest.mark.parametrize(("order", "expected"), [("once", 1), ("twice", 1), ("before", 0)])
def test_only_one_ruling_makes_a_test_impossible(order: str, expected: int) -> None:
    matter = case("test", {"clamp-order": order}, card=TARGET, attribute="body", penetration=5)
    assert chance(matter, "success") == Fraction(expected, 6)


DUEL: dict[str, Any] = {"a": A, "b": B, "relic_a": relic("Sacred Chalice"), "relic_b": relic("Iron Halo")}


# The rulings under which the figures of the test duel were computed, as far as their defaults may be others.
COMPUTED_WITH = {
    "clamp-order": "once",
    "elimination": "wins",
    "ignored-vp": "unscored",
    "mission-14-type": "any",
    "overkill-vp": "lost",
    "reaction-cw-move": "none",
}


def duel(rulings: dict[str, str] | None = None, policy: dict[str, str] | None = None) -> tuple[OddsTable, ...]:
    return answers(case("duel", {**COMPUTED_WITH, **(rulings or {})}, policy, **DUEL))


def test_the_test_duel() -> None:
    whole, points_a, points_b = duel()[:3]
    assert whole.title == "A goes first"
    assert {name: decimal(value, 15) for name, value in (*whole.chances, *whole.parts[:2])} == {
        "A eliminated": "0.282866771911524",
        "B eliminated": "0.706198384849498",
        "A wins": "0.706625582282275",
        "B wins": "0.292713275975277",
    }
    assert decimal(points_a.means[0][1], 15) == "4.373368967807840"
    assert decimal(points_b.means[0][1], 15) == "4.993283491637442"
    for each in (whole, points_a, points_b):
        assert sum(value for _, value in each.parts) == 1


def test_the_test_duel_is_the_same_under_the_default_rulings() -> None:
    assert answers(case("duel", **DUEL)) == duel()


def test_the_test_duel_with_b_first() -> None:
    assert decimal(dict(duel()[3].parts)["A wins"], 4) == "0.5904"


def test_the_test_duel_without_reactions() -> None:
    assert decimal(dict(duel(policy={"reactions": "never"})[0].parts)["A wins"], 4) == "0.6540"


@pytest.mark.parametrize(
    ("rulings", "expected"),
    [
        ({}, ("0.4267", "0.4608", "0.1124")),
        ({"overkill-vp": "all"}, ("0.4640", "0.4288", "0.1072")),
        ({"ignored-vp": "scored"}, ("0.5214", "0.3780", "0.1006")),
        ({"overkill-vp": "all", "ignored-vp": "scored"}, ("0.5677", "0.3467", "0.0856")),
    ],
)
def test_the_test_duel_by_points_alone(rulings: dict[str, str], expected: tuple[str, ...]) -> None:
    parts = duel({"elimination": "vp", **rulings})[0].parts
    assert tuple(decimal(value, 4) for _, value in parts) == expected


@pytest.mark.parametrize("setting", ["any-point", "before-dice"])
def test_a_reaction_before_the_first_die_is_the_same_under_both_rulings(setting: str) -> None:
    assert duel({"reaction-when": setting}) == duel()


def test_the_moment_of_a_reaction_matters_only_where_something_depends_on_wounds() -> None:
    assert duel(policy={"moment": "resist"}) == duel()
    angry = sample("character", "Orsk the Tithe")
    before, waiting = (
        answers(case("duel", None, {"moment": moment}, a=angry, b=angry, turns=2))[0].parts
        for moment in ("before", "resist")
    )
    assert before != waiting


def test_before_the_dice_is_the_only_moment_under_that_ruling() -> None:
    angry = sample("character", "Orsk the Tithe")
    found = [
        answers(case("duel", {"reaction-when": "before-dice"}, {"moment": moment}, a=angry, b=angry, turns=2))
        for moment in ("before", "hit", "resist")
    ]
    assert found[0] == found[1] == found[2]


def test_a_relic_of_the_target_heals_nobody_in_the_enemys_activation() -> None:
    matter = case("attack", attacker=SHOOTER, target=TARGET, target_wounds=5, target_relic=relic("Sacred Chalice"))
    assert mean_loss(matter, "Target") == Fraction(10, 9)
    held = case("attack", attacker=SHOOTER, target=TARGET, target_relic=relic("Disruptor Module"))
    assert chance(held, "Shooter hits") == Fraction(1, 2)


def test_range_counts_what_starts_with_the_activation() -> None:
    """As in a duel: Marked on the Map takes the Long Pistol's 14 cm to 24."""
    cartographer = sample("character", "The Cartographer")
    matter = case("attack", attacker=cartographer, target=TARGET, weapon="Long Pistol", distance=24)
    assert chance(matter, "The Cartographer hits") == Fraction(2, 3)
    with pytest.raises(ValueError, match="reaches 24 cm"):
        case("attack", attacker=cartographer, target=TARGET, weapon="Long Pistol", distance=25)


def test_enemies_are_crossed_only_by_a_free_move() -> None:
    axe = card("Axe", "M4 B3 S3 W5", "Axe: CW R1 P2 D2")
    charge = case("attack", attacker=axe, target=TARGET, distance=6, crossed=1)
    assert chance(charge, "Axe hits") == Fraction(1, 2) * Fraction(2, 3)
    for attacker, distance in ((axe, 1), (axe, None), (SHOOTER, 6)):
        with pytest.raises(ValueError, match="free Move"):
            case("attack", attacker=attacker, target=TARGET, distance=distance, crossed=1)


def test_a_reaction_meets_the_miniatures_in_the_line_too() -> None:
    wall = card("Wall", "M2 B3 S2 W9", kind="minion")
    matter = case("attack", attacker=SHOOTER, target=TARGET, between=(wall,), reaction="Gun")
    apart = case("attack", attacker=SHOOTER, target=TARGET, reaction="Gun")
    assert mean_loss(matter, "Shooter") == mean_loss(apart, "Shooter") / 2


def test_a_duel_begins_with_a_free_move() -> None:
    """Body 1 without Penetration: 3 in 6 to hit, 5 in 6 not resisted; two attacks a turn."""
    axe = card("Axe", "M3 B3 S3 W5", "Axe: CW R1 D1")
    idle = card("Idle", "M3 B1 S3 W1")
    once = 1 - Fraction(7, 12) ** 2
    for distance, expected in ((11, once), (12, Fraction(0)), (1, once), (None, once)):
        matter = case("duel", a=axe, b=idle, distance=distance, turns=1)
        assert chance_first(matter, "Idle eliminated") == expected


def test_a_free_move_in_a_duel_brings_the_enemy_near_too() -> None:
    """The gunner reaches 5 cm: it may shoot only when the axe has come, or by its own free Move in a Reaction."""
    axe = card("Axe", "M1 B3 S3 W1", "Axe: CW R1 D1")
    gunner = card("Gunner", "M3 B3 S3 W5", "Gun: RW R5 P5 D1")
    near = case("duel", a=axe, b=gunner, distance=6, turns=1, policy={"reactions": "never"})
    assert chance_first(near, "Axe eliminated") == 1 - Fraction(7, 12) ** 2
    far = case("duel", a=axe, b=gunner, distance=12, turns=1)
    assert chance_first(far, "Axe eliminated") == 0


def chance_first(matter: PreparedTrial, words: str) -> Fraction:
    return dict(answers(matter)[0].chances)[words]


def test_miniatures_in_between_have_a_distance_of_their_own() -> None:
    steady = {"when": "attacking", "if": {"range_over": 20}, "bearer": {"mind": 1}}
    marksman = card("Marksman", "M3 B3 S3 W5", "Gun: RW R40 D1", abilities=[{"name": "Steady", "effects": [steady]}])
    brute = sample("minion", "Brute")
    for distance, between, hits in ((21, 4, 4), (20, 4, 3)):
        matter = case(
            "attack", attacker=marksman, target=TARGET, distance=30, between=(brute,), distance_between=distance
        )
        assert chance_of_loss(matter, "Brute") == Fraction(6 - between, 6) * Fraction(hits, 6) * Fraction(1, 2)
    guess = case("attack", attacker=marksman, target=TARGET, distance=30, between=(brute,))
    assert guess.not_simulated == ("miniatures in between count as 30 cm away, like the target",)
    assert case("attack", attacker=SHOOTER, target=TARGET, distance=9, between=(brute,)).not_simulated == ()
    for more in ({"between": (brute,), "distance_between": 31}, {"distance_between": 9}):
        with pytest.raises(ValueError, match="miniatures in between"):
            case("attack", attacker=marksman, target=TARGET, distance=30, **more)


def test_whoever_is_charged_may_react_to_the_hit() -> None:
    charged: dict[str, Any] = {
        "attacker": card("Axe", "M4 B3 S3 W5", "Axe: CW R1 P2 D2"),
        "target": TARGET,
        "distance": 9,
    }
    short = card("Short", "M3 B3 S3 W9", "Knife: RW R2 D1")
    matter = case("attack", **{**charged, "target": short}, reaction="Knife", moment="hit")
    assert mean_loss(matter, "Axe") == Fraction(1, 2) * Fraction(1, 2)
    with pytest.raises(ValueError, match="reaction is not possible"):
        case("attack", **{**charged, "target": short}, reaction="Knife")


def test_the_eliminated_are_in_nobodys_way() -> None:
    """A Reaction that a Minion in between has taken clears the line, if it eliminates the Minion."""
    minion = {**sample("minion", "Brute"), "name": "Minion"}
    matter = case("attack", attacker=SHOOTER, target=TARGET, between=(minion,), reaction="Gun")
    timing, diverted, wounds = Fraction(1, 2), Fraction(1, 2), Fraction(1, 2) * Fraction(5, 6)
    cleared = timing * diverted * wounds
    past = cleared + (1 - cleared) * Fraction(2, 3)
    assert 1 - chance_of_loss(matter, "Target") == 1 - past * Fraction(2, 3) * Fraction(5, 6)


@pytest.mark.parametrize("moment", ["before", "hit", "resist"])
@pytest.mark.parametrize("change", [-1, 1])
def test_what_changes_an_attack_bears_on_no_reaction_to_it(moment: str, change: int) -> None:
    """The Camo Cloak hinders the attack, not the attacker who resists a Reaction in the middle of it."""
    effect = {"when": "attacked", "attacker": {"spirit": change, "mind": change}}
    target = card("Target", "M3 B3 S4 W9", "Hex: P R20 P1 D1", abilities=[{"name": "Veil", "effects": [effect]}])
    shooter = card("Shooter", "M4 B3 S3 W1", "Gun: RW R20 P2 D2")
    matter = case("attack", attacker=shooter, target=target, reaction="Hex", moment=moment)
    assert mean_loss(matter, "Shooter") == Fraction(4, 6) * Fraction(4, 6)


@pytest.mark.parametrize("moment", ["hit", "resist"])
def test_a_reaction_ends_nothing_of_the_attack(moment: str) -> None:
    effect = {"when": "attacking", "bearer": {"damage": 1}, "target": {"body": -1}}
    shooter = card("Shooter", "M4 B3 S3 W9", "Gun: RW R20 P1 D1", abilities=[{"name": "Aim", "effects": [effect]}])
    matter = case("attack", attacker=shooter, target=TARGET, reaction="Gun", moment=moment)
    assert mean_loss(matter, "Target") == 2 * Fraction(4, 6) * Fraction(5, 6)


def test_healing_is_a_table_of_regained_wounds() -> None:
    healer, friend = card("Healer", "M3 B3 S4 W5", "Hymn: P R8 H2"), card("Friend", "M3 B3 S4 W6")
    (table,) = answers(case("attack", attacker=healer, target=friend, weapon="Hymn", target_wounds=3))[1:]
    assert table.title == "Wounds that Friend regains"
    assert (table.parts, table.means) == ((("2", Fraction(1)),), (("mean", Fraction(2)),))


@pytest.mark.parametrize("moment", ["battle_start", "turn_start", "activation_start"])
@pytest.mark.parametrize("span", ["turn", "battle"])
def test_what_started_earlier_in_the_turn_bears_on_an_attack(moment: str, span: str) -> None:
    one, other = ({"when": moment, "for": span, "bearer": {key: 1}} for key in ("mind", "body"))
    shooter = {**SHOOTER, "abilities": [{"name": "Sharp", "effects": [one]}]}
    target = {**TARGET, "abilities": [{"name": "Hard", "effects": [other]}]}
    assert chance(case("attack", attacker=shooter, target=target), "Shooter wounds") == Fraction(5, 6) * Fraction(4, 6)


def test_healing_before_an_attack_does_not_change_the_wounds_that_are_given() -> None:
    target = {**TARGET, "abilities": [{"name": "Rest", "effects": [{"when": "turn_start", "bearer": {"heal": 2}}]}]}
    matter = case("attack", attacker=SHOOTER, target=target, target_wounds=2)
    assert chance(matter, "Shooter eliminates") == Fraction(5, 9)


@pytest.mark.parametrize(("wounds", "chance"), [(1, 1), (2, 1), (3, 0)])
def test_a_power_that_only_heals_strikes_nobody(wounds: int, chance: int) -> None:
    """It takes no Tests, so no row tells how often it hits."""
    healer = card("Healer", "M3 B3 S3 W3", "Hymn: P R8 H2")
    matter = case("attack", attacker=healer, target=TARGET, weapon="Hymn", target_wounds=6 + wounds)
    first, wounds_table = answers(matter)
    assert dict(first.chances) == {"Healer needs no Test": Fraction(1), "Target regains Wounds": Fraction(chance)}
    assert wounds_table.title == "Wounds that Target regains"
    assert wounds_table.parts == ((str(min(2, 3 - wounds)), Fraction(1)),)
