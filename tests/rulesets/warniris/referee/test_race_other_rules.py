"""Under other rules, crowds still have the scores of single duels, and those the odds of the same duels when played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from cardgen.referee import requests
from cardgen.referee.odds import TooManyPathsError, odds
from cardgen.referee.requests import Test as DieTest
from cardgen.referee.trial import Competitor
from cardgen.rulesets.warniris.referee import duel, modifiers
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.trials import TRIALS
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import table, terms
from tests.rulesets.warniris.referee.test_race import random_card, random_crowd

# Crowds under each of the rules; `make fuzz` raises the number.
CROWDS = number_of_cases(2, 0.01)
Patch: TypeAlias = pytest.MonkeyPatch
Events: TypeAlias = Iterator[tuple[str, int]]


def two_reactions(patch: Patch) -> None:
    patch.setattr(Game, "REACTIONS_PER_TURN", 2)


def no_reactions(patch: Patch) -> None:
    patch.setattr(Game, "REACTIONS_PER_TURN", 0)


def three_actions(patch: Patch) -> None:
    patch.setattr(duel, "ACTIONS_PER_ACTIVATION", 3)


def another_die(patch: Patch) -> None:
    """Whoever is tested for Spirit throws a D8."""
    usual = modifiers.attribute_test

    def test(*given: Any, **more: Any) -> DieTest:
        made = usual(*given, **more)
        return replace(made, sides=8) if made.basis.startswith("Spirit") else made

    patch.setattr(modifiers, "attribute_test", test)


def sides_by_turns(patch: Patch) -> None:
    """Who goes first in a turn goes second in the next one."""
    usual = Duel.events

    def events(one: Duel, first: int) -> Events:
        turn = 0
        for name, who in usual(one, first):
            yield name, who if turn % 2 == 0 else 1 - who
            turn += name == "dusk"

    patch.setattr(Duel, "events", events)


def actions_by_turns(patch: Patch) -> None:
    """Each side takes one of its actions, and then the other side one."""
    usual = Duel.events

    def events(one: Duel, first: int) -> Events:
        turn: list[tuple[str, int]] = []
        for name, who in (*usual(one, first), ("", 0)):
            if "dusk" in name or not name:
                actions = [each for each in turn if each[0] == "action"]
                half = len(actions) // 2
                yield from (each for each in turn if each[0] in ("dawn", "start"))
                yield from (each for pair in zip(actions[:half], actions[half:], strict=True) for each in pair)
                yield from (each for each in turn if each[0] == "end")
                turn = []
                if name:
                    yield name, who
            else:
                turn.append((name, who))

    patch.setattr(Duel, "events", events)


RULES = [two_reactions, no_reactions, three_actions, another_die, sides_by_turns, actions_by_turns]
EQUAL = [
    {"kind": "character", "name": f"C{mind}", "stats": {"M": mind, "B": 3, "S": 4, "W": 5, "Mo": 10},
     "weapons": [{"Axe": "CW R1 P1 D2"}, {"Ray": "P R12 P2 D1"}]}
    for mind in (2, 3, 4)
]  # fmt: skip


def winners(rule: Callable[[Patch], None] | None) -> Any:
    """Return the odds of who wins of two, the first of whom begins, under a rule."""
    with pytest.MonkeyPatch.context() as patch:
        if rule:
            rule(patch)
        fight = Duel(table(EQUAL[0], EQUAL[2], records=False))
        return fight.odds(0).map(fight.winner)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_matters(rule: Callable[[Patch], None]) -> None:
    assert winners(rule) != winners(None)


@pytest.mark.share(3)
@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
@pytest.mark.parametrize("rule", RULES)
def test_crowds_have_the_scores_of_single_duels_under_other_rules(
    rule: Callable[[Patch], None], monkeypatch: Patch
) -> None:
    rule(monkeypatch)
    dice, checked = dice_for(rule.__name__), 0
    for _ in range(CROWDS):
        checked += _is_checked([Competitor(random_card(dice, number, 6)) for number in range(4)])
        checked += _is_checked(random_crowd(dice))
    assert checked > CROWDS
    assert_same_scores(TRIALS, [*map(Competitor, EQUAL)], terms())


def _is_checked(crowd: list[Competitor]) -> bool:
    """Check a crowd, unless its duels have too many paths."""
    try:
        assert_same_scores(TRIALS, crowd, terms())
    except TooManyPathsError:
        return False
    return True


@pytest.mark.share(3)
@pytest.mark.parametrize("rule", RULES)
def test_single_duels_have_the_odds_of_the_same_duels_when_played(
    rule: Callable[[Patch], None], monkeypatch: Patch
) -> None:
    """A chain looks at states through bounds, and the enumeration of all dice does not."""
    rule(monkeypatch)
    dice = random.Random(rule.__name__)
    for _ in range(4):
        pair = [random_card(dice, number, 6) for number in range(2)]
        of_chain = Duel(table(*pair, records=False), turns=1)
        for first in (0, 1):
            assert of_chain.odds(first) == odds(Duel(table(*pair, records=False), turns=1).play, first)


def test_without_fast_paths_the_odds_of_a_duel_are_the_same(monkeypatch: Patch) -> None:
    pair = EQUAL[0], EQUAL[2]
    bounded = Duel(table(*pair, records=False), turns=2).odds(0)
    monkeypatch.setattr(requests, "FAST", False)
    assert requests.clamp_counters((5, 7), (1, None)) == (5, 7)
    assert Duel(table(*pair, records=False), turns=2).odds(0) == bounded
