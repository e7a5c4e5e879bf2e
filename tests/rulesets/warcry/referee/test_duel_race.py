"""Races and joint chains give the same scores."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from cardgen.referee.trial import Competitor
from cardgen.rulesets.warcry.referee import duel
from cardgen.rulesets.warcry.referee.duel import FighterDuel, crowd
from cardgen.rulesets.warcry.trials import TRIALS
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warcry.referee.fights import fighter, terms

# Pairs of each policy; `make fuzz` raises the number.
PAIRS = number_of_cases(20, 0.2)
CROWD = 5


def random_fighter(dice: random.Random, number: int) -> dict[str, object]:
    stats = f"M{dice.randint(3, 8)} T{dice.randint(2, 6)} W{dice.randint(1, 14)}"
    lines = [
        f"W{n}: sword R{dice.choice(['1', '1', '2', '3', '3-12', '12'])} A{dice.randint(1, 4)} "
        f"S{dice.randint(2, 6)} D{dice.randint(0, 3)}/{dice.randint(1, 6)}"
        for n in range(dice.randint(1, 2))
    ]
    return fighter(f"F{number}", stats, *lines)


@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
@pytest.mark.parametrize("rulings", [{}, {"counter-ones": "each", "rounds": "three"}], ids=str)
@pytest.mark.parametrize("reactions", ["first", "never"])
def test_crowds_have_the_scores_of_single_duels(reactions: str, rulings: dict[str, str]) -> None:
    dice = dice_for(f"{reactions} {rulings}")
    config = terms(rulings, {"reactions": reactions})
    for _ in range(0, PAIRS, CROWD * (CROWD - 1) // 2):
        assert_same_scores(TRIALS, [Competitor(random_fighter(dice, number)) for number in range(CROWD)], config)


def test_the_same_numbers_under_other_names_are_one_class() -> None:
    twins = [Competitor(fighter(name, "M4 T4 W12", f"{name}'s Axe: axe R1 A3 S4 D1/4")) for name in ("Ash", "Elm")]
    result = crowd([*twins, Competitor(fighter("Oak", "M4 T5 W12"))], terms())
    assert result.classes == (0, 0, 1)
    assert [len(row) for row in result.rows] == [2, 1]


@pytest.mark.parametrize("change", [{"reroll": "misses"}, {"critical_face": 5}, {"critical_face": "hit"}], ids=str)
def test_a_blessing_of_hit_rolls_tells_fighters_apart(change: dict[str, object]) -> None:
    blessing = {"kind": "blessing", "name": "Zeal", "points": {"regular": 5, "elite": 10}}
    plain = fighter("Ash", "M4 T4 W12", "Axe: axe R1 A3 S4 D1/4")
    zealous = Competitor(plain, {**blessing, "changes": [{"of": "self", "weapon": "any", **change}]})
    assert_same_scores(TRIALS, [Competitor(plain), zealous], terms())


@pytest.mark.parametrize("rule", ["two reactions", "three actions", "actions by turns"])
def test_crowds_have_the_scores_of_single_duels_under_other_rules(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = FighterDuel.actions

    def by_turns(one: FighterDuel, first: int) -> Iterator[tuple[int, int]]:
        actions = [*usual(one, first)]
        half = len(actions) // one.rounds
        for start in range(0, len(actions), half):
            turn = actions[start : start + half]
            yield from (*turn[::2], *turn[1::2])

    if rule == "two reactions":
        monkeypatch.setattr(duel, "_has_reactions", lambda _: 2)
    elif rule == "three actions":
        monkeypatch.setattr(duel, "ACTIONS", 3)
    else:
        monkeypatch.setattr(FighterDuel, "actions", by_turns)
    dice = random.Random(rule)
    assert_same_scores(TRIALS, [Competitor(random_fighter(dice, number)) for number in range(4)], terms())
