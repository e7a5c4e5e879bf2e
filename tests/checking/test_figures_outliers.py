"""Outliers: figures above the outer fence, of which only those are computed that matter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from cardgen.checking.figures import FigureRange, Outlier, Outliers


def outliers_of(figures: Mapping[str, Fraction | None]) -> Outliers:
    """Return the outliers of figures that are known."""

    def refuse(name: str) -> Fraction:
        raise AssertionError(name)

    return Outliers(figures.keys(), {name: FigureRange.exactly(each) for name, each in figures.items()}, refuse)


def test_a_figure_is_far_out_beyond_the_outer_fence_only() -> None:
    figures = {str(number): Fraction(number) for number in range(1, 9)} | {"near": Fraction(18), "far": Fraction(40)}
    spread = outliers_of(figures)
    assert spread.find("near") is None
    assert spread.find("far") == Outlier(Fraction(40), 1, 10, Fraction(1), Fraction(18))
    assert outliers_of(dict(list(figures.items())[:7])).find("7") is None
    assert spread.find("nobody") is None
    alike = dict.fromkeys("abcdefgh", Fraction(2))
    assert outliers_of({**alike, "i": Fraction(5)}).find("i") is None  # The range counts as half the median at least.
    assert outliers_of({**alike, "i": Fraction(6)}).find("i") is not None


_FIGURE = st.none() | st.fractions(0, 9, max_denominator=6) | st.fractions(0, 60, max_denominator=2)
_SPREAD = st.tuples(_FIGURE, st.fractions(0, 3, max_denominator=4), st.fractions(0, 9, max_denominator=4) | st.none())


@given(st.dictionaries(st.integers(0, 60).map(str), _SPREAD, max_size=40), st.integers(0, 60))
def test_bounds_change_nothing_of_what_is_found(
    spreads: dict[str, tuple[Fraction | None, Fraction, Fraction | None]], share: int
) -> None:
    figures = {name: figure for name, (figure, *_) in spreads.items()}
    ranges = {
        name: FigureRange(
            max(Fraction(0), (figure or Fraction(0)) - below), inf if above is None else (figure or 0) + above
        )
        for name, (figure, below, above) in spreads.items()
    }
    mine = [name for name in figures if int(name) <= share]
    late, early = Outliers(mine, ranges, figures.__getitem__), outliers_of(figures)
    assert [late.find(name) for name in mine] == [early.find(name) for name in mine]


def test_only_figures_that_matter_are_computed() -> None:
    computed = list[str]()
    figures = {str(number): Fraction(number) for number in range(1, 99)}
    wide = {name: FigureRange(figure - Fraction(1, 2), figure + 9) for name, figure in figures.items()}

    def compute(name: str) -> Fraction:
        computed.append(name)
        return figures.get(name, Fraction(1000))

    assert Outliers(figures.keys(), wide, compute).find("98") is None
    assert computed == []
    far = Outliers(["far"], {**wide, "far": FigureRange(Fraction(1), inf)}, compute).find("far")
    assert far == Outlier(Fraction(1000), 1, 99, Fraction(1), Fraction(98))
    assert computed[0] == "far"
    assert len(computed) < 25
