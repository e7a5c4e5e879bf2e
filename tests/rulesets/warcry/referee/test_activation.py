"""Where abilities and actions depend on the distance: Respite, Reckoning, disengaging; and who may use an ability."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, means, rolled

RESPITE = card("ability", "Respite", price="double", changes=[{"heal": "value"}])
RECKONING = card("ability", "Reckoning", price="quad", changes=[{"bonus_move": "value"}, {"bonus_attack": True}])
REAPER = fighter("Reaper", "M4 T4 W12", "Scythe: scythe R2 A3 S4 D2/5")
HALBERDIER = fighter("Halberdier", "M4 T4 W10", "Lamp: reach R2 A3 S4 D1/4")
ARCHER = fighter("Archer", "M4 T3 W10", "Bow: ranged R6-20 A2 S3 D1/4")


def one_activation(attacker: dict[str, Any], target: dict[str, Any], **values: Any) -> Any:
    return case("activation", attacker=attacker, target=target, activations=1, **values)


@pytest.mark.parametrize("distance", [None, 0, 1])
def test_respite_is_not_for_a_fighter_beside_its_target(distance: int | None) -> None:
    axe = fighter("A", "M5 T4 W10")
    with pytest.raises(ValueError, match="Respite cannot be used within 1 inch of an enemy"):
        one_activation(axe, fighter("B"), ability=RESPITE, value=4, damage=6, distance=distance)
    one_activation(axe, fighter("B"), ability=RESPITE, value=4, damage=6, distance=2)


def test_respite_is_used_again_only_where_nobody_is_near() -> None:
    values: dict[str, Any] = {"ability": RESPITE, "value": 2, "damage": 9, "distance": 6, "again": True}
    target = fighter("B", "M5 T12 W60")
    near = case("activation", attacker=fighter("A", "M5 T4 W10"), target=target, **values)
    assert rolled(near, "x")[0].attacker == 7, "the second activation begins beside the target"
    values |= {"distance": 20, "activations": 2}
    far = case("activation", attacker=fighter("A", "M5 T4 W10"), target=target, **values)
    assert rolled(far, "x")[0].attacker == 5


def test_reckoning_goes_within_an_inch_for_its_bonus_attack() -> None:
    matter = one_activation(REAPER, ARCHER, ability=RECKONING, value=2, distance=3, half_down=True)
    assert chances(matter)["Archer within 1 activation"] == Fraction(146593, 157464)
    for distance in (1, 2, 3):
        near = one_activation(REAPER, ARCHER, ability=RECKONING, value=2, distance=distance, half_down=True)
        assert chances(near) == chances(matter)


def test_reckoning_brings_no_bonus_attack_from_farther_away() -> None:
    target = fighter("B", "M5 T4 W60")
    three, two = (
        means(one_activation(REAPER, target, ability=RECKONING, value=1, distance=distance, half_down=True))["mean"]
        for distance in (2, 3)
    )
    assert three / 3 == two / 2


def test_another_enemy_nearby_allows_the_bonus_attack_of_reckoning() -> None:
    """It may be at any target in range: the archer shoots three times past the enemy beside it."""
    bowman = fighter("A", "M5 T4 W10", "Bow: ranged R3-20 A2 S4 D1/4")
    target = fighter("B", "M5 T4 W60")
    values = {"value": 4, "distance": 9, "half_down": True, "ability": RECKONING}
    apart, hemmed = (
        means(one_activation(bowman, target, **values, enemies_near=near))["mean"] for near in (False, True)
    )
    assert hemmed / 3 == apart / 2


def test_another_bonus_attack_needs_a_target_in_range_only() -> None:
    rage = card("ability", "Rage", price="quad", changes=[{"bonus_attack": True}])
    target = fighter("B", "M5 T4 W60")
    for attacker, distance in ((REAPER, 2), (ARCHER, 9)):
        plain, more = (
            means(one_activation(attacker, target, distance=distance, ability=ability))["mean"]
            for ability in (None, rage)
        )
        assert more == plain * 3 / 2


def test_a_bow_beside_its_target_disengages_first() -> None:
    """3 inches and no more, whatever its Move; then it moves on."""
    outcome, log = rolled(one_activation(ARCHER, HALBERDIER, distance=1, weapon="Bow"), "x")
    assert outcome.distance == 6
    assert [line for line in map(str, log) if "inches" in line] == [
        "Archer disengages to 4 inches",
        "Archer moves to 6 inches",
    ]
    outcome, _ = rolled(one_activation({**ARCHER, "stats": {"M": 9, "T": 3, "W": 10}}, HALBERDIER, distance=1), "x")
    assert outcome.distance == 6


def test_a_disengage_action_may_be_answered() -> None:
    values: dict[str, Any] = {"distance": 1, "reaction": "strike-them-down"}
    for damage, down in ((0, Fraction(0)), (7, Fraction(1, 3)), (9, Fraction(1, 2))):
        found = chances(one_activation(ARCHER, HALBERDIER, damage=damage, **values))
        assert found.get("Archer within 1 activation", Fraction(0)) == down
    assert "Archer within 1 activation" not in chances(one_activation(ARCHER, HALBERDIER, damage=9, distance=1))
    assert "Archer within 1 activation" not in chances(
        one_activation(ARCHER, HALBERDIER, damage=9, reactions=0, **values)
    )


def test_nobody_makes_a_bonus_move_beside_an_enemy() -> None:
    leap = card("ability", "Leap", price="double", changes=[{"bonus_move": 3}])
    outcome, _ = rolled(one_activation(ARCHER, HALBERDIER, distance=1, ability=leap), "x")
    assert outcome.distance == 6, "3 inches away and 2 more, not 3 and 2 and an attack"


def test_heroism_lets_a_fighter_use_inspiring_presence() -> None:
    presence = card("ability", "Inspiring Presence", price="triple", runemarks=["hero"], text="Pick another.")
    march = card("ability", "March", price="triple", runemarks=["hero"], text="Go.")
    heroism = card("blessing", "Heroism", points={"regular": 10, "elite": 10}, text="As if it bore the Hero runemark.")
    values: dict[str, Any] = {"attacker": fighter("A"), "target": fighter("B")}
    with pytest.raises(ValueError, match="it lacks the runemark Hero"):
        case("attack", ability=presence, **values)
    matter = case("attack", ability=presence, blessing=heroism, **values)
    assert matter.not_simulated == ("'Inspiring Presence' has only text",)
    with pytest.raises(ValueError, match="it lacks the runemark Hero"):
        case("attack", ability=march, blessing=heroism, **values)


def test_the_runemark_of_a_grand_alliance_is_one_of_the_fighter() -> None:
    oath = card("ability", "Oath", price="double", runemarks=["chaos"], changes=[{"strength": 1}])
    values: dict[str, Any] = {"target": fighter("B"), "ability": oath}
    assert case("attack", attacker=fighter("A", faction="skaven"), **values)
    with pytest.raises(ValueError, match="it lacks the runemark Chaos"):
        case("attack", attacker=fighter("A", faction="seraphon"), **values)


def test_another_enemy_that_is_near_allows_no_move_before_a_disengage_action() -> None:
    """3 inches at most, and not next to the target; then it moves as it likes."""
    axe, target = fighter("A", "M5 T4 W10"), fighter("B", "M5 T12 W60")
    for distance, after in ((20, 12), (8, 1), (3, 1), (2, 1)):
        assert rolled(one_activation(axe, target, distance=distance, enemies_near=True), "x")[0].distance == after
    outcome, _ = rolled(case("activation", attacker=axe, target=target, distance=30, enemies_near=True), "x")
    assert outcome.distance == 12, "only the first activation begins there"
    leap = card("ability", "Leap", price="double", changes=[{"bonus_move": 6}])
    outcome, _ = rolled(one_activation(axe, target, distance=20, enemies_near=True, ability=leap), "x")
    assert outcome.distance == 12, "no bonus move either"


def test_changes_for_an_attack_end_with_it() -> None:
    """Five dice that need 4 and more, then five that need 5 and more."""
    asha = fighter("Asha", "M5 T4 W10", "Spear: spear R2 A5 S4 D3/3")
    aim = card("ability", "Aim", price="double", changes=[{"strength": 1, "for": "attack"}])
    matter = one_activation(asha, fighter("Bran", "M5 T5 W30"), ability=aim)
    assert means(matter)["mean"] == 3 * (Fraction(5, 2) + Fraction(5, 3))
    after_move = one_activation(asha, fighter("Bran", "M5 T5 W30"), ability=aim, distance=6)
    assert means(after_move)["mean"] == 3 * Fraction(5, 2)
    again = case("activation", attacker=asha, target=fighter("B", "M5 T5 W60"), ability=aim, activations=2, again=True)
    assert means(again)["mean"] == 2 * means(matter)["mean"]


def test_an_action_of_a_card_takes_one_of_the_two_actions() -> None:
    asha = fighter("Asha", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/1")
    sharpen = card("ability", "Sharpen", price="action", changes=[{"attacks": 1, "for": "activation"}])
    target = fighter("Bran", "M5 T4 W30")
    assert means(one_activation(asha, target))["mean"] == 3
    assert means(one_activation(asha, target, ability=sharpen))["mean"] == 2
    later = case("activation", attacker=asha, target=target, ability=sharpen, activations=2)
    assert means(later)["mean"] == 5


def test_the_damage_points_of_the_attacker_are_shown_if_they_change() -> None:
    deal = card("ability", "Deal", price="double", changes=[{"heal": "d3"}])
    asha, bran = fighter("Asha", "M5 T4 W11"), fighter("Bran")
    tables = one_activation(asha, bran, ability=deal, damage=6).odds
    assert tables is not None
    assert dict(tables()[2].parts) == {str(points): Fraction(1, 3) for points in (3, 4, 5)}
    for keys, count in (({}, 2), ({"damage": 6}, 2), ({"reaction": "counter"}, 3)):
        tables = one_activation(asha, bran, **keys).odds
        assert tables is not None
        assert len(tables()) == count


@pytest.mark.parametrize(
    ("attacker", "values", "note"),
    [
        (HALBERDIER, {"distance": 1, "reaction": "strike-them-down"},
         "Strike Them Down: Halberdier does not disengage from Archer"),
        (ARCHER, {"distance": 5, "reaction": "strike-them-down"},
         "Strike Them Down: Archer 1 does not disengage from Archer 2"),
        (ARCHER, {"distance": 5, "reaction": "counter", "weapon": "Bow"}, "Counter: Archer 1 makes no melee attacks"),
        (HALBERDIER, {"distance": 1, "reaction": "take-cover", "cover": True},
         "Take Cover: Halberdier makes no missile attacks"),
    ],
)  # fmt: skip
def test_a_reaction_to_nothing_is_said(attacker: dict[str, Any], values: dict[str, Any], note: str) -> None:
    assert note in one_activation(attacker, ARCHER, **values).not_simulated
    assert one_activation(ARCHER, ARCHER, distance=1, reaction="strike-them-down").not_simulated == ()


def test_what_is_for_a_bonus_attack_ends_with_the_chance_for_it() -> None:
    """Three attacks of two dice, one of them with another die; or none with it, if no bonus attack is possible."""
    asha, target = fighter("Asha", "M5 T4 W10", "Axe: axe R1 A2 S4 D2/2"), fighter("Bran", "M5 T4 W60")
    lunge = card("ability", "Lunge", price="double", changes=[{"bonus_attack": True}, {"attacks": 1, "for": "attack"}])
    assert means(one_activation(asha, target, ability=lunge, distance=1))["mean"] == 7
    assert means(one_activation(asha, target, ability=lunge, distance=4))["mean"] == 2
    matter = case("attack", attacker=asha, target=target, ability=lunge)
    assert means(matter)["mean damage"] == 2
    assert "'Lunge' is not applied: This fighter’s attacks have +1 Attacks for this attack." in matter.not_simulated


def test_what_is_for_a_bonus_move_is_for_no_other_move() -> None:
    asha, target = fighter("Asha", "M3 T4 W10"), fighter("Bran", "M5 T4 W60")
    leap = card("ability", "Leap", price="double", changes=[{"bonus_move": "move"}, {"move": 2, "for": "move"}])
    outcome, _ = rolled(one_activation(asha, target, ability=leap, distance=20), "x")
    assert outcome.distance == 20 - 5 - 3 - 3
    stride = card("ability", "Stride", price="double", changes=[{"move": 2, "for": "round", "next": "move"}])
    matter = one_activation(asha, target, ability=stride, distance=20)
    assert rolled(matter, "x")[0].distance == 20 - 3 - 3
    assert any("'Stride' is not applied" in note for note in matter.not_simulated)


def test_it_stops_as_soon_as_a_weapon_is_in_range() -> None:
    ghost = fighter("Ghost", "M7 T4 W8", "Scythe: scythe R1 A3 S3 D2/4", "Bow: ranged R3-8 A3 S3 D1/4")
    for distance, after in ((9, 8), (2, 1), (20, 8)):
        outcome, log = rolled(one_activation(ghost, fighter("Bran", "M5 T4 W60"), distance=distance), "x")
        assert outcome.distance == after, log
