from __future__ import annotations

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.referee.die import Die, mixture, uniform

WEIGHTS = st.dictionaries(st.integers(-5, 5), st.integers(0, 50), min_size=1).filter(lambda w: any(w.values()))


@given(WEIGHTS)
def test_chances_sum_to_one_and_the_mean_is_icepools(weights: dict[int, int]) -> None:
    die = Die.of(weights)
    assert sum(chance for _, chance in die) == 1
    assert die.mean(int) == icepool.Die({k: w for k, w in weights.items() if w}).mean()


@given(WEIGHTS, st.integers(1, 9))
def test_dice_with_the_same_chances_are_equal(weights: dict[int, int], factor: int) -> None:
    other = Die.of({outcome: weight * factor for outcome, weight in reversed(weights.items())})
    assert Die.of(weights) == other
    assert hash(Die.of(weights)) == hash(other)


@given(WEIGHTS, WEIGHTS)
def test_then_is_icepools_sum(one: dict[int, int], other: dict[int, int]) -> None:
    ours = Die.of(one).flat_map(lambda a: Die.of(other).map(lambda b: a + b))
    theirs = icepool.Die(one) + icepool.Die(other)
    assert dict(ours) == {k: Fraction(w, theirs.denominator()) for k, w in theirs.items() if w}


def test_mixing_dice_of_different_totals() -> None:
    assert dict(mixture([(uniform(2), 1), (uniform(3), 1)])) == {
        1: Fraction(5, 12),
        2: Fraction(5, 12),
        3: Fraction(1, 6),
    }


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: -1, 2: 2}])
def test_weights_that_no_die_has(weights: dict[int, int]) -> None:
    with pytest.raises(ValueError, match="weight"):
        Die.of(weights)
