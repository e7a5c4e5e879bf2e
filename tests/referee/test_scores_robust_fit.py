from __future__ import annotations

import random
from math import exp, log

import pytest

from cardgen.referee.scores import StrengthFit, rank_correlation


def strength_of(cost: float, off: float = 0.0) -> float:
    return 1 / (1 + exp(-(2 * log(cost / 100) + off)))


def cards(outliers: int = 0) -> list[tuple[float, float]]:
    dice = random.Random(3)
    ordinary = [(cost, strength_of(cost, dice.gauss(0, 0.2))) for cost in range(40, 240, 2)]
    return ordinary + [(50.0, 0.99)] * outliers


def test_the_fit_finds_the_line() -> None:
    fit = StrengthFit.of(cards())
    assert fit
    assert fit.slope == pytest.approx(2, abs=0.15)
    assert fit.expected(100) == pytest.approx(0.5, abs=0.03)
    assert fit.deviation == pytest.approx(0.2, abs=0.05)


def test_a_quarter_of_outliers_hardly_moves_the_line() -> None:
    with_outliers, without = StrengthFit.of(cards(25)), StrengthFit.of(cards())
    assert with_outliers
    assert without
    assert with_outliers.expected(100) == pytest.approx(without.expected(100), abs=0.08)
    assert with_outliers.side(50, 0.99) == "strong"


def test_cards_outside_the_band_are_on_one_side() -> None:
    fit = StrengthFit.of(cards())
    assert fit
    low, high = fit.band(100)
    assert low < fit.expected(100) < high
    assert [fit.side(100, each) for each in (low - 0.01, low + 0.001, high - 0.001, high + 0.01)] == [
        "weak", "", "", "strong",
    ]  # fmt: skip
    assert fit.deviations(100, fit.expected(100)) == pytest.approx(0, abs=1e-9)
    assert fit.deviations(100, high) == pytest.approx(2)


def test_the_cost_of_a_strength_is_the_inverse() -> None:
    fit = StrengthFit.of(cards())
    assert fit
    cost = fit.usual_cost(0.7)
    costs = fit.ordinary_costs(0.7)
    assert cost
    assert costs
    assert fit.expected(cost) == pytest.approx(0.7)
    assert fit.band(costs[0])[1] == pytest.approx(0.7)
    assert fit.band(costs[1])[0] == pytest.approx(0.7)


@pytest.mark.parametrize(
    "few", [[], [(10, 0.5)] * 9, [(10, 0.5), (20, 0.6)] * 9, [(0, 0.1), (-3, 0.2), (5, 0.3), (6, 0.4), (7, 0.5)]]
)
def test_too_few_costs_have_no_fit(few: list[tuple[float, float]]) -> None:
    assert StrengthFit.of(few) is None


def test_certain_winners_and_losers_have_a_fit() -> None:
    fit = StrengthFit.of([(10, 0.0), (20, 0.0), (30, 0.5), (40, 1.0), (50, 1.0)])
    assert fit
    assert 0 < fit.expected(1e-9) < fit.expected(1e9) < 1 or fit.expected(1e9) == 1


def test_a_fit_without_a_slope_prices_nothing() -> None:
    fit = StrengthFit.of([(cost, 0.5) for cost in range(10, 60, 10)])
    assert fit
    assert (fit.usual_cost(0.5), fit.ordinary_costs(0.5), fit.deviations(10, 0.5), fit.side(10, 0.5)) == (
        None, None, 0.0, "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pairs", "correlation"),
    [
        ([(1, 2), (2, 30), (3, 31)], 1.0),
        ([(1, 3), (2, 2), (3, 1)], -1.0),
        ([(1, 5), (1, 5), (2, 5)], None),
        # Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: 4.5 / sqrt(4.5 * 5).
        ([(1, 1), (2, 3), (2, 2), (9, 4)], 0.9486832980505138),
    ],
)
def test_rank_correlation(pairs: list[tuple[float, float]], correlation: float | None) -> None:
    assert rank_correlation(pairs) == (None if correlation is None else pytest.approx(correlation))
