from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

from cardgen.referee.scores import Score, Trio, find_cycles, varied
from tests.cases import each_case

HALF = Fraction(1, 2)


def matrix(size: int, dice: random.Random) -> list[list[Score | None]]:
    scores: list[list[Score | None]] = [[None] * size for _ in range(size)]
    for a, b in combinations(range(size), 2):
        score = Fraction(dice.randint(0, 20), 20)
        scores[a][b], scores[b][a] = score, 1 - score
    return scores


def all_cycles(scores: list[list[Score | None]]) -> list[tuple[Score, Trio]]:
    """Every trio in both directions."""
    cycles: list[tuple[Score, Trio]] = []
    for trio in combinations(range(len(scores)), 3):
        for a, b, c in (trio, trio[::-1]):
            weakest = min(score for score in (scores[a][b], scores[b][c], scores[c][a]) if score is not None)
            if weakest > HALF:
                cycles.append((weakest, (a, b, c)))
    return sorted(cycles, key=lambda each: (-each[0], each[1]))


@each_case("seed", range(20))
def test_all_cycles_are_found(seed: int) -> None:
    scores = matrix(4 + seed % 10, random.Random(seed))
    cycles, expected = find_cycles(scores), all_cycles(scores)
    assert (cycles.count, cycles.clearest) == (len(expected), expected)
    floats = [[None if score is None else float(score) for score in row] for row in scores]
    few = find_cycles(floats, 3)
    assert few.count == len(expected)
    assert [trio for _, trio in few.clearest] == [trio for _, trio in expected[:3]]


def test_two_have_no_cycle() -> None:
    assert find_cycles([[None, Fraction(1)], [Fraction(0), None]]).count == 0


def test_varied_cycles_share_at_most_one_card() -> None:
    clearest: list[tuple[Score, Trio]] = [(0.9, (1, 2, 3)), (0.8, (1, 2, 4)), (0.7, (1, 5, 6)), (0.6, (7, 8, 9))]
    assert [trio for _, trio in varied(clearest, 5)] == [(1, 2, 3), (1, 5, 6), (7, 8, 9)]
    assert len(varied(clearest, 2)) == 2
