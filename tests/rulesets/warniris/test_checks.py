"""The bounds and figures behind Warniris's checks: worked out from the cards in play, and exact."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets.warniris.attribute_bounds import _change_totals, useful_penetration
from cardgen.rulesets.warniris.cards import Ability, Character, Stats
from cardgen.rulesets.warniris.combat_benchmarks import (
    CombatBenchmarks,
    FightingPart,
    MedianAttack,
    bearing_on_attack,
    damage_range,
    fighting_part,
    mean_attacks,
)
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


@pytest.mark.parametrize(("setting", "found"), [("allowed", []), ("unique", ["WN121"])])
def test_a_relic_is_carried_twice_only_if_the_rulings_allow_it(setting: str, found: list[str], tmp_path: Path) -> None:
    """Ruling relic-duplicates."""
    (tmp_path / "cardgen.yaml").write_text(f"rulings: {{relic-duplicates: {setting}}}\n", encoding="utf-8")
    stats = "stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}"
    deck = (
        f"cards:\n  - {{kind: character, name: Asha, {stats}}}\n  - {{kind: character, name: Bero, {stats}}}\n"
        "  - {kind: relic, name: Sun Stone, qty: 2, effects: [{when: turn_start, bearer: {heal: 1}}]}\n"
        "  - kind: warband\n    name: Two\n    members:\n"
        "      - {character: Asha, relic: Sun Stone}\n      - {character: Bero, relic: Sun Stone}\n"
    )
    assert codes(tmp_path, deck, "WN121") == found


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


def ability(once: bool | str = False, /, **effect: Any) -> dict[str, Any]:
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


def test_figures_are_those_that_the_referee_plays_and_within_their_bounds() -> None:
    """Effects of any kind, also those that only move somebody or concern friends."""
    dice, left_out, exact, limited = dice_for("figures of effects"), 0, 0, 0
    cases = number_of_cases(150, 0.05)
    for number in range(cases):
        gifts = [
            {"name": f"Gift {each}", "once": dice.choice([False, "turn", True]), "effects": [random_effect(dice)]}
            for each in range(dice.randint(1, 2))
        ]
        sting = {"name": "Sting", "type": dice.choice(["CW", "P"]), "range": 9, "damage": 2}
        effects = [random_effect(dice)] if dice.random() < 0.5 else []
        weapon = Weapon.model_validate({**sting, "effects": effects})
        plain = character(abilities=gifts, wounds=3, body=dice.randint(1, 5), spirit=dice.randint(1, 5))
        one = plain.model_copy(update={"weapons": (weapon,)})
        part, figures = FightingPart.of(*json.loads(json.dumps(fighting_part(one)))), CombatBenchmarks()
        blow, target = MedianAttack(3, character("Maul: CW R9 P1 D2").weapons[0], 1), character(wounds=30).stats
        played = attacks_against(one, blow.hit_attribute, blow.weapon)
        endured = mean_attacks(3, played.wounds_lost)
        dealt = mean_damage_dealt(one, weapon, target) if weapon.needs_test else Fraction(0)
        assert (figures.damage_dealt(one, target), figures.attacks_endured(one, [blow])) == (dealt, endured), one
        ranges = damage_range(part, target), figures.endurance_range(part, [blow])
        for (low, high), figure in zip(ranges, (dealt, endured), strict=True):
            assert (low <= figure <= high) if figure is not None else low == 0, (number, one)
        every = tuple(effect for ability in one.abilities for effect in ability.effects)
        left_out += len(every) - len(bearing_on_attack(every, attacks=False))
        exact += sum(each.is_exact for each in ranges)
        limited += sum(not each.is_exact and each.high < inf for each in ranges)
    assert left_out > 20
    assert exact > cases
    assert limited


def test_figures_are_shared_by_cards_of_equal_numbers_only() -> None:
    """A Body Test of the attacker decides about its Damage, though nobody hits with Body."""
    gift = ability(when="attacking", condition={"test": "body"}, bearer={"damage": 2})
    figures, target = CombatBenchmarks(), character(body=3).stats
    means = [figures.damage_dealt(character(abilities=[gift], body=body), target) for body in (1, 5)]
    hurts = Fraction(3, 6) * Fraction(4, 6)
    assert means == [hurts * (1 + Fraction(2 * body, 6)) for body in (1, 5)]


def test_figures_of_one_card_are_none_of_another_that_its_figure_would_fit() -> None:
    """What a figure depends on is all in its key: what an effect costs, how often it starts, and what texts say."""
    aim = ability(when="attacking", bearer={"mind": 1})
    ward = ability(when="damaged", condition={"roll": [4, 5, 6]}, bearer={"ignore": 1})
    said = {"name": "Eye", "text": "When this Character Attacks or Channels, it gets +1 Mind."}
    blow, target, figures = MedianAttack(3, character("Maul: CW R1 P1 D3").weapons[0], 1), character().stats, []
    for order in (1, -1):
        benchmarks, found = CombatBenchmarks(), list[Any]()
        for gifts in [[aim], [{**aim, "effects": [{**aim["effects"][0], "cost": 1}]}], [aim, said], [said]][::order]:
            found.append(benchmarks.damage_dealt(character(abilities=gifts), target))
        for once in [False, "turn"][::order]:
            found.append(benchmarks.attacks_endured(character(abilities=[{**ward, "once": once}]), [blow]))
        figures.append([*found[:4][::order], *found[4:][::order]])
    assert figures[0] == figures[1]
    hurts = Fraction(1, 6) * Fraction(4, 6)
    assert figures[0][:4] == [4 * hurts, 3 * hurts, 5 * hurts, 4 * hurts]
    assert figures[0][4] > figures[0][5]


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


@pytest.mark.parametrize(
    ("text", "is_fixed"),
    [
        ("When the song wounds somebody, the bearer regains 1 **Wound**.", False),
        ("If it wounds, the bearer regains 1 **Wound**.", False),
        ("The bearer gets +1 mind.", True),
        ("When it attacks, the bearer gets +1 **Mind**.", True),
        ("Until its movement is over, the bearer gets +1 **Mind**.", True),
        ("The bearer takes DAMAGE.", True),
    ],
)
def test_a_word_is_a_term_only_where_it_can_be_told(tmp_path: Path, text: str, is_fixed: bool) -> None:
    found = checked(tmp_path, f'kind: relic\nname: Bell\ntext: "{text}"\n').findings
    assert [each.fix is not None for each in found if each.check.code == "CG203"] == [is_fixed]
