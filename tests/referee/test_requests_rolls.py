"""Common rolls: needs, sums, and roll-offs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import ignore_events, play
from cardgen.referee.requests import Procedure, Roll, at_least, at_most, roll_off, roll_sum


def _result(die: Roll) -> Procedure[bool]:
    return bool((yield die))


@pytest.mark.parametrize(
    ("die", "chance"),
    [
        (at_least("k", "A", "to hit", 5), Fraction(1, 3)),
        (at_most("k", "A", "to hold", 5), Fraction(5, 6)),
        (at_least("k", "A", "to hit", 8, 10), Fraction(3, 10)),
    ],
)
def test_needs(die: Roll, chance: Fraction) -> None:
    assert odds(_result, die).chance_of(True) == chance


def test_a_need_names_itself() -> None:
    assert at_least("k", "A", "to hit", 5).what == "to hit, 5 or more"
    assert at_most("k", "A", "to hold", 5).what == "to hold, 5 or less"


def test_the_sum_of_two_dice() -> None:
    assert odds(roll_sum, 2, "k", "A", "flight").chance_of(7) == Fraction(1, 6)
    assert odds(roll_sum, 2, "k", "A", "flight", 4).chance_of(8) == Fraction(1, 16)


@pytest.mark.parametrize(("faces", "winner"), [([3, 2], 0), ([2, 3], 1), ([4, 4, 1, 6], 1)])
def test_equal_dice_are_rolled_again(faces: list[int], winner: int) -> None:
    left = [*faces]
    assert play(roll_off(("A", "B")), lambda path, question: left.pop(0), ignore_events) == winner
    assert not left


@pytest.mark.parametrize(("need_of", "need"), [(at_least, 7), (at_most, 0)])
def test_a_need_that_no_side_meets_is_an_error(need_of: Callable[..., Roll], need: int) -> None:
    """An empty set of successes would mean that the die has no need at all."""
    with pytest.raises(ValueError, match=f"a D6 is never {need} or"):
        need_of("k", "A", "to hit", need)
