"""What an ability does in an attack or an activation: effects, and damage by its dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.rulesets.warcry.effective import read_changes
from cardgen.rulesets.warcry.referee.fighter import fighter_stats
from cardgen.rulesets.warcry.referee.volleys import Aim, Reach, Volley, resolve_volley, volleys_of
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, means

PICK = 'Pick a visible enemy within 6" and roll as many dice as the value of this ability. '


def volleys(changes: Any, value: int, toughness: int = 0) -> list[Volley]:
    asha, bran = fighter_stats(fighter("Asha")), fighter_stats(fighter("Bran"))
    return [*volleys_of(changes, Aim(asha, bran, 100, toughness, value, True))[0]]


def ability(text: str) -> dict[str, Any]:
    return card("ability", "Own", price="triple", text=text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PICK + "For each 5+, that enemy is allocated 1 damage point.", [Volley(4, Reach(6), (("5+", 1),))]),
        (PICK + "For each 4-5, allocate 1 damage point to that fighter. For each 6, allocate D3 damage points to it.",
         [Volley(4, Reach(6), (("4-5", 1), ("6", "d3")))]),
        ("Each visible enemy within 3\" is allocated damage points equal to the value of this ability.",
         [Volley(0, Reach(3), (("1+", 4),))]),
        ("Pick a visible enemy. It is allocated 2 damage points.", [Volley(0, Reach(), (("1+", 2),))]),
        ("Remove D6 damage points from this fighter.", []),
    ],
)  # fmt: skip
def test_damage_of_an_ability_is_a_volley(text: str, expected: list[Volley]) -> None:
    changes = read_changes(text)
    assert changes
    assert volleys(changes, 4) == expected


def test_the_odds_of_a_volley_are_exact() -> None:
    die = odds(resolve_volley, Volley(2, Reach(6), (("4-5", 1), ("6", 3))), "Asha")
    assert die.mean(int) == 2 * (Fraction(2, 6) + Fraction(3, 6))
    assert die.chance_of(6) == Fraction(1, 36)


def test_a_roll_is_compared_with_the_toughness_of_the_target() -> None:
    """A D6 is higher than 4 with 2 of 6 faces; the others are for 'otherwise'."""
    changes = read_changes(
        'Pick an enemy within 3" and roll a die. If the roll exceeds its Toughness, it suffers 6 damage, otherwise 1.'
    )
    [volley] = volleys(changes, 0, 4)
    assert volley == Volley(1, Reach(3), (("5+", 6), ("1-4", 1)))
    assert odds(resolve_volley, volley, "Asha").mean(int) == Fraction(2 * 6 + 4 * 1, 6)
    [hopeless] = volleys(changes[:-1], 0, 7)
    assert odds(resolve_volley, hopeless, "Asha").mean(int) == 0


@pytest.mark.parametrize(("setting", "wins"), [("none", 4), ("one", 3)])
def test_how_low_a_rule_brings_toughness_is_a_ruling(setting: str, wins: int) -> None:
    """Strength 1 hits a Toughness of 0 on 3 to 6, and one of 1 on 4 to 6."""
    frail = card("blessing", "Frail", points={"regular": 10, "elite": 10}, changes=[{"toughness": -2}])
    attacker, target = fighter("Asha", "M5 T4 W10", "Needle: dagger R1 A1 S1 D1/1"), fighter("Bo", "M5 T2 W10")
    matter = case(
        "attack",
        {"lowest-characteristic": setting},
        attacker=attacker,
        target=target,
        target_blessing=frail,
        distance=1,
    )
    assert means(matter)["mean damage"] == Fraction(wins, 6)


@pytest.mark.parametrize(
    ("words", "faces", "mean"),
    [
        ("equal to or less than", "1-4", Fraction(4 * 2, 6)),
        ("higher than", "5+", Fraction(2 * 2, 6)),
        ("at least", "4+", Fraction(3 * 2, 6)),
        ("less than", "1-3", Fraction(3 * 2, 6)),
    ],
)
def test_a_roll_is_compared_with_the_value_of_the_ability(words: str, faces: str, mean: Fraction) -> None:
    changes = read_changes(
        f"Pick an enemy. If your roll on a D6 is {words} the value of this ability, it takes 2 damage."
    )
    [volley] = volleys(changes, 4)
    assert volley == Volley(1, Reach(), ((faces, 2),))
    assert odds(resolve_volley, volley, "Asha").mean(int) == mean


@pytest.mark.parametrize("target", ["Roll 2 dice for each enemy.", "Pick 2 enemies and roll 2 dice for each of them."])
def test_several_dice_are_rolled_for_each_fighter(target: str) -> None:
    """Both of two dice show 4+ with 1 of 4 chances, and one of them with 2."""
    [volley] = volleys(read_changes(f"{target} For each 4+, it takes 2 damage.", "double"), 0)
    assert volley == Volley(2, Reach(), (("4+", 2),))
    die = odds(resolve_volley, volley, "Asha")
    assert (die.chance_of(4), die.chance_of(2), die.chance_of(0)) == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


def test_an_activation_allocates_the_damage_of_its_ability() -> None:
    """Three dice of 5+ take down a fighter with 1 Wound that nothing else reaches."""
    text = ability(PICK + "For each 5+, that enemy is allocated 1 damage point.")
    values: dict[str, Any] = {
        "attacker": fighter(),
        "target": fighter("Bo", "M5 T4 W1"),
        "activations": 1,
        "ability": text,
        "value": 3,
    }
    near = case("activation", distance=6, **{**values, "attacker": fighter("Asha", "M0 T4 W10")})
    assert chances(near)["Bo within 1 activation"] == 1 - Fraction(2, 3) ** 3
    assert near.not_simulated == ()
    far = case("activation", distance=7, **values)
    assert chances(far)["Bo within 1 activation"] == 0


def test_an_attack_has_the_effects_of_its_ability_and_says_what_it_leaves_out() -> None:
    text = "Add half the value of this ability (rounding up) to the Strength of this fighter's next melee attack."
    values: dict[str, Any] = {"attacker": fighter(), "target": fighter("Bo"), "value": 5}
    trial = case("attack", ability=ability(text), **values)
    assert trial.odds is not None
    assert trial.odds()[0].title.endswith("3 dice, 3+")
    other = case("attack", ability=ability(PICK + "For each 5+, that enemy is allocated 1 damage point."), **values)
    assert other.not_simulated == (
        "'Own' is not applied: Pick a visible enemy within 6\".",
        "'Own' is not applied: Roll as many dice as the value of this ability.",
        "'Own' is not applied: For each roll of 5+, that fighter is allocated 1 damage point.",
    )
    condition = ability('If this fighter is within 3" of an objective, this fighter has +2 Strength for this attack.')
    assert "the condition of 'Own' is true" in case("attack", ability=condition, **values).not_simulated
    idle = ability('If this fighter is within 3" of an objective, this fighter has +1 Toughness for this attack.')
    assert case("attack", ability=idle, **values).not_simulated == ("'Own' has no effect on this attack",)
    assert case("activation", ability=idle, **values).not_simulated == ("'Own' has no effect on this activation",)


@pytest.mark.parametrize(("rolls", "chance"), [("hit rolls of 1", Fraction(7, 12)), ("misses", Fraction(3, 4))])
def test_hit_rolls_are_rolled_again_once(rolls: str, chance: Fraction) -> None:
    """A die that hits on 4+ hits with 1/2, and 1/6 or 1/2 of the dice are rolled again."""
    text = f"Until the end of this fighter's activation, re-roll {rolls} from this fighter's melee attacks."
    values: dict[str, Any] = {
        "attacker": fighter("Asha", "M5 T4 W10", "Axe: axe R1 A1 S4 D1/1"),
        "target": fighter("Bo"),
    }
    trial = case("attack", ability=ability(text), **values)
    assert chances(trial)["any damage"] == chance
    assert trial.not_simulated == ()


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        # A 3 misses, a 4 hits for 1 damage point, and a 5 or 6 is critical for 3.
        ("This fighter's melee attacks score critical hits on 5+ for this attack.", Fraction(2 * 1 + 2 * 2 * 3, 6)),
        # Strength 8 against Toughness 4: 3, 4, and 5 hit.
        ("Double the Strength of this fighter's next attack.", Fraction(2 * 3 * 1 + 2 * 3, 6)),
        # A die is worth 5/6; one of the two misses at least once with 3/4, and is rolled again.
        (
            "Re-roll one hit roll of this fighter's melee attacks for this attack.",
            (2 + Fraction(3, 4)) * Fraction(5, 6),
        ),
    ],
    ids=["critical-face", "double", "reroll-one"],
)
def test_an_effect_changes_the_damage_of_an_attack(text: str, mean: Fraction) -> None:
    """Two dice of Strength 4 against Toughness 4, for 1 damage point, or 3 for a critical hit."""
    values: dict[str, Any] = {
        "attacker": fighter("Asha", "M5 T4 W10", "Axe: axe R1 A2 S4 D1/3"),
        "target": fighter("Bo", "M5 T4 W20"),
    }
    trial = case("attack", ability=ability(text), **values)
    assert trial.odds is not None
    assert trial.not_simulated == ()
    assert dict(trial.odds()[0].means)["mean damage"] == mean


def test_range_lets_a_weapon_reach_farther() -> None:
    values: dict[str, Any] = {
        "attacker": fighter("Asha", "M0 T4 W10", "Bow: ranged R4-8 A1 S4 D1/1"),
        "target": fighter("Bo", "M5 T4 W1"),
        "distance": 10,
        "activations": 1,
    }
    text = "Add 2 to the Range of this fighter's missile attacks until the end of its activation."
    assert chances(case("activation", ability=ability(text), **values))["Bo within 1 activation"] == Fraction(3, 4)
    assert chances(case("activation", **values))["Bo within 1 activation"] == 0


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("Subtract 1 from the Strength of attacks that target this fighter until the end of the battle round.", "4/3"),
        ("Subtract 1 from the Attacks of attacks that target this fighter until the end of the battle round.", "5/6"),
        ("Missile attacks that target this fighter have -1 Attacks until the end of the battle round.", "5/3"),
        (
            "Until the end of the battle round, subtract 1 from the damage points allocated to this fighter by each "
            "hit and critical hit, to a minimum of 1.",
            "4/3",
        ),
    ],
    ids=["Strength", "Attacks", "another type", "damage"],
)
def test_an_ability_in_effect_on_the_target_changes_the_attacks_on_it(text: str, mean: str) -> None:
    """Two dice of Strength 4 against Toughness 4, for 1 damage point, or 3 for a critical hit."""
    values = {"attacker": fighter("Asha", "M5 T4 W10", "Axe: axe R1 A2 S4 D1/3"), "target": fighter("Bo")}
    trial = case("attack", target_ability=ability(text), **values)
    assert means(trial)["mean damage"] == Fraction(mean)
    assert all("has no effect" in note for note in trial.not_simulated)
    assert bool(trial.not_simulated) == (mean == "5/3")


def test_what_an_ability_of_the_target_does_at_a_later_moment_is_left_out() -> None:
    changes = [{"when": {"event": "takes-down"}, "heal": 1}, {"toughness": 1, "for": "round"}]
    late = card("ability", "Own", price="double", changes=changes)
    trial = case("attack", attacker=fighter("Asha", "M5 T4 W10", "Axe: axe R1 A1 S4 D1/1"), target=fighter("Bo"),
                 target_ability=late)  # fmt: skip
    assert chances(trial)["any damage"] == Fraction(1, 2)
    assert len([note for note in trial.not_simulated if "is not applied" in note]) == 2


def test_an_ability_of_another_fighter_does_not_change_the_attacks_on_the_target() -> None:
    changes = [
        {"strength": -1, "incoming": True, "for": "round"},
        {"of": {"side": "friend"}, "move": 1, "for": "round"},
    ]
    guard = card("ability", "Own", price="double", runemarks=["hero"], changes=changes)
    trial = case("attack", attacker=fighter("Asha", "M5 T4 W10", "Axe: axe R1 A1 S4 D1/1"), target=fighter("Bo"),
                 target_ability=guard)  # fmt: skip
    assert chances(trial)["any damage"] == Fraction(1, 2)
    assert any("is used by another fighter" in note and "Strength" in note for note in trial.not_simulated)


def test_the_value_of_an_ability_of_the_target_is_not_known() -> None:
    weak = ability("Subtract the value of this ability from the Strength of attacks that target this fighter until the "
                   "end of the battle round.")  # fmt: skip
    with pytest.raises(ValueError, match="depends on the value of its dice"):
        means(case("attack", attacker=fighter(), target=fighter("Bo"), target_ability=weak))


@pytest.mark.parametrize("penalty_first", [False, True])
@pytest.mark.parametrize(
    ("number", "lost", "mean"),
    [("attacks", -1, Fraction(2 * 1 + 1 * 2, 6)), ("damage", -2, Fraction(1 * 2, 6))],
)
def test_a_penalty_and_a_bonus_count_in_any_order(number: str, lost: int, mean: Fraction, penalty_first: bool) -> None:
    """One die stays one, and hits for 1 damage point are worth nothing with 1 more and 2 less."""
    bonus, penalty = {number: 1, "for": "activation"}, {number: lost, "for": "activation"}
    both = [penalty, bonus] if penalty_first else [bonus, penalty]
    own = card("ability", "Own", price="double", changes=both)
    trial = case("attack", attacker=fighter("Asha", "M5 T4 W10", "Axe: axe R1 A1 S4 D1/2"), target=fighter("Bo"),
                 ability=own)  # fmt: skip
    assert means(trial)["mean damage"] == mean


def test_a_bonus_for_attacks_on_the_target_counts_before_a_penalty_of_the_attacker() -> None:
    values = {
        "attacker": fighter("Asha", "M5 T4 W10", "Axe: axe R1 A1 S4 D1/1"),
        "target": fighter("Bo"),
        "ability": card("ability", "Own", price="double", changes=[{"attacks": -1, "for": "activation"}]),
        "target_ability": card(
            "ability", "Theirs", price="double", changes=[{"attacks": 1, "incoming": True, "for": "round"}]
        ),
    }
    assert means(case("attack", **values))["mean damage"] == Fraction(1, 2)
