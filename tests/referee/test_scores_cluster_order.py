from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cardgen.referee.scores import LANDMARKS, cluster_order


@pytest.mark.parametrize("size", [30, 3 * LANDMARKS])
def test_rows_of_a_kind_are_neighbors(size: int) -> None:
    """Three kinds beat each other in turn; in the order, each kind is one run."""
    dice = random.Random(size)
    kinds = [dice.randrange(3) for _ in range(size)]
    rows = [[(0.5, 0.9, 0.1)[(a - b) % 3] + dice.uniform(-0.02, 0.02) for b in kinds] for a in kinds]
    order = cluster_order(rows)
    assert sorted(order) == [*range(size)]
    assert sum(kinds[a] != kinds[b] for a, b in pairwise(order)) == 2


def test_the_strongest_come_first() -> None:
    rows = [[0.5, 0.1, 0.1], [0.9, 0.5, 0.5], [0.9, 0.5, 0.5]]
    assert cluster_order(rows) == [1, 2, 0]


@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_equal_rows_have_an_order(size: int) -> None:
    assert sorted(cluster_order([[0.5] * size] * size)) == [*range(size)]
