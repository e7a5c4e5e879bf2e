"""Races and joint chains give the same scores."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from cardgen.referee.ruling import settings_in_force
from cardgen.referee.trial import Competitor, RulesConfig
from cardgen.rulesets.warniris.referee.trials import TRIALS
from cardgen.rulesets.warniris.rulebook import RULINGS
from tests.rulesets.crowd_scores import assert_same_scores

# Pairs in each of the settings; `make fuzz` raises the number.
PAIRS = max(10, int(os.environ.get("FUZZ_CASES", "0")) // 4)
CROWD = 5
HALO = {"kind": "relic", "name": "Halo", "effects": [{"when": "damaged", "if": {"roll": [1]}, "bearer": {"ignore": 1}}]}


def terms(rulings: dict[str, str], policy: dict[str, str]) -> RulesConfig:
    settings, unknown = settings_in_force(RULINGS, rulings)
    switches, unheard = settings_in_force(TRIALS.policies, policy)
    assert not (unknown or unheard)
    return RulesConfig(settings, switches)


def random_card(dice: random.Random, number: int) -> dict[str, Any]:
    stats = {letter: dice.randint(1, 5) for letter in "MBS"} | {"W": dice.randint(1, 9), "Mo": 10}
    kinds = ["CW R1", "RW R15", "P R12"]
    lines = [
        {f"W{n}": f"{dice.choice(kinds)} P{dice.randint(0, 3)} D{dice.randint(1, 3)}"}
        for n in range(dice.randint(1, 3))
    ]
    kind = "minion" if dice.random() < 0.2 else "character"
    return {"kind": kind, "name": f"C{number}", "stats": stats, "weapons": lines}


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
    dice = random.Random(f"{rulings} {policy}")
    config = terms(rulings, policy)
    for _ in range(0, PAIRS, CROWD * (CROWD - 1) // 2):
        assert_same_scores(TRIALS, [Competitor(random_card(dice, number)) for number in range(CROWD)], config)


def test_a_crowd_may_have_effects() -> None:
    dice = random.Random(7)
    cards = [{**random_card(dice, number), "kind": "character"} for number in range(4)]
    assert_same_scores(
        TRIALS, [*map(Competitor, cards), Competitor(cards[0], HALO), Competitor(cards[2], HALO)], terms({}, {})
    )
