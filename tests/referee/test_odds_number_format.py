from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.referee.odds import bar, decimal, percent, short_fraction


@given(st.fractions(-1000, 1000), st.integers(0, 15))
def test_decimals_are_rounded_as_decimal_does(value: Fraction, digits: int) -> None:
    with localcontext() as context:
        context.prec = 60
        expected = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(
            Decimal(1).scaleb(-digits), ROUND_HALF_EVEN
        )
    assert Decimal(decimal(value, digits)) == expected
    assert len(decimal(value, digits).partition(".")[2]) == digits


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(1, 3), "33.3 %"), (Fraction(1, 10**6), "<0.1 %"), (1 - Fraction(1, 10**6), ">99.9 %"),
     (Fraction(0), "0.0 %"), (Fraction(1), "100.0 %")],
)  # fmt: skip
def test_what_is_not_certain_never_reads_as_certain(value: Fraction, text: str) -> None:
    assert percent(value) == text


def test_bars_and_long_fractions() -> None:
    assert bar(Fraction(1), 5) == "█████"
    assert bar(Fraction(0), 5) == "     "
    assert bar(Fraction(1, 2), 5) == "██▌  "
    assert short_fraction(Fraction(5, 9)) == "5/9"
    assert short_fraction(Fraction(1, 10**20)) == ""
