"""Strength against cost: outliers on both sides, groups, counters."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from cardgen.balance.report import BalanceReport
from cardgen.balance.strengths import Strengths, fit_curve
from cardgen.balance.tables import as_text
from cardgen.referee.scores import StrengthFit
from tests.balance.fighters import CHEAP, DEAR


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


def test_counters_are_those_of_a_search_through_all_pairs(report: BalanceReport) -> None:
    balance, costs = report.balance, report.strengths.costs
    places = range(len(balance.names))
    for each in report.strengths.standings:
        its_cost = each.cost
        assert its_cost is not None
        wins = {other: balance.scores[other][each.place] for other in places if other != each.place}
        best = {other: score for other, score in wins.items() if score is not None and score > Fraction(1, 2)}
        cheap = {
            other: score for other, score in best.items() if (cost := costs[other]) is not None and cost <= its_cost
        }
        for counter, expected in ((each.counter, best), (each.cheap_counter, cheap)):
            assert (counter is None) == (not expected)
            assert counter is None or expected[counter] == max(expected.values())


def test_a_card_whose_worth_is_far_outside_all_costs_has_none(report: BalanceReport) -> None:
    """A line that is almost flat prices strong cards at millions."""
    flat = StrengthFit(slope=0.05, intercept=-0.2, deviation=0.1)
    strengths = Strengths(report.balance, report.strengths.costs, report.strengths.fields)
    strengths.__dict__["fit"] = flat
    low, high = strengths.cost_limits
    assert (low, high) == (30, 344)
    worths = {each.place: each.usual_cost for each in strengths.standings}
    assert None in worths.values()
    assert all(worth is None or low <= worth <= high for worth in worths.values())
    changed = replace(report, strengths=strengths)
    lines = as_text(changed)
    assert any(line.endswith("worth far more than any card; best counter: N8") for line in lines)
    assert not any("worth about 0" in line for line in lines)
