"""Figures that checks compute: outliers by Tukey's outer fence, and what is kept of figures between runs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, log_activity
from cardgen.runtime import fingerprint, regular_file
from cardgen.runtime.installation import FAST
from cardgen.runtime.user_folders import cache_folder, prune_oldest, seal, unseal

# Quartiles of fewer figures than this are meaningless.
_MIN_FIGURES = 8


class Outlier(NamedTuple):
    """A figure's rank from the top, and the range of all others."""

    figure: Fraction
    rank: int
    among: int
    lowest: Fraction
    highest: Fraction


class FigureRange(NamedTuple):
    """Bounds of a figure of 0 or more that need not have been computed; the highest can be `math.inf`."""

    low: Fraction
    high: Fraction | float

    @classmethod
    def exactly(cls, figure: Fraction | None) -> FigureRange:
        """Return the range of a known figure; None, of a card that has no such figure, counts as 0."""
        return cls(figure or Fraction(0), figure or Fraction(0))

    @property
    def is_exact(self) -> bool:
        """Whether the figure is known."""
        return self.low is self.high or self.low == self.high


# FAST PATH. Reason: a check of 1,000 Characters solved the odds of each of them for two figures. Gain: bounds decide
# about all but a few, and the check takes two thirds of the time. Slow twin: this class, which computes all figures.
class Outliers:
    """The figures far above those of all cards in play, by Tukey's upper outer fence; figures of 0 do not count.

    It is three interquartile ranges above the upper quartile. The range counts as at least half the median, because a
    few cards can be alike by chance; so no figure is ever below the lower fence.
    `ranges` are by the ids of the cards, and `names` are those of the cards to check. `compute` is called only for
    figures that decide which of these are outliers, or how they stand.
    """

    def __init__(
        self, names: Collection[str], ranges: Mapping[str, FigureRange], compute: Callable[[str], Fraction | None]
    ) -> None:
        self._ranges, self._compute = dict(ranges), compute
        if not FAST:
            self._know(self._doubtful(bool))
        self._outlying = frozenset(self._find_outlying(names))

    @property
    def standings(self) -> dict[str, Outlier]:
        """The standings of the figures above the fence, by the ids of their cards."""
        return {name: standing for name in sorted(self._outlying) if (standing := self.find(name))}

    def find(self, name: str) -> Outlier | None:
        """Return the standing of a figure above the fence, or None."""
        if name not in self._outlying:
            return None
        figure = self._ranges[name].low
        self._know(self._doubtful(lambda each: not each.low or each.low <= figure < each.high))
        others = self._others(name)
        least = min(limit for limit, _ in _distinct([each.high for each in others]))
        most = max(limit for limit, _ in _distinct([each.low for each in others]))
        self._know(self._doubtful(lambda each: each.low <= least or each.high >= most))
        lows = _distinct([each.low for each in self._others(name)])
        rank, among = 1 + sum(count for low, count in lows if low > figure), 1 + sum(count for _, count in lows)
        return Outlier(figure, rank, among, min(low for low, _ in lows), max(low for low, _ in lows))

    def _others(self, name: str) -> list[FigureRange]:
        """Return the ranges of the figures of other cards that are certainly over 0."""
        return [each for other, each in self._ranges.items() if each.low and other != name]

    def _doubtful(self, is_wanted: Callable[[FigureRange], bool]) -> list[str]:
        """Return the ids of the wanted figures that are not known."""
        return [name for name, each in self._ranges.items() if not each.is_exact and is_wanted(each)]

    def _know(self, names: Sequence[str]) -> None:
        """Compute figures."""
        self._ranges.update((name, FigureRange.exactly(self._compute(name))) for name in names)

    def _find_outlying(self, names: Collection[str]) -> list[str]:
        """Compute figures until it is certain which ones are above the fence, and return these."""
        while True:
            counted = [each for each in self._ranges.values() if each.low]
            known, unknown = counted, self._doubtful(lambda each: not each.low)
            if len(known) + len(unknown) < _MIN_FIGURES:
                return []
            fence = _Fence(known, len(unknown)) if len(unknown) < len(known) >= _MIN_FIGURES else None
            suspects = [name for name in names if self._ranges[name].high > (fence.low if fence else 0)]
            is_certain = fence and not unknown and all(self._ranges[name].low > fence.high for name in suspects)
            if is_certain or not suspects:
                return suspects
            pending = [name for name in suspects if not self._ranges[name].is_exact]
            others = unknown or self._doubtful(fence.depends_on if fence else bool)
            self._know(pending or others[: 1 + len(others) // 4])


class _Fence:
    """The bounds of the upper fence, of the ranges of figures over 0 and of `unknown` figures, some of them 0."""

    def __init__(self, known: Sequence[FigureRange], unknown: int) -> None:
        lows, highs = _sorted_limits([each.low for each in known]), _sorted_limits([each.high for each in known])
        last = len(known) - 1
        quarter = (len(known) + unknown) // 4
        self._quartiles = [(lows[at], highs[at]) for at in (quarter, (last - unknown) // 2, last - quarter)]
        (lower, lower_high), (middle, middle_high), (upper, upper_high) = self._quartiles
        self.low = upper + 3 * max(upper - lower_high, middle / 2)
        self.high = upper_high + 3 * max(upper_high - lower, middle_high / 2)

    def depends_on(self, figure: FigureRange) -> bool:
        """Return whether the fence can change if a figure becomes known."""
        return any(figure.low <= high and figure.high >= low for low, high in self._quartiles)


def _distinct(limits: Sequence[Any]) -> list[tuple[Any, int]]:
    """Return limits, each with how often it is there as the same object, since most cards share theirs."""
    counts = Counter(map(id, limits))
    return [(limit, counts[key]) for key, limit in {id(limit): limit for limit in limits}.items()]


def _sorted_limits(limits: Sequence[Fraction | float]) -> list[Any]:
    return [limit for limit, count in sorted(_distinct(limits), key=itemgetter(0)) for _ in range(count)]


# Figures to keep, and versions of the program to keep them for.
_MOST_FIGURES, _MOST_FILES = 100_000, 5
_MOST_BYTES = 32 * 2**20
# Digits of a figure: what is longer takes more time to read than to compute.
_MOST_DIGITS = 1_000

# The figures for a key, in one row or more.
FigureRows: TypeAlias = tuple[tuple[Fraction, ...], ...]


class KeptFigures:
    """Rows of fractions by what they depend on.

    Without a file, they are kept for one run. A file belongs to one version of the program and one set of modules of
    games, so a key names everything else that a figure depends on. It is found and read when a figure is asked for,
    because most checks ask for none.
    """

    def __init__(self, file: Path | Callable[[], Path] | None = None) -> None:
        self._given = file
        self._used: dict[str, FigureRows] = {}

    @classmethod
    def of_user(cls) -> KeptFigures:
        """Return the figures in the user's cache."""
        return cls(_file_of_user)

    @cached_property
    def _file(self) -> Path | None:
        return self._given() if callable(self._given) else self._given

    @cached_property
    def _stored(self) -> dict[str, FigureRows]:
        return _read(self._file) if self._file else {}

    def find(self, key: object, compute: Callable[[], FigureRows]) -> FigureRows:
        """Return the figures for a key, computed if they are new. The key is a value whose `repr` names all of it."""
        name = hashlib.blake2b(repr(key).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        if name not in self._used:
            self._used[name] = self._stored[name] if name in self._stored else compute()
        return self._used[name]

    def save(self) -> None:
        """Store the figures, those of this run first; failing to do so is not an error."""
        if not self._used or self._file is None or self._used.keys() <= self._stored.keys():
            return
        from cardgen.runtime import atomic_write  # Most runs have nothing new.

        figures = [*{**self._used, **self._stored}.items()][:_MOST_FIGURES]
        rows = {name: [list(map(str, row)) for row in figure] for name, figure in figures}
        with suppress(CardgenError, OSError):
            entry = seal(self._file.name, json.dumps(rows).encode())
            if entry is not None:
                atomic_write.write(self._file, entry, durable=False, confined=False)
            prune_oldest(self._file.parent, _MOST_FILES)


def _file_of_user() -> Path:
    program = repr((fingerprint.program_version(), fingerprint.program_stamps()))
    name = hashlib.blake2b(program.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return cache_folder() / "figures" / f"{name}.json"


def _read(file: Path) -> dict[str, FigureRows]:
    """Return the stored figures; none if the file is not as expected."""
    with suppress(OSError, ValueError, TypeError, AttributeError, ZeroDivisionError, RecursionError):
        content = unseal(file.name, regular_file.read(file, _MOST_BYTES))
        if content is not None:
            stored = {
                name: tuple(tuple(map(_fraction, row)) for row in rows) for name, rows in json.loads(content).items()
            }
            log_activity(f"used the stored figures {file}")
            return stored
    return {}


def _fraction(text: str) -> Fraction:
    if len(text) > _MOST_DIGITS:
        raise ValueError
    return Fraction(text)
