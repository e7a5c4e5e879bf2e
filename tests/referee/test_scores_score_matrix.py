from __future__ import annotations

from fractions import Fraction

import pytest

from cardgen.referee.scores import ScoreMatrix


@pytest.mark.parametrize("exact", [True, False])
def test_a_score_fills_both_directions(*, exact: bool) -> None:
    matrix = ScoreMatrix(3, exact=exact)
    score = Fraction(1, 4) if exact else 0.25
    assert matrix.gaps(0) == [1, 2]
    matrix.fill(0, [2], [score])
    assert matrix.rows[1][1] == Fraction(1, 2)
    assert (matrix.rows[0][2], matrix.rows[2][0]) == (score, 1 - score)
    assert [matrix.gaps(number) for number in range(3)] == [[1], [2], []]
