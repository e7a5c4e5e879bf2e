"""The bounds and figures behind Warniris's checks: worked out from the cards in play, and exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.checking.figures import Outliers
from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets.warniris.attribute_bounds import (
    CombatBenchmarks,
    MedianAttack,
    _change_totals,
    bearing_on_attack,
    mean_attacks,
    useful_penetration,
)
from cardgen.rulesets.warniris.cards import Ability, Character, Stats
from cardgen.rulesets.warniris.effect import Effect, Weapon
from cardgen.rulesets.warniris.referee.benchmark_attack import attacks_against, mean_damage_dealt
from cardgen.rulesets.warniris.wording.effects import sentences
from tests.checking.harness import checked, found_marks
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.warniris.random_effects import random_effect

ASHA = "kind: character\nname: Asha\nstats: {{M: {M}, B: {B}, S: 3, W: 5, Mo: 10}}\n"


def codes(folder: Path, text: str, *select: str) -> list[str]:
    return [mark.code for mark in found_marks(checked(folder, text, request=CheckRequest(select=select)))]


@pytest.mark.parametrize(("penetration", "found"), [(4, []), (5, []), (6, ["WN301"])])
def test_penetration_5_still_matters_against_body_5_and_a_purity_seal(
    penetration: int, found: list[str], tmp_path: Path
) -> None:
    """Ruling clamp-order=once: bonuses beyond 5 make up for Penetration; cards are shared between groups."""
    text = ASHA.format(M=3, B=3) + f"weapons:\n  - Awl: CW R1 P{penetration} D1\n"
    assert codes(tmp_path, text, "WN301") == found


@pytest.mark.parametrize("kind", ["CW", "P"])
@pytest.mark.parametrize(("penetration", "found"), [(5, []), (6, ["WN301"])])
def test_penetration_is_useful_until_a_test_is_impossible(
    kind: str, penetration: int, found: list[str], tmp_path: Path
) -> None:
    """Ruling clamp-order=before: no bonus beyond 5 counts, and there is no limit after Penetration."""
    (tmp_path / "cardgen.yaml").write_text("rulings: {clamp-order: before}\n", encoding="utf-8")
    text = ASHA.format(M=3, B=3) + f"weapons:\n  - Awl: {kind} R1 P{penetration} D1\n"
    assert codes(tmp_path, text, "WN301") == found


def test_penetration_that_only_makes_a_test_impossible_is_useful() -> None:
    """Ruling clamp-order=before: Penetration 5 takes Body 5 to 0; under the others, it does what 4 does."""
    assert [useful_penetration(5, setting) for setting in ("once", "twice", "before")] == [4, 4, 5]
    assert useful_penetration(7, "once") == 6
    assert useful_penetration(7, "before") == 5


def test_a_stronger_defence_in_play_makes_more_penetration_useful(tmp_path: Path) -> None:
    stats = "stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}"
    deck = (
        f"cards:\n  - {{kind: character, name: Asha, {stats}, weapons: [{{Awl: CW R1 P7 D1}}]}}\n"
        "  - {kind: relic, name: Bulwark, effects: [{when: attacked, bearer: {body: +3}}]}\n"
    )
    assert codes(tmp_path, deck, "WN301") == []
    assert codes(tmp_path, deck.replace("body: +3", "body: +2"), "WN301") == ["WN301"]


def test_a_penalty_in_play_makes_more_of_a_bonus_useful(tmp_path: Path) -> None:
    bonus = ASHA.format(M=5, B=3) + "abilities:\n  - {name: Eye, effects: [{when: attacking, bearer: {mind: +5}}]}\n"
    assert codes(tmp_path, bonus, "WN302") == ["WN302"]
    (tmp_path / "fog.yaml").write_text(
        "kind: relic\nname: Fog\neffects: [{when: attacked, attacker: {mind: -4}}]\n", encoding="utf-8"
    )
    assert codes(tmp_path, bonus, "WN302") == []


def character(weapon: str = "Maul: CW R1 P1 D1", abilities: Sequence[object] = (), **stats: int) -> Character:
    name, _, line = weapon.partition(": ")
    numbers = {"mind": 3, "body": 3, "spirit": 3, "wounds": 5, "movement": 10} | stats
    return Character.model_validate(
        {"name": "Asha", "stats": numbers, "weapons": [{name: line}], "abilities": list(abilities)}
    )


def ability(once: bool | str = False, /, **effect: Any) -> dict[str, object]:
    named = {"if" if key == "condition" else key: value for key, value in effect.items()}
    return {"name": "Gift", "once": once, "effects": [named]}


@pytest.mark.parametrize(
    ("attacker", "target", "mean"),
    [
        (character("Maul: CW R1 P2 D2", mind=4), {"body": 3}, Fraction(10, 9)),  # the example of the rules' digest
        (character("Rifle: RW R15 P1 D1", mind=2), {"body": 3}, Fraction(2, 9)),  # a Sentinel's rifle
        (character("Word: P R9 P9 D1"), {"spirit": 5}, Fraction(5, 12)),  # held at 1, so never unresisted
        (character("Maul: CW R1 D3", mind=5), {"body": 1}, Fraction(25, 12)),
    ],
)
def test_mean_damage_by_tests_is_what_the_referee_plays(
    attacker: Character, target: dict[str, int], mean: Fraction
) -> None:
    middle = Stats.model_validate({**character().stats.model_dump(), **target})
    assert CombatBenchmarks().damage_dealt(attacker, middle) == mean
    assert mean_damage_dealt(attacker, attacker.weapons[0], middle) == mean


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 9), st.integers(1, 5), st.sampled_from(["CW", "RW", "P"]))
def test_plain_attacks_need_no_referee(hits: int, resists: int, pierces: int, damage: int, kind: str) -> None:
    one = character(f"Maul: {kind} R2 P{pierces} D{damage}", mind=hits, spirit=hits)
    other = character(body=resists, spirit=resists, wounds=3)
    (weapon,) = one.weapons
    exchange = CombatBenchmarks()
    assert exchange.damage_dealt(one, other.stats) == mean_damage_dealt(one, weapon, other.stats)
    attack = MedianAttack(hits, weapon, 1)
    idle = other.model_copy(update={"abilities": character(abilities=[IDLE_DEFENCE]).abilities})
    assert exchange.attacks_endured(other, [attack]) == exchange.attacks_endured(idle, [attack])


# Played out by the referee, though it never comes to anything.
IDLE_DEFENCE = ability(when="attacked", condition={"range_over": 60}, bearer={"body": 1})


@pytest.mark.parametrize(
    ("gift", "mean"),
    [
        (ability(when="attacking", bearer={"mind": 1}), Fraction(4, 6) * Fraction(4, 6)),
        (ability("turn", when="attacking", bearer={"mind": 1}), Fraction(4, 6) * Fraction(4, 6)),
        (ability(True, when="attacking", bearer={"mind": 1}), Fraction(3, 6) * Fraction(4, 6)),
        (ability(when="damaging", bearer={"damage": 2}), Fraction(3, 6) * Fraction(4, 6) * 3),
        (ability(when="attacking", bearer={"reroll": "hit"}), Fraction(3, 4) * Fraction(4, 6)),
        (ability(when="attacking", condition={"range_over": 5}, bearer={"mind": 1}), Fraction(3, 6) * Fraction(4, 6)),
        (ability(when="attacked", bearer={"body": 1}), Fraction(3, 6) * Fraction(4, 6)),
    ],
)
def test_effects_count_in_damage_as_the_referee_plays_them(gift: dict[str, object], mean: Fraction) -> None:
    attacker = character(abilities=[gift])
    assert CombatBenchmarks().damage_dealt(attacker, character(body=3).stats) == mean


@pytest.mark.parametrize(
    ("gift", "attacks"),
    [
        (None, 2 / (Fraction(3, 6) * Fraction(4, 6))),
        (ability(when="attacked", bearer={"body": 1}), 2 / (Fraction(3, 6) * Fraction(3, 6))),
        (ability(when="attacked", attacker={"mind": -1}), 2 / (Fraction(2, 6) * Fraction(4, 6))),
        (ability(when="damaged", condition={"roll": [4, 5, 6]}, bearer={"ignore": 1}), 4 / (Fraction(1, 3))),
        (ability(True, when="damaged", bearer={"ignore": 1}), 2 / (Fraction(3, 6) * Fraction(4, 6))),
        (
            ability(when="attacked", condition={"wounds_at_most": 1}, bearer={"body": 1}),
            1 / Fraction(1, 3) + 1 / Fraction(1, 4),
        ),
    ],
)
def test_effects_count_in_endurance_as_the_referee_plays_them(
    gift: dict[str, object] | None, attacks: Fraction
) -> None:
    """Two Wounds, lost one by one to attacks with Mind 3 and Penetration 1."""
    one = character()
    target = character(abilities=[gift] if gift else [], wounds=2)
    assert CombatBenchmarks().attacks_endured(target, [MedianAttack(3, one.weapons[0], 1)]) == attacks


def test_effects_that_are_left_out_of_the_figures_change_none_of_them() -> None:
    """Effects of any kind, also those that only move somebody or concern friends, as the referee plays them."""
    dice, left_out = dice_for("figures of effects"), 0
    for number in range(number_of_cases(150, 0.05)):
        gifts = [{"name": f"Gift {each}", "effects": [random_effect(dice)]} for each in range(dice.randint(1, 2))]
        sting = Weapon.model_validate(
            {"name": "Sting", "type": "CW", "range": 9, "damage": 2, "effects": [random_effect(dice)]}
        )
        one = character(abilities=gifts, wounds=3, body=dice.randint(1, 5)).model_copy(update={"weapons": (sting,)})
        blow, figures = MedianAttack(3, character("Maul: CW R9 P1 D2").weapons[0], 1), CombatBenchmarks()
        every = [effect for ability in one.abilities for effect in ability.effects]
        left_out += len(every) - len(bearing_on_attack(every, attacks=False))
        played = attacks_against(one, blow.hit_attribute, blow.weapon)
        endured = mean_attacks(3, [blow], dict.fromkeys([blow], played.wounds_lost).__getitem__)
        assert figures.attacks_endured(one, [blow]) == endured, (number, gifts)
        target_stats = character(wounds=30).stats
        dealt = mean_damage_dealt(one, one.weapons[0], target_stats)
        assert figures.damage_dealt(one, target_stats) == dealt or not one.weapons[0].needs_test, (
            number,
            gifts,
            sting.effects,
        )
    assert left_out > 20


def test_figures_are_shared_by_cards_of_equal_numbers_only() -> None:
    """A Body Test of the attacker decides about its Damage, though nobody hits with Body."""
    gift = ability(when="attacking", condition={"test": "body"}, bearer={"damage": 2})
    figures, target = CombatBenchmarks(), character(body=3).stats
    means = [figures.damage_dealt(character(abilities=[gift], body=body), target) for body in (1, 5)]
    hurts = Fraction(3, 6) * Fraction(4, 6)
    assert means == [hurts * (1 + Fraction(2 * body, 6)) for body in (1, 5)]


def test_endurance_counts_attacks_and_not_points() -> None:
    """A blow for 3 takes two Wounds at once, and what goes beyond is lost."""
    one = character("Maul: CW R1 P1 D3")
    assert CombatBenchmarks().attacks_endured(character(wounds=2), [MedianAttack(3, one.weapons[0], 1)]) == 3
    word = character("Word: P R9 D1")
    mixed = [MedianAttack(3, one.weapons[0], 1), MedianAttack(3, word.weapons[0], 2)]
    hurts, kills = (Fraction(1, 3) + 2 * Fraction(1, 4)) / 3, Fraction(1, 9)
    first = 1 / hurts
    assert CombatBenchmarks().attacks_endured(character(wounds=2), mixed) == (1 + (hurts - kills) * first) / hurts


def test_what_nothing_can_hurt_has_no_endurance() -> None:
    one = character("Stare: P R9 P1 D1")
    ward = ability(when="damaged", bearer={"ignore": 30})
    assert CombatBenchmarks().attacks_endured(character(abilities=[ward]), [MedianAttack(3, one.weapons[0], 1)]) is None


def test_a_figure_is_far_out_beyond_the_outer_fences_only() -> None:
    figures = {str(number): Fraction(number) for number in range(1, 9)} | {"near": Fraction(18), "far": Fraction(40)}
    spread = Outliers(figures)
    assert spread.find("near") is None
    far = spread.find("far")
    assert far is not None
    assert (far.rank, far.among) == (1, 10)
    assert [far.lowest, far.figure, far.highest] == [Fraction(1), Fraction(40), Fraction(40)]
    assert Outliers(dict(list(figures.items())[:7])).find("7") is None
    assert spread.find("nobody") is None


_FEW = st.dictionaries(st.integers(0, 60).map(str), st.none() | st.fractions(0, 9, max_denominator=6), max_size=40)


@given(_FEW, _FEW)
def test_what_is_far_out_does_not_depend_on_when_the_others_are_worked_out(
    mine: dict[str, Fraction | None], others: dict[str, Fraction | None]
) -> None:
    late, early = Outliers(mine, lambda: others, len(others)), Outliers({**others, **mine})
    assert [late.find(name) for name in mine] == [early.find(name) for name in mine]


def test_the_others_are_not_worked_out_where_they_change_nothing() -> None:
    mine: dict[str, Fraction | None] = {str(number): Fraction(number) for number in range(1, 99)}

    def others() -> dict[str, Fraction | None]:
        raise AssertionError

    assert Outliers(mine, others, 12).find("98") is None


def test_the_others_are_worked_out_until_they_change_nothing() -> None:
    class Figures(dict[str, Fraction | None]):
        def __getitem__(self, name: str) -> Fraction | None:
            seen.append(name)
            return super().__getitem__(name)

    seen: list[str] = []
    others = Figures({str(number): Fraction(20 + number) for number in range(12)})
    assert Outliers({"mine": Fraction(25)}, lambda: others, 12).find("mine") is None
    assert seen == [str(number) for number in range(6)]  # With its own figure, 7 of 13 are known.
    assert Outliers({"mine": Fraction(250)}, lambda: others, 12).find("mine") is not None


EFFECTS: list[dict[str, object]] = [
    {"bearer": {"mind": 1, "body": 1, "spirit": 1, "movement": 2, "range": 3, "penetration": 1, "damage": 1}},
    {"when": "turn_start", "friends": {"heal": 1}, "enemies": {"deal": 1, "move": 3}},
    {"when": "damaged", "if": {"roll": [1, 2], "wounds_at_most": 2}, "bearer": {"ignore": 1}},
    {"when": "attacked", "if": {"weapon": "RW", "range_over": 9}, "attacker": {"reroll": "hit"}},
    {"when": "hit", "for": "turn", "target": {"body": -1, "move": 2}},
    {"when": "activation_start", "for": "battle", "while": "reacting", "bearer": {"reroll": "timing"}},
    {"when": "eliminated", "if": {"against": "minion"}, "attacker": {"deal": 2}},
]


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_programs_own_sentences_write_terms_as_the_check_wants_them(
    effect: dict[str, object], tmp_path: Path
) -> None:
    (sentence,) = sentences(Ability(name="Gift", effects=(Effect.model_validate(effect),)))
    text = ASHA.format(M=3, B=3) + f'abilities:\n  - {{name: Gift, text: "{sentence}"}}\n'
    assert codes(tmp_path, text, "CG203", "CG204") == []
    assert codes(tmp_path, text.replace("this Character", "this character"), "CG203") == (
        ["CG203"] if "this Character" in text else []
    )


def test_a_reroll_of_any_test_is_used_by_the_tests_of_an_attack(tmp_path: Path) -> None:
    effects = "[{when: attacking, bearer: {reroll: any}}, {when: attacked, bearer: {reroll: any}}]"
    text = f"{ASHA.format(M=3, B=3)}abilities:\n  - {{name: Luck, effects: {effects}}}\n"
    assert codes(tmp_path, text, "WN303") == []


def test_an_attack_that_is_over_still_has_its_target(tmp_path: Path) -> None:
    effects = "[{when: attack_end, target: {deal: 1}}, {when: attack_end, attacker: {deal: 1}}]"
    text = f"{ASHA.format(M=3, B=3)}abilities:\n  - {{name: Parting, effects: {effects}}}\n"
    assert codes(tmp_path, text, "WN203") == ["WN203"]


@pytest.mark.parametrize(
    ("parties", "change", "relation"),
    [
        (("enemies", "enemy", "attacker", "actor", "target"), -2, "harm"),
        (("friends", "friend", "target"), 2, "help"),
        (("bearer",), 2, "own"),
    ],
)
def test_bounds_count_what_any_party_may_lose_or_gain(parties: tuple[str, ...], change: int, relation: str) -> None:
    for party in parties:
        effect = Effect.model_validate({"when": "turn_start", "for": "turn", party: {"body": change}})
        assert _change_totals([effect]) == {f"{relation} body": 2}, party


OWN_MOMENTS = ["attacking", "hit", "damaging", "resisted", "missing", "attack_end", "reacting", "eliminating"]


@pytest.mark.parametrize("moment", OWN_MOMENTS)
def test_a_moment_of_ones_own_attack_needs_ones_own_weapon(moment: str, tmp_path: Path) -> None:
    effect = f"{{when: {moment}, if: {{weapon: RW}}, friends: {{heal: 1}}}}"
    weapons = "weapons: [{Axe: CW R1 D1}]\n"
    claws = "  - {name: Darts, effects: [{bearer: {weapon: {name: Darts, type: RW, range: 9, damage: 1}}}]}\n"
    text = ASHA.format(M=3, B=3) + weapons + f"abilities:\n  - {{name: Feud, effects: [{effect}]}}\n"
    assert codes(tmp_path, text, "WN314") == ["WN314"]
    assert codes(tmp_path, text + claws, "WN314") == []
    effect = f"{{when: {moment}, if: {{weapon: RW}}, bearer: {{heal: 1}}}}"
    axe = f"weapons: [{{name: Axe, type: CW, range: 1, damage: 1, effects: [{effect}]}}]\n"
    assert codes(tmp_path, ASHA.format(M=3, B=3) + axe, "WN314") == ["WN314"]


def test_a_bonus_to_range_can_meet_a_condition_on_distance(tmp_path: Path) -> None:
    effect = "{when: hit, if: {range_over: 12}, target: {mind: -1}, for: turn}"
    bow = f"weapons: [{{name: Bow, type: RW, range: 10, damage: 1, effects: [{effect}]}}]\n"
    text = ASHA.format(M=3, B=3) + bow
    assert codes(tmp_path, text, "WN314") == ["WN314"]
    sight = "abilities: [{name: Sight, effects: [{bearer: {range: 5}}]}]\n"
    assert codes(tmp_path, text + sight, "WN314") == []
