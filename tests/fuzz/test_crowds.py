"""Many random pairs of each game: fast scores of crowds are those of single duels in fractions.

`CASES` of `make fuzz` is twice the number of pairs. In Skirmish, up to six warriors fight for up to 30 turns, which
takes 0.4 s a pair, so most of its pairs are single fights of 12 turns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cardgen.deck.card_lookup import CardLookup
from cardgen.matches import session
from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.trial import Competitor, GameTrials, RulesConfig
from tests.fuzz.test_fuzz import CASES
from tests.random_cases import dice_for
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warcry.referee.test_duel_race import random_fighter
from tests.rulesets.warniris.referee.test_race import kindred_crowd, random_card, random_crowd

MANY, SIZE = 1000, 5
CARDS = Path(__file__).parents[2] / "cards"
# The numbers that are varied, and the largest.
WARRIOR = {"ws": 6, "s": 6, "t": 6, "w": 3, "i": 6, "a": 3}
DISK = {"attack": 9, "counter": 9, "toughness": 9, "stamina": 3}
pytestmark = [pytest.mark.timeout(0), pytest.mark.skipif(CASES < MANY, reason=f"takes {MANY} fuzz cases or more")]
Terms = tuple[GameTrials, RulesConfig]


def terms(game: str) -> Terms:
    rules, trials = session.load_referee(game)
    return trials, session.resolve_config(rules, trials, (), ())


@pytest.mark.parametrize(
    ("game", "crowd_of"),
    [
        ("warcry", lambda dice: [Competitor(random_fighter(dice, number)) for number in range(SIZE)]),
        ("warniris", lambda dice: [Competitor(random_card(dice, number)) for number in range(SIZE)]),
        ("warniris", lambda dice: random_crowd(dice, SIZE)),
        ("warniris", kindred_crowd),
    ],
    ids=["warcry", "warniris", "warniris with effects", "warniris with similar effects"],
)
def test_fast_scores_are_those_of_fractions(game: str, crowd_of: Callable[[random.Random], list[Competitor]]) -> None:
    trials, config = terms(game)
    crowds, refused, dice = CASES // (SIZE * (SIZE - 1)), 0, dice_for(game)
    for _ in range(crowds):
        try:
            assert_same_scores(trials, crowd_of(dice), config)
        except TooManyPathsError:
            refused += 1
    assert refused <= crowds // 100 + 1


@pytest.mark.parametrize(("game", "numbers", "every"), [("skirmish", WARRIOR, 8), ("diskwars", DISK, 1)])
def test_duels_that_share_their_odds_are_those_of_two(game: str, numbers: dict[str, int], every: int) -> None:
    rules, _ = session.load_referee(game)
    trials, usual = terms(game)
    single = RulesConfig(usual.rulings, {**usual.policy, "forces": "one"})
    lookup = CardLookup(rules, (CARDS / game,))
    models = [lookup.card_data(entry) for entry in lookup.entries(trials.fighters)]
    dice = dice_for(game)
    for count in range(CASES // (SIZE * (SIZE - 1))):
        config = single if count % every else usual
        crowd = [Competitor(_variant(dice, dice.choice(models), numbers)) for _ in range(SIZE)]
        shared = [(pairing.wins, pairing.loses) for pairing in trials.round_robin(crowd, config)]
        assert shared == [_alone(trials, config, pair) for pair in combinations(crowd, 2)]


def _variant(dice: random.Random, model: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    """Return a card with other numbers; those that are written as text stay so."""
    values = {key: type(model[key])(dice.randint(1, most)) for key, most in numbers.items() if model.get(key)}
    return {**model, **values}


def _alone(trials: GameTrials, config: RulesConfig, pair: Sequence[Competitor]) -> tuple[Any, Any]:
    (pairing,) = trials.round_robin(pair, config)
    return pairing.wins, pairing.loses
