"""Races and joint chains give the same scores."""

from __future__ import annotations

import random
from typing import Any, get_args
from unittest.mock import patch

import pytest

from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.parameters import settings_in_force
from cardgen.referee.trial import Competitor, RulesConfig
from cardgen.rulesets.warniris.effect import Condition, Deeds, Effect
from cardgen.rulesets.warniris.referee import race
from cardgen.rulesets.warniris.rulebook import RULINGS
from cardgen.rulesets.warniris.trials import TRIALS
from cardgen.rulesets.warniris.words import Duration, Event
from tests.benchmarks.warniris_collection import kit_competitors
from tests.cases import each_case
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.random_effects import altered_effect, random_effect, random_source
from tests.rulesets.warniris.referee import fights

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


@pytest.mark.share(3)
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


@pytest.mark.share(3)
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


# Crowds in each of the settings; `make fuzz` raises the number.
CROWDS = number_of_cases(4, 0.005)
# This one keeps a state, so that duels with it are no races.
LEECH = {"name": "Leech", "effects": [{"when": "attack_end", "bearer": {"heal": 1}}]}
SETTINGS = [{}, {"reaction-spent": "kept", "reaction-hit": "timing"}, {"reaction-cloak": "hindered"}]


def fighter(name: str, wounds: int = 3, attributes: str = "M4 B3 S3", **more: Any) -> dict[str, Any]:
    axe = {"name": "Axe", "type": "CW", "range": 1, "penetration": 1, "damage": 2}
    return fights.card(name, f"{attributes} W{wounds}", weapons=[axe | more.pop("axe", {})], **more)


def relic(*effects: dict[str, Any], once: bool | str = False) -> dict[str, Any]:
    return {"kind": "relic", "name": "Relic", "once": once, "effects": [*effects]}


def crowd_of(*bearers: Competitor) -> list[Competitor]:
    """Return the bearers with others, against some of whom a duel is a race."""
    return [*bearers, *map(Competitor, (fighter("Leech", 4, abilities=[LEECH]), fighter("Other", 4, "M3 B3 S3")))]


def bearers(*effects: dict[str, Any]) -> list[Competitor]:
    return [Competitor(fighter(f"Bearer {number}"), relic(effect)) for number, effect in enumerate(effects)]


IGNORED = {"when": "damaged", "bearer": {"ignore": 1}}
LAST_HARM = {"when": "eliminated", "enemies": {"deal": 1}}
FAILS = {"fails": "attack"}


@pytest.mark.share(2)
@each_case("setting", SETTINGS, ids=str)
@each_case(
    "effects",
    [
        [{"when": "battle_start", "for": "activation", "enemies": FAILS}],
        [{"if": {"wounds_at_most": limit}, "bearer": FAILS} for limit in (1, 2, 3)],
        [IGNORED, {**IGNORED, "cost": 1}],
        [LAST_HARM, {**LAST_HARM, "cost": 1}],
        [{"bearer": {"reroll": "hit"}}, {"when": "attacking", "cost": 1, "bearer": {"reroll": "hit"}}],
    ],
    ids=str,
)
def test_blows_are_as_different_as_effects(effects: list[dict[str, Any]], setting: dict[str, str]) -> None:
    """An attack may fail in an Activation alone, or below some Wounds; what costs Wounds is not done unasked."""
    assert_same_scores(TRIALS, crowd_of(*bearers(*effects)), terms(setting, {}))


def test_who_is_unhurt_depends_on_the_printed_wounds() -> None:
    effect = {**IGNORED, "if": {"unhurt": True, "roll": [1, 2, 3]}}
    crowd = [Competitor(fighter(f"Bearer {wounds}", wounds), relic(effect)) for wounds in (2, 3, 4)]
    assert_same_scores(TRIALS, crowd_of(*crowd), terms({}, {}))


@each_case("setting", SETTINGS, ids=str)
@each_case("moment", ["attacking", "hit", "damaging", "attack_end"])
def test_a_late_reaction_needs_a_target(moment: str, setting: dict[str, str]) -> None:
    """Whoever cannot be chosen as a target after an attack is safe from the reaction to it."""
    hides = {"when": moment, "for": "turn", "bearer": {"targeted": "never"}}
    crowd = crowd_of(Competitor(fighter("Ghost", axe={"effects": [hides]})))
    assert_same_scores(TRIALS, crowd, terms(setting, {}))


def test_a_weapon_whose_target_cannot_be_chosen_is_compared_with_others() -> None:
    """Nobody moves to get into Range of a target that is touched."""
    shy = {"when": "always", "if": {"wounds_at_most": 3}, "target": {"targeted": "never"}}
    lance = {"name": "Lance", "type": "P", "range": 12, "penetration": 2, "damage": 3, "effects": [shy]}
    healed = {"when": "activation_start", "bearer": {"heal": 1}}
    pair = (
        Competitor(fights.card("One", "M4 B3 S3 W1", weapons=[lance, {"Axe": "CW R1 P1 D1"}]), relic(healed)),
        Competitor(fights.card("Other", "M4 B3 S3 W2", weapons=[{"Axe": "CW R1 P1 D1"}])),
    )
    assert_same_scores(TRIALS, pair, terms({}, {}))


def test_what_allows_a_reaction_to_others_allows_none_in_a_duel() -> None:
    """It does not matter whether the other one has a weapon, not in use, that would allow one more reaction."""
    others = {"when": "turn_start", "for": "next-turn", "bearer": {"reactions": "more-others"}}
    axe = {"Axe": "CW R1 P1 D2"}
    generous = {"name": "Bow", "type": "RW", "range": 15, "effects": [{"target": {"reactions": "more"}}]}
    pair = (
        Competitor(fights.card("One", "M3 B3 S3 W3", weapons=[axe]), relic(others)),
        Competitor(fights.card("Other", "M3 B3 S3 W3", weapons=[axe, generous])),
    )
    assert_same_scores(TRIALS, pair, terms({}, {}))


def kindred_crowd(dice: random.Random, size: int = 5) -> list[Competitor]:
    """Return cards with few different numbers, and few effects, some of which differ in one respect alone."""
    pool = [random_effect(dice), random_effect(dice)]
    pool.append(altered_effect(dice, pool[0]))
    crowd = []
    for number in range(size):
        axe = {"damage": dice.randint(1, 2)} | ({"effects": [dice.choice(pool)]} if dice.random() < 0.5 else {})
        attributes = " ".join(f"{letter}{dice.choice((2, 4))}" for letter in "MBS")
        body = fighter(f"C{number}", dice.randint(1, 3), attributes, axe=axe)
        effects = dice.choices(pool, k=dice.choice((1, 1, 2)))
        thing = relic(*effects, once=dice.choice((False, False, True, "turn"))) if dice.random() < 0.6 else None
        crowd.append(Competitor(body, thing))
    return crowd


@pytest.mark.share(3)
@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_blows_that_are_alike_have_the_same_odds(setting: dict[str, str]) -> None:
    dice, config = dice_for(f"kindred {setting}"), terms(setting, {})
    checked = sum(_is_checked(kindred_crowd(dice), config) for _ in range(CROWDS))
    assert checked > CROWDS // 2


def _is_checked(crowd: list[Competitor], config: RulesConfig) -> bool:
    """Check a crowd, unless its duels have too many paths."""
    try:
        assert_same_scores(TRIALS, crowd, config)
    except TooManyPathsError:
        return False
    return True
