from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import pytest

from cardgen.referee.die import Die
from cardgen.referee.markov_chain import State, Step, Transition
from cardgen.referee.odds import odds
from cardgen.referee.play import LogEntry, roll
from cardgen.referee.requests import Procedure, Test
from cardgen.referee.trial import OddsTable
from cardgen.rulesets.duels import ExactDuel, copies_by_points, round_robin_pairings


class Volley(ExactDuel[tuple[int, int]]):
    """Two who strike in turn and hit on so much or less; the counters are their lives."""

    def __init__(self, one: int, other: int, rounds: int = 2) -> None:
        super().__init__((f"Hits on {one}", f"Hits on {other}"))
        self.needs, self.rounds = (one, other), rounds

    def initial_state(self) -> State:
        return None, (1, 1)

    def steps(self, first: int) -> Iterator[Step]:
        for _ in range(self.rounds):
            for who in (first, 1 - first):
                yield self.chain.step(f"strike {who}", [Transition(who, partial(self._strike, who))])

    def _strike(self, who: int, state: State) -> Procedure[State]:
        hit = yield Test("hit", self.names[who], "hits", self.needs[who])
        left = list(state[1])
        left[1 - who] -= bool(hit)
        return None, (left[0], left[1])

    def is_over(self, state: State) -> bool:
        return not all(state[1])

    def outcome(self, state: State) -> tuple[int, int]:
        return state[1][0], state[1][1]

    def winner(self, outcome: tuple[int, int]) -> int | None:
        return None if outcome[0] == outcome[1] else outcome.index(1)

    def outcome_lines(self, outcome: tuple[int, int]) -> tuple[str, ...]:
        return (f"{outcome[0]} to {outcome[1]}",)

    def tables(self, die: Die[tuple[int, int]], title: str) -> Iterator[OddsTable]:
        yield OddsTable(title, self.win_rows(die, "nobody"))


@pytest.mark.parametrize("first", [0, 1])
def test_odds_are_those_of_the_play(first: int) -> None:
    duel = Volley(2, 3)
    assert dict(duel.odds(first)) == dict(odds(duel.play, first))


def test_the_trial_has_a_table_for_each_order() -> None:
    prepared = Volley(3, 6, rounds=1).prepare("b", ["rain"])
    assert prepared.title == "Hits on 3 against Hits on 6"
    assert prepared.not_simulated == ("rain",)
    assert prepared.odds is not None
    one, other = prepared.odds()
    half = Fraction(1, 2)
    assert one == OddsTable(
        "Hits on 3 goes first", (("Hits on 3 wins", half), ("Hits on 6 wins", half), ("nobody", Fraction(0)))
    )
    assert other.parts[1] == ("Hits on 6 wins", Fraction(1))
    told: list[LogEntry] = []
    assert prepared.outcome_data(roll(prepared.start(), "seed", told.append)) == [0, 1]
    assert [each.path for each in told if not isinstance(each, str)] == ["strike 1/hit"]


def test_both_orders_of_a_pair_count_alike() -> None:
    (pairing,) = round_robin_pairings([3, 6], lambda one, other: Volley(one, other, rounds=1))
    assert (pairing.one, pairing.other, pairing.wins, pairing.loses) == (0, 1, Fraction(1, 4), Fraction(3, 4))


def test_equal_points_buy_equal_forces() -> None:
    assert [copies_by_points(*points) for points in ((5, 5), (5, 10), (30, 10), (7, 10), (0, 5))] == [
        (1, 1), (2, 1), (1, 3), (3, 2), (1, 1),
    ]  # fmt: skip
