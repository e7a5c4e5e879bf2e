"""Teams: battles of lines, exact for given teams, and estimates with their errors."""

from __future__ import annotations

import random

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.referee.balance.report import BalanceReport
from cardgen.pipeline.referee.balance.strengths import Strengths
from cardgen.pipeline.referee.balance.teams import TeamRequest, line_battle, simulate_teams


def rolled(scores: list[list[float]], dice: random.Random) -> bool:
    """One battle, duel by duel."""
    one = other = 0
    while one < len(scores) and other < len(scores[0]):
        if dice.random() < scores[one][other]:
            other += 1
        else:
            one += 1
    return one < len(scores)


def test_a_line_of_duels_has_the_frequency_of_rolled_ones() -> None:
    dice = random.Random(1)
    scores = [[dice.random() for _ in range(3)] for _ in range(4)]
    share = sum(rolled(scores, dice) for _ in range(20_000)) / 20_000
    assert line_battle(scores) == pytest.approx(share, abs=0.012)
    back = [[1 - scores[row][column] for row in range(4)] for column in range(3)]
    assert line_battle(back) == pytest.approx(1 - line_battle(scores))


def test_the_shortest_lines() -> None:
    assert line_battle([[0.3]]) == pytest.approx(0.3)
    assert line_battle([[0.5], [0.5]]) == pytest.approx(0.75)


def test_estimates_of_both_sides_agree(report: BalanceReport) -> None:
    teams = {each.group: each for each in report.teams}
    assert teams.keys() == {"chaos", "order", "death"}
    one, other = teams["chaos"].against["order"], teams["order"].against["chaos"]
    assert one.chance + other.chance == pytest.approx(1)
    assert one.error == pytest.approx(other.error)
    assert [each.overall.chance for each in report.teams] == sorted(
        (each.overall.chance for each in report.teams), reverse=True
    )


def test_an_error_holds(report: BalanceReport) -> None:
    """Against a much larger sample, at least 16 of 20 estimates are within their errors, of which 19 are expected."""
    many = {each.group: each for each in simulate(report.strengths, TeamRequest(250, samples=4000))}
    hits = 0
    for seed in range(20):
        few = simulate(report.strengths, TeamRequest(250, samples=40, seed=str(seed)))
        (chaos,) = [each for each in few if each.group == "chaos"]
        hits += abs(chaos.overall.chance - many["chaos"].overall.chance) <= chaos.overall.error
    assert hits >= 16


def simulate(strengths: Strengths, request: TeamRequest):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return simulate_teams(strengths, request, lambda *_: None)


def test_a_group_without_affordable_cards_has_no_teams(report: BalanceReport) -> None:
    assert {each.group for each in simulate(report.strengths, TeamRequest(100, samples=2))} == {"chaos", "order"}
    with pytest.raises(CardgenError, match="at least two groups"):
        simulate(report.strengths, TeamRequest(60, samples=2))
    sizes = simulate(report.strengths, TeamRequest(members=2, samples=5))
    assert {each.group for each in sizes} == {"chaos", "order", "death"}
