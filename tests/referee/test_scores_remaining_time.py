"""Estimates of the remaining time, on a clock that is not real."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

import pytest

from cardgen.referee.scores import RemainingTime, Work
from cardgen.rulesets.duels import WorkCount
from tests.cases import each_case

SIZE = 200
# The seconds of each kind of work on computers like and unlike the usual one.
SPEEDS = {
    "usual": Work(7e-4, 3e-5, 8e-6, 1.5e-2),
    "slow": Work(5e-3, 2e-4, 6e-5, 1e-1),
    "cheap attacks": Work(3e-4, 3e-5, 2e-5, 1.5e-2),
    "dear chains": Work(7e-4, 3e-5, 8e-6, 9e-2),
}


def fighters(kind: str) -> list[tuple[int, tuple[int, int]] | None]:
    """Return fighters of which all, some, or none race; most attackers differ, and few targets."""
    racers = {"races": 1, "mixed": 3, "chains": SIZE + 1}[kind]
    return [
        None if racers > 1 and number % racers != 1 else (number, (number % 20, number % 7)) for number in range(SIZE)
    ]


def works(kind: str) -> list[Work]:
    count = WorkCount(fighters(kind))
    return [count.work(number, range(number + 1, SIZE)) for number in range(SIZE - 1)]


def cost(work: Work, speed: Work) -> float:
    return sum(one * seconds for one, seconds in zip(work, speed, strict=True))


@each_case("kind", ["races", "mixed", "chains"])
@each_case("speed", SPEEDS.values(), ids=SPEEDS)
def test_estimates_are_honest_from_the_first_rows_on(kind: str, speed: Work) -> None:
    rows = works(kind)
    ends = [*accumulate((cost(work, speed) for work in rows), initial=100.0)]
    remaining, slack = RemainingTime(lambda: rows, 1, ends[0]), (ends[-1] - ends[0]) / 50
    for number, now in enumerate(ends[1:], 1):
        remaining.add(now)
        left = ends[-1] - now
        if number in (3, 10, 30, 100, 150):
            assert left / 1.7 - slack < remaining.seconds() < left * 1.7 + slack
    assert remaining.seconds() == 0


def test_several_processes_take_rows_in_turn() -> None:
    """Rows come in pairs, the second of which took no time of its own; processes start during the first pair."""
    rows = [Work(chains=10)] * 60
    remaining = RemainingTime(lambda: rows, 2, 0.0)
    estimates = []
    for number in range(59):
        remaining.add(9.0 + number // 2)
        estimates.append((remaining.seconds(), 9.0 + 29 - (9.0 + number // 2)))
    for estimate, left in estimates[5:-2]:
        assert abs(estimate - left) <= 1.1


def test_work_is_counted_only_for_an_estimate() -> None:
    calls: list[int] = []

    def count() -> Sequence[Work]:
        calls.append(1)
        return [Work(races=1)] * 4

    remaining = RemainingTime(count, 1, 0.0)
    for now in (1.0, 2.0, 3.0):
        remaining.add(now)
    assert not calls
    assert remaining.seconds() == pytest.approx(1.0, rel=0.1)
    assert remaining.seconds() == pytest.approx(1.0, rel=0.1)
    assert calls == [1]


def test_attacks_are_new_once_for_each_process() -> None:
    racers: list[tuple[int, tuple[int, int]] | None] = [(number, (0, number % 2)) for number in range(4)]
    everybody: Callable[[int], range] = lambda number: range(number + 1, 4)  # noqa: E731
    one = WorkCount(racers)
    assert [one.work(number, everybody(number)) for number in range(3)] == [
        # 0 attacks the others, and they attack 0: targets do not differ but in their Wounds.
        Work(attacks=4, assaults=2 + 3, races=3),
        Work(attacks=0, assaults=2 + 1, races=2),
        Work(attacks=0, assaults=0, races=1),
    ]
    assert WorkCount(racers).work(2, everybody(2)) == Work(attacks=2, assaults=2, races=1)
