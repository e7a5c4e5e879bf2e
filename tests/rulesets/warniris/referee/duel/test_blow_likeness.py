"""Blows that count as alike have the same odds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from cardgen.referee.markov_chain import Library, WeightedChanges
from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.trial import Competitor, RulesConfig
from cardgen.rulesets.warniris.referee.duel import race
from cardgen.rulesets.warniris.referee.trials import TRIALS
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.random_effects import altered_effect, random_effect
from tests.rulesets.warniris.referee.fights import card, terms

# Crowds in each of the settings; `make fuzz` raises the number.
CROWDS = number_of_cases(4, 0.005)
# This one keeps a state, so that duels with it are no races.
LEECH = {"name": "Leech", "effects": [{"when": "attack_end", "bearer": {"heal": 1}}]}
SETTINGS = [{}, {"reaction-spent": "kept", "reaction-hit": "timing"}, {"reaction-cloak": "hindered"}]


class SuspiciousLibrary(Library):
    """Solves everything anew, and compares what should be alike."""

    def __init__(self) -> None:
        super().__init__()
        self._solved: dict[Any, Any] = {}

    def changes(self, key: Any, solve: Callable[[], tuple[WeightedChanges, int]]) -> tuple[WeightedChanges, int]:
        changes, total = solve()
        assert self._solved.setdefault(key, (sorted(changes), total)) == (sorted(changes), total)
        return changes, total


@pytest.fixture(autouse=True)
def _suspicion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "Library", SuspiciousLibrary)


def fighter(name: str, wounds: int = 3, attributes: str = "M4 B3 S3", **more: Any) -> dict[str, Any]:
    axe = {"name": "Axe", "type": "CW", "range": 1, "penetration": 1, "damage": 2}
    return card(name, f"{attributes} W{wounds}", weapons=[axe | more.pop("axe", {})], **more)


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


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize(
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
    assert_same_scores(TRIALS, crowd_of(*bearers(*effects)), terms(setting))


def test_who_is_unhurt_depends_on_the_printed_wounds() -> None:
    effect = {**IGNORED, "if": {"unhurt": True, "roll": [1, 2, 3]}}
    crowd = [Competitor(fighter(f"Bearer {wounds}", wounds), relic(effect)) for wounds in (2, 3, 4)]
    assert_same_scores(TRIALS, crowd_of(*crowd), terms())


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("moment", ["attacking", "hit", "damaging", "attack_end"])
def test_a_late_reaction_needs_a_target(moment: str, setting: dict[str, str]) -> None:
    """Whoever cannot be chosen as a target after an attack is safe from the reaction to it."""
    hides = {"when": moment, "for": "turn", "bearer": {"targeted": "never"}}
    crowd = crowd_of(Competitor(fighter("Ghost", axe={"effects": [hides]})))
    assert_same_scores(TRIALS, crowd, terms(setting))


def test_a_weapon_whose_target_cannot_be_chosen_is_compared_with_others() -> None:
    """Nobody moves to get into Range of a target that is touched."""
    shy = {"when": "always", "if": {"wounds_at_most": 3}, "target": {"targeted": "never"}}
    lance = {"name": "Lance", "type": "P", "range": 12, "penetration": 2, "damage": 3, "effects": [shy]}
    healed = {"when": "activation_start", "bearer": {"heal": 1}}
    pair = (
        Competitor(card("One", "M4 B3 S3 W1", weapons=[lance, {"Axe": "CW R1 P1 D1"}]), relic(healed)),
        Competitor(card("Other", "M4 B3 S3 W2", weapons=[{"Axe": "CW R1 P1 D1"}])),
    )
    assert_same_scores(TRIALS, pair, terms())


def test_what_allows_a_reaction_to_others_allows_none_in_a_duel() -> None:
    """It does not matter whether the other one has a weapon, not in use, that would allow one more reaction."""
    others = {"when": "turn_start", "for": "next-turn", "bearer": {"reactions": "more-others"}}
    axe = {"Axe": "CW R1 P1 D2"}
    generous = {"name": "Bow", "type": "RW", "range": 15, "effects": [{"target": {"reactions": "more"}}]}
    pair = (
        Competitor(card("One", "M3 B3 S3 W3", weapons=[axe]), relic(others)),
        Competitor(card("Other", "M3 B3 S3 W3", weapons=[axe, generous])),
    )
    assert_same_scores(TRIALS, pair, terms())


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


@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_blows_that_are_alike_have_the_same_odds(setting: dict[str, str]) -> None:
    dice, config = dice_for(f"kindred {setting}"), terms(setting)
    checked = sum(_is_checked(kindred_crowd(dice), config) for _ in range(CROWDS))
    assert checked > CROWDS // 2


def _is_checked(crowd: list[Competitor], config: RulesConfig) -> bool:
    """Check a crowd, unless its duels have too many paths."""
    try:
        assert_same_scores(TRIALS, crowd, config)
    except TooManyPathsError:
        return False
    return True
