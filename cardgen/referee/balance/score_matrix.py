"""Scores between classes of competitors, as far as they are known."""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from math import isnan
from typing import Any, TypeAlias

from cardgen.referee.balance.cycles import HALF, Score

# A list of fractions, in which None is not known, or an array of floats, in which NaN is not.
ScoreRow: TypeAlias = MutableSequence[Any]
UNKNOWN = float("nan")


def empty_row(size: int, *, exact: bool) -> ScoreRow:
    """Return a row without scores; floats take 8 bytes each."""
    return [None] * size if exact else array("d", [UNKNOWN]) * size


def is_known(score: Score | None) -> bool:
    """Return whether a score has been computed."""
    return score is not None and not (isinstance(score, float) and isnan(score))


class ScoreMatrix:
    """The scores of each class (row) against each (column); equal fighters have the same chances."""

    def __init__(self, size: int, *, exact: bool) -> None:
        self.rows = [empty_row(size, exact=exact) for _ in range(size)]
        for number, row in enumerate(self.rows):
            row[number] = HALF if exact else 0.5

    def gaps(self, number: int) -> list[int]:
        """Return the classes after `number` against which the score of this class is not known."""
        row = self.rows[number]
        return [other for other in range(number + 1, len(row)) if not is_known(row[other])]

    def fill(self, number: int, others: Sequence[int], scores: Sequence[Score]) -> None:
        """Enter the scores of a class against others, and those of the others against it. They are other classes.

        Floats are rounded to a multiple of 2**-53, so that one less a score is exact, and either gives the other.
        """
        row = self.rows[number]
        for other, score in zip(others, scores, strict=True):
            its_score = self.rows[other][number] = 1 - score
            row[other] = 1 - its_score
