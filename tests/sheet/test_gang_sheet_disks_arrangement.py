from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardgen.sheet.gang_sheet import pack_disks
from cardgen.units import Size


@pytest.mark.parametrize(
    ("room", "diameter", "gap", "count"),
    [
        ((10, 10), 10, 0, 1),
        ((20, 20), 10, 0, 4),
        ((20, 18.7), 10, 0, 3),  # two below one: a square grid holds only two
        ((100, 100), 10, 0, 105),  # a square grid holds 100
        ((21, 100), 10, 1, 18),  # in two columns
        ((9.9, 50), 10, 0, 0),
        ((200, 60), 55, 4, 3),
    ],
)
def test_as_many_disks_as_fit(room: tuple[float, float], diameter: float, gap: float, count: int) -> None:
    assert len(pack_disks(Size(*room), diameter, gap)) == count


def test_a_square_grid_wins_a_tie() -> None:
    assert pack_disks(Size(20, 20), 10, 0) == ((5, 5), (15, 5), (5, 15), (15, 15))


@example(20, 20, 20.000000000000004, 0)
@given(st.floats(20, 200), st.floats(20, 200), st.floats(15, 70), st.floats(0, 6))
def test_disks_are_apart_inside_and_in_the_middle(width: float, height: float, diameter: float, gap: float) -> None:
    centers = pack_disks(Size(width, height), diameter, gap)
    if abs(diameter - min(width, height)) > 1e-5:  # closer than that, rounding decides
        assert bool(centers) == (diameter <= min(width, height))
    for one, other in combinations(centers, 2):
        assert math.dist(one, other) >= diameter + gap - 1e-5
    for x, y in centers:
        assert diameter / 2 - 1e-5 <= x <= width - diameter / 2 + 1e-5
        assert diameter / 2 - 1e-5 <= y <= height - diameter / 2 + 1e-5
    if centers:
        xs, ys = [x for x, _ in centers], [y for _, y in centers]
        assert (min(xs) + max(xs), min(ys) + max(ys)) == pytest.approx((width, height), abs=1e-5)
        square = (int((width + gap) // (diameter + gap)), int((height + gap) // (diameter + gap)))
        assert len(centers) >= square[0] * square[1]
