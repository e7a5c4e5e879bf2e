"""Strength against cost: outliers on both sides, groups, counters."""

from __future__ import annotations

from cardgen.pipeline.referee.balance.report import BalanceReport
from cardgen.pipeline.referee.balance.strengths import fit_curve
from tests.pipeline.referee.balance.fighters import CHEAP, DEAR


def test_outliers_are_named_on_both_sides(report: BalanceReport) -> None:
    names = report.balance.names
    assert [names[each.place] for each in report.strengths.outliers("strong")] == [CHEAP]
    assert [names[each.place] for each in report.strengths.outliers("weak")] == [DEAR]
    cheap = report.strengths.outliers("strong")[0]
    assert cheap.usual_cost
    assert cheap.cost == 60 < cheap.usual_cost


def test_the_counter_is_the_hardest_opponent(report: BalanceReport) -> None:
    strengths = report.strengths
    for each in strengths.standings:
        scores = {other: score for other, score in enumerate(report.balance.scores[each.place]) if score is not None}
        if each.counter is not None:
            assert scores[each.counter] == min(scores.values()) < 0.5
        if each.cheap_counter is not None:
            its_cost, cost = strengths.costs[each.cheap_counter], each.cost
            assert its_cost is not None
            assert cost is not None
            assert its_cost <= cost
            assert scores[each.cheap_counter] < 0.5
        if each.victim is not None:
            assert scores[each.victim] == max(scores.values()) > 0.5
    assert strengths.standings[0].place == report.balance.ranking[0][0]


def test_groups_have_means_and_outliers(report: BalanceReport) -> None:
    groups = {group.value: group for group in report.strengths.groups if group.field == "faction"}
    assert {value: len(group.places) for value, group in groups.items()} == {"chaos": 6, "order": 4, "death": 1}
    death = groups["death"]
    assert (death.strong, death.weak, death.best) == (0, 1, death.worst)
    assert death.surplus is not None
    assert death.surplus < 0


def test_the_curve_spans_the_costs(report: BalanceReport) -> None:
    curve = [*fit_curve(report.strengths)]
    assert (curve[0][0], curve[-1][0]) == (60, 172)
    assert all(low <= expected <= high for _, expected, low, high in curve)
