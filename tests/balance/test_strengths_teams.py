"""Teams: battles of lines, exact for given teams, and estimates with their errors."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from cardgen.balance.report import BalanceReport
from cardgen.balance.strengths import Strengths, TeamRequest, line_battle, simulate_teams
from cardgen.diagnostic import CardgenError


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


Line = tuple[int, ...]


def all_teams(recruits: dict[int, float], points: float) -> Iterator[tuple[Line, float]]:
    """Yield every team of a group in every order, with its chance."""
    affordable = [place for place, cost in recruits.items() if cost <= points]
    if not affordable:
        yield (), 1.0
    for place in affordable:
        for rest, chance in all_teams(recruits, points - recruits[place]):
            yield (place, *rest), chance / len(affordable)


def test_estimates_are_those_of_all_teams(report: BalanceReport) -> None:
    """All teams of up to 200 points of two groups against each other, each with its chance."""
    strengths, points = report.strengths, 200.0
    groups = {group.value: group.places for group in strengths.groups if group.field == "faction"}
    sides = []
    for name in ("chaos", "order"):
        costs = {place: cost for place in groups[name] if (cost := strengths.costs[place]) is not None}
        sides.append([*all_teams(costs, points)])
    assert sum(chance for _, chance in sides[0]) == pytest.approx(1)
    assert 3 in {len(team) for team, _ in sides[0]}
    rows = strengths.float_rows
    exact = sum(
        chance * its_chance * line_battle([[rows[a][b] for b in other] for a in one])
        for one, chance in sides[0]
        for other, its_chance in sides[1]
    )
    (chaos,) = [each for each in simulate(strengths, TeamRequest(points, samples=3000)) if each.group == "chaos"]
    assert abs(chaos.against["order"].chance - exact) < 2 * chaos.against["order"].error < 0.05
    assert chaos.overall.chance == pytest.approx((chaos.against["order"].chance + chaos.against["death"].chance) / 2)
