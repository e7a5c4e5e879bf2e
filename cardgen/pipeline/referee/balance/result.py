"""The result of a round robin: scores, ranking, match-ups, and the gains of carried cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import fsum
from typing import overload

from cardgen.referee.scores import Cycles, Score, ScoreMatrix, find_cycles
from cardgen.referee.trial import Competitor

# In a crowd, only the clearest cycles are listed.
MOST_CROWD_CYCLES = 1000


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of bearers from a carried card: mean, most, and least."""

    name: str
    mean: Score
    most: tuple[str, Score]
    least: tuple[str, Score]


@dataclass(frozen=True)
class Balance:
    """The scores of all pairs of competitors.

    A score is the chance that the row beats the column, where a draw counts half; the diagonal is None. Scores are
    fractions, or floats for crowds. Each of `competitors` has the name of a card and the name of the card that it
    carries, or ''; `cards` has their data.
    """

    competitors: tuple[tuple[str, str], ...]
    scores: Sequence[Sequence[Score | None]]
    cards: tuple[Competitor, ...] = ()

    @cached_property
    def is_crowd(self) -> bool:
        """Whether scores are floats."""
        return any(isinstance(score, float) for score in self.scores[0])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of competitors: 'Halvane Doru', 'Halvane Doru + Iron Halo'."""
        return tuple(f"{card} + {carried}" if carried else card for card, carried in self.competitors)

    @cached_property
    def gains(self) -> list[Gain]:
        """The gain from each carried card, the largest first.

        It is averaged over all opponents except the bearer itself.
        """
        all_gains = []
        for name in dict.fromkeys(carried for _, carried in self.competitors if carried):
            gains = {card: self._gain(card, name) for card, carried in self.competitors if carried == name}
            ordered = sorted(gains.items(), key=lambda each: (-each[1], each[0]))
            all_gains.append(Gain(name, _mean(list(gains.values())), ordered[0], ordered[-1]))
        return sorted(all_gains, key=lambda gain: (-gain.mean, gain.name))

    def _gain(self, card: str, carried: str) -> Score:
        bare, bearing = (self.scores[self.competitors.index((card, each))] for each in ("", carried))
        others = [place for place, (other, _) in enumerate(self.competitors) if other != card]
        pairs = [(bearing[place], bare[place]) for place in others]
        return _mean([one - other for one, other in pairs if one is not None and other is not None])

    @cached_property
    def ranking(self) -> list[tuple[int, Score]]:
        """Indices of competitors with their mean scores, the highest first."""
        means = [(place, _mean([score for score in row if score is not None])) for place, row in enumerate(self.scores)]
        return sorted(means, key=lambda each: (-each[1], self.names[each[0]]))

    def extremes(self, place: int) -> tuple[int, int]:
        """Return the easiest and the hardest opponent of a competitor."""
        others = [(score, other) for other, score in enumerate(self.scores[place]) if score is not None]
        return max(others)[1], min(others)[1]

    @cached_property
    def cycles(self) -> Cycles:
        """Cycles of three cards with their lowest scores, the clearest first."""
        return find_cycles(self.scores, MOST_CROWD_CYCLES if self.is_crowd else None)


class ClassRows(Sequence[Sequence[Score | None]]):
    """The scores of all competitors, whose classes share theirs; each row is made when it is read."""

    def __init__(self, classes: Sequence[int], matrix: ScoreMatrix) -> None:
        self._classes, self._matrix = classes, matrix

    def __len__(self) -> int:
        """Return the number of competitors."""
        return len(self._classes)

    @overload
    def __getitem__(self, place: int) -> list[Score | None]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[Score | None]]: ...
    def __getitem__(self, place: int | slice) -> list[Score | None] | list[list[Score | None]]:
        """Return the row of a competitor; it has no score against itself."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        scores = self._matrix.rows[self._classes[place]]
        row: list[Score | None] = [scores[number] for number in self._classes]
        row[place] = None
        return row


def _mean(scores: Sequence[Score]) -> Score:
    is_float = scores and isinstance(scores[0], float)
    return (fsum(scores) if is_float else sum(scores, Fraction(0))) / max(1, len(scores))
