"""Races and joint chains give the same scores."""

from __future__ import annotations

import random
from typing import Any, get_args
from unittest.mock import patch

import pytest

from cardgen.referee.ruling import settings_in_force
from cardgen.referee.trial import Competitor, RulesConfig
from cardgen.rulesets.warniris.effect import Condition, Deeds, Duration, Effect, Event
from cardgen.rulesets.warniris.referee.duel import race
from cardgen.rulesets.warniris.referee.trials import TRIALS
from cardgen.rulesets.warniris.rulebook import RULINGS
from tests.benchmarks.warniris_collection import kit_competitors
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.random_effects import random_effect, random_source

# Pairs in each of the settings; `make fuzz` raises the number.
PAIRS = number_of_cases(10, 0.05)
CROWD, FEW_WOUNDS = 5, 4
HALO = {"kind": "relic", "name": "Halo", "effects": [{"when": "damaged", "if": {"roll": [1]}, "bearer": {"ignore": 1}}]}


def terms(rulings: dict[str, str], policy: dict[str, str]) -> RulesConfig:
    settings, unknown = settings_in_force(RULINGS, rulings)
    switches, unheard = settings_in_force(TRIALS.policies, policy)
    assert not (unknown or unheard)
    return RulesConfig(settings, switches)


def random_card(dice: random.Random, number: int, most_wounds: int = 9) -> dict[str, Any]:
    stats = {letter: dice.randint(1, 5) for letter in "MBS"} | {"W": dice.randint(1, most_wounds), "Mo": 10}
    kinds = ["CW R1", "RW R15", "P R12"]
    lines = [
        {f"W{n}": f"{dice.choice(kinds)} P{dice.randint(0, 3)} D{dice.randint(1, 3)}{' H1' * (dice.random() < 0.1)}"}
        for n in range(dice.randint(1, 3))
    ]
    kind = "minion" if dice.random() < 0.2 else "character"
    return {"kind": kind, "name": f"C{number}", "stats": stats, "weapons": lines}


@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
@pytest.mark.parametrize(
    ("rulings", "policy"),
    [
        ({}, {}),
        ({}, {"reactions": "never", "weapon": "first"}),
        ({"reaction-hit": "timing", "reaction-test": "higher"}, {}),
        ({"same-action": "different", "reaction-when": "before-dice"}, {"moment": "hit"}),
        ({"vp-tie": "wounds"}, {}),
        ({}, {"moment": "resist"}),
    ],
    ids=str,
)
def test_crowds_have_the_scores_of_single_duels(rulings: dict[str, str], policy: dict[str, str]) -> None:
    dice = dice_for(f"{rulings} {policy}")
    config = terms(rulings, policy)
    for _ in range(0, PAIRS, CROWD * (CROWD - 1) // 2):
        assert_same_scores(TRIALS, [Competitor(random_card(dice, number)) for number in range(CROWD)], config)


def test_a_crowd_may_have_effects() -> None:
    dice = random.Random(7)
    cards = [{**random_card(dice, number), "kind": "character"} for number in range(4)]
    assert_same_scores(
        TRIALS, [*map(Competitor, cards), Competitor(cards[0], HALO), Competitor(cards[2], HALO)], terms({}, {})
    )


def test_a_weapon_may_damage_and_heal_its_target() -> None:
    dice = random.Random(3)
    cards = [{**random_card(dice, number), "kind": "character"} for number in range(4)]
    cards[0]["weapons"] = [{"Hymn": "P R12 P2 D1 H1"}, {"Knife": "CW R1 D1"}]
    cards[1]["weapons"] = [{"Needle": "CW R1 P2 D2 H1"}]
    assert_same_scores(TRIALS, [*map(Competitor, cards)], terms({}, {}))


STUBBORN = {"when": "damaged", "if": {"wounds_at_most": 3, "roll": [1, 2]}, "bearer": {"ignore": 1}}
CHALICE = {"when": "activation_start", "bearer": {"heal": 2}}


@pytest.mark.parametrize("policy", [{}, {"relics": "never"}, {"reactions": "never"}], ids=str)
def test_what_only_changes_the_damage_that_a_target_takes_leaves_a_race(policy: dict[str, str]) -> None:
    dice, config = random.Random(11), terms({}, policy)
    lines = [{"Axe": "CW R1 P1 D2"}, {"Bow": "RW R15 P2 D1"}]
    cards = [{**random_card(dice, number), "kind": "character", "weapons": lines} for number in range(5)]
    for number, effect in enumerate((STUBBORN, STUBBORN, None, None, {**STUBBORN, "bearer": {"ignore": 2}})):
        cards[number]["abilities"] = [{"name": "Stubborn", "effects": [effect]}] if effect else []
    chalice = {"kind": "relic", "name": "Chalice", "once": True, "effects": [CHALICE]}
    cup = {**chalice, "effects": [{**CHALICE, "bearer": {"heal": 4}}]}
    crowd = [*map(Competitor, cards, [None, chalice, cup, None, cup])]
    with patch.object(race, "_smallest_duel", side_effect=AssertionError("not a race")):
        assert_same_scores(TRIALS, crowd, config)


def test_damage_that_grows_meets_a_target_that_hardens() -> None:
    dice = random.Random(13)
    cards = [{**random_card(dice, number), "kind": "character"} for number in range(2)]
    cards[0]["abilities"] = [{"name": "Stubborn", "effects": [STUBBORN]}]
    rage = {"when": "activation_start", "for": "battle", "bearer": {"damage": 1}}
    relic = {"kind": "relic", "name": "Rage", "effects": [rage]}
    assert_same_scores(TRIALS, [Competitor(cards[0]), Competitor(cards[1], relic)], terms({}, {}))


def test_a_die_that_other_effects_need_is_thrown() -> None:
    dice = random.Random(17)
    cards = [{**random_card(dice, number), "kind": "character"} for number in range(2)]
    idle = {"when": "turn_start", "if": {"roll": [1]}, "for": "turn", "bearer": {"movement": 1}}
    needy = {"when": "turn_start", "if": {"same_roll": [5, 6]}, "bearer": {"heal": 1}}
    relic = {"kind": "relic", "name": "Coin", "effects": [idle, needy]}
    assert_same_scores(TRIALS, [Competitor(cards[0]), Competitor(cards[1], relic)], terms({}, {}))


def random_crowd(dice: random.Random, size: int = 3) -> list[Competitor]:
    """Cards with effects of Relics, and some with effects of weapons or abilities.

    They have few Wounds: effects that add up for a whole battle multiply the states of a duel.
    """
    crowd = [random_card(dice, number, FEW_WOUNDS) for number in range(size)]
    for card in crowd:
        if dice.random() < 0.3:
            card["weapons"] = [_with_effect(dice, weapon) for weapon in card["weapons"]]
        if card["kind"] == "character" and dice.random() < 0.3:
            card["abilities"] = [random_source(dice, name="Ability")]
    return [Competitor(card, None if card["kind"] == "minion" else _random_relic(dice)) for card in crowd]


def _random_relic(dice: random.Random) -> dict[str, Any]:
    return random_source(dice, kind="relic", name="Relic")


def _with_effect(dice: random.Random, weapon: dict[str, str]) -> dict[str, Any]:
    ((name, line),) = weapon.items()
    kind, *numbers = line.split()
    keys = {"R": "range", "P": "penetration", "D": "damage", "H": "healing"}
    fields = {keys[number[0]]: int(number[1:]) for number in numbers}
    return {"name": name, "type": kind, **fields, "effects": [random_effect(dice)]}


def test_random_crowds_have_effects_of_every_kind() -> None:
    dice = random.Random(5)
    effects = [random_effect(dice) for _ in range(2000)]
    deeds = [effect[party] for effect in effects for party in Effect.FIELDS if party in effect]
    conditions = [effect["if"] for effect in effects if "if" in effect]
    assert {key for each in deeds for key in each} == {*Deeds.model_fields}
    assert {key for each in conditions for key in each} == {*Condition.model_fields}
    assert {party for effect in effects for party in Effect.FIELDS if party in effect} == {*Effect.FIELDS}
    assert {effect["when"] for effect in effects} == {"always", *get_args(Event)}
    assert {effect["while"] for effect in effects if "while" in effect} == {*get_args(Event)}
    assert {effect["for"] for effect in effects if "for" in effect} == {*get_args(Duration)}


@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
@pytest.mark.parametrize(
    "rulings", [{}, {"reaction-hit": "timing", "ignored-vp": "scored"}, {"bonus-on-reaction": "actions"}], ids=str
)
def test_crowds_with_effects_have_the_scores_of_single_duels(rulings: dict[str, str]) -> None:
    dice, config = dice_for(f"pairs {rulings}"), terms(rulings, {})
    for _ in range(0, PAIRS, 3):
        assert_same_scores(TRIALS, random_crowd(dice), config)


def test_the_kit_has_the_scores_of_single_duels() -> None:
    assert_same_scores(TRIALS, kit_competitors()[::2], terms({}, {}))
