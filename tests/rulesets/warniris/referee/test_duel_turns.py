"""Effects of certain turns in duels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.trial import Competitor
from cardgen.rulesets.warniris.trials import TRIALS
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import card, case, terms

# Each attack of the bearer wounds 4 times in 9, and 5 times with one more Mind, against Body 3 and Penetration 1.
GUN = "Gun: RW R20 P1 D1"
WOUNDS, WOUNDS_MORE = Fraction(4, 9), Fraction(5, 9)


def gunner(name: str, *effects: dict[str, Any]) -> dict[str, Any]:
    abilities = [{"name": "Ability", "effects": [each]} for each in effects]
    return card(name, "M4 B3 S3 W30", GUN, abilities=abilities)


def mean_vp(turns: int, *effects: dict[str, Any]) -> Fraction:
    """Return the mean VP of the bearer of effects, to whom nobody reacts and whom nobody can eliminate."""
    duel = case("duel", None, {"reactions": "never"}, a=gunner("A", *effects), b=gunner("B"), turns=turns)
    assert duel.odds is not None
    assert duel.not_simulated == ()
    (mean,) = (value for each in duel.odds() for name, value in each.means if (name, each.title) == _MEAN)
    return mean


_MEAN = ("mean VP of A", "VP of A, A goes first")


@pytest.mark.parametrize(
    ("effect", "applied"),
    [
        ({"if": {"turns": [1]}, "bearer": {"mind": 1}}, 1),
        ({"if": {"turns": [2, 3]}, "bearer": {"mind": 1}}, 2),
        ({"if": {"turns": [6]}, "bearer": {"mind": 1}}, 0),
        ({"when": "attacking", "if": {"turns": [3]}, "bearer": {"mind": 1}}, 1),
        ({"when": "turn_start", "if": {"turns": [2]}, "for": "turn", "bearer": {"mind": 1}}, 1),
        ({"when": "turn_end", "if": {"turns": [1]}, "for": "next-turn", "bearer": {"mind": 1}}, 1),
        ({"when": "battle_start", "if": {"turns": [1]}, "for": "battle", "bearer": {"mind": 1}}, 3),
        ({"when": "activation_start", "if": {"turns": [2]}, "for": "battle", "bearer": {"mind": 1}}, 2),
    ],
    ids=str,
)
def test_an_effect_applies_in_its_turns(effect: dict[str, Any], applied: int) -> None:
    assert mean_vp(3, effect) == 2 * (applied * WOUNDS_MORE + (3 - applied) * WOUNDS)


@pytest.mark.share(3)
@pytest.mark.parametrize(
    "effect",
    [
        {"if": {"turns": [1]}, "bearer": {"mind": 2}},
        {"when": "attacked", "if": {"turns": [2]}, "bearer": {"body": 2}},
        {"when": "damaged", "if": {"turns": [1, 2]}, "bearer": {"ignore": 1}},
        {"when": "damaged", "if": {"turns": [3], "roll": [1, 2, 3]}, "bearer": {"ignore": 1}},
        {"when": "turn_start", "if": {"turns": [2, 4]}, "for": "turn", "bearer": {"damage": 1}},
        {"when": "activation_start", "if": {"turns": [5]}, "bearer": {"heal": 2}},
        {"when": "eliminated", "if": {"turns": [1]}, "enemies": {"deal": 1}},
    ],
    ids=str,
)
def test_crowds_count_turns_as_duels_do(effect: dict[str, Any]) -> None:
    plain = [card(name, stats, "Axe: CW R1 P1 D2") for name, stats in (("Ash", "M4 B3 S3 W4"), ("Elm", "M3 B4 S3 W3"))]
    relic = {"kind": "relic", "name": "Relic", "effects": [effect]}
    assert_same_scores(TRIALS, [*map(Competitor, plain), *(Competitor(each, relic) for each in plain)], terms())
