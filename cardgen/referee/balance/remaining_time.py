"""The remaining time of a round robin, from the work of its rows and the times of those that are complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from operator import add, mul
from typing import NamedTuple

from cardgen.referee.pairings import Work

# Usual seconds of each kind of work. Only their proportions count, and only until rows of each kind have been timed.
_USUAL = Work(attacks=7e-4, assaults=3e-5, races=8e-6, chains=1.5e-2)
# The usual proportions count as much as this share of the work that has been timed.
_PRIOR = 0.02
# Neighboring blocks are merged when there are more than this, and rates are improved as often for each estimate.
_MOST_BLOCKS, _SWEEPS = 64, 10


class _Block(NamedTuple):
    """Some rows: their work and the seconds that they took together."""

    work: Work
    seconds: float

    def __add__(self, other: object) -> _Block:
        assert isinstance(other, _Block)
        return _Block(Work(*map(add, self.work, other.work)), self.seconds + other.seconds)


class RemainingTime:
    """Estimates the remaining time.

    `work` returns the work of each row; it is called when an estimate is first wanted, because counting takes time.
    `workers` processes compute the rows in turn. Several of them start with their first rows, which tell nothing.
    """

    def __init__(self, work: Callable[[], Sequence[Work]], workers: int, started: float) -> None:
        self._work, self._workers, self._ends = work, workers, [started]
        self._rows: Sequence[Work] = ()
        self._blocks: list[_Block] = []
        self._counted = 0
        self._rates = _USUAL

    def add(self, now: float) -> None:
        """Add the next row, which is complete now."""
        self._ends.append(now)

    def seconds(self) -> float:
        """Return the estimate of the remaining seconds."""
        self._rows = self._rows or self._work()
        self._count()
        for _ in range(_SWEEPS):
            self._improve()
        left = map(sum, zip(*self._rows[len(self._ends) - 1 :], strict=True))
        return fsum(map(mul, self._rates, left))

    def _count(self) -> None:
        """Add the complete rows to the blocks: as many together as there are processes, which end at about one time."""
        while self._counted + self._workers < len(self._ends):
            first, end = self._counted, self._counted + self._workers
            self._counted = end
            if first or self._workers == 1:
                work = Work(*map(sum, zip(*self._rows[first:end], strict=True)))
                self._blocks.append(_Block(work, self._ends[end] - self._ends[first]))
        while len(self._blocks) > _MOST_BLOCKS:
            pairs = zip(self._blocks[::2], [*self._blocks[1::2], _Block(Work(), 0.0)], strict=False)
            self._blocks = [one + other for one, other in pairs]

    def _improve(self) -> None:
        """Share the time of each block among its kinds of work by their rates, and take the rates of the shares.

        Repeated, this leads to the rates under which the blocks are most likely to take their time.
        """
        done, seconds = [0.0] * len(_USUAL), [0.0] * len(_USUAL)
        for work, whole in self._blocks:
            shares = [*map(mul, self._rates, work)]
            factor = whole / (sum(shares) or 1.0)
            seconds = [before + share * factor for before, share in zip(seconds, shares, strict=True)]
            done = [*map(add, done, work)]
        whole = fsum(map(mul, _USUAL, done))
        if not whole:
            return
        speed, prior = fsum(seconds) / whole, _PRIOR * whole
        self._rates = Work(
            *[
                (each + prior * speed) / (count + prior / usual)
                for each, count, usual in zip(seconds, done, _USUAL, strict=True)
            ]
        )
