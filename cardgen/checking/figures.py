"""Figures that checks compute: outliers by Tukey's outer fences, and what is kept of figures between runs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, log_activity
from cardgen.runtime import fingerprint, regular_file
from cardgen.runtime.user_folders import cache_folder, seal, unseal

# Quartiles of fewer figures than this are meaningless.
_MIN_FIGURES = 8
# How often other figures are added before it is seen whether they settle the matter.
_MOST_ROUNDS = 16


class Standing(NamedTuple):
    """A figure's rank from the top, and the range of all figures."""

    figure: Fraction
    rank: int
    among: int
    lowest: Fraction
    highest: Fraction


# Figures by the id of a Character; None if the Character has no such figure.
FiguresById: TypeAlias = Mapping[str, Fraction | None]


class Outliers:
    """The distribution of a figure over all Characters in play, by their ids; figures of 0 do not count.

    `figures` are the figures to check. `others` returns the other figures, of which there are at most `number`. It is
    called only if one of `figures` could be an outlier, and the others are looked up in order only until none could be:
    a mapping can compute each of them when it is looked up, the quickest first.
    """

    def __init__(self, figures: FiguresById, others: Callable[[], FiguresById] = dict, number: int = 0) -> None:
        self._figures, self._others = figures, others
        self._known = dict(figures)
        self._none_possible = self._all_within_fences(number) or self._is_settled_by_others()

    def _is_settled_by_others(self) -> bool:
        """Add other figures to the known ones until no figure can be an outlier; return whether that is so."""
        others = self._others()
        pending = [name for name in others if name not in self._figures]
        size = 1 + len(pending) // _MOST_ROUNDS
        for end in range(size, len(pending) + size, size):
            self._known |= {name: others[name] for name in pending[end - size : end]}
            if self._all_within_fences(max(0, len(pending) - end)):
                return True
        return False

    def _all_within_fences(self, unknown: int) -> bool:
        """Return whether no figure can be an outlier, whatever the `unknown` ones."""
        own, ordered = [figure for figure in self._figures.values() if figure], _sorted_figures(self._known)
        if not own:
            return True
        if unknown >= len(ordered):
            return False
        low, high = _outer_fences(ordered, unknown)
        return low <= min(own) and max(own) <= high

    def find(self, name: str) -> Standing | None:
        """Return the standing of a figure outside Tukey's outer fences, or None."""
        figure = None if self._none_possible else self._outlying.get(name)
        if figure is None:
            return None
        rank = 1 + sum(other > figure for other in self._ordered)
        return Standing(figure, rank, len(self._ordered), self._ordered[0], self._ordered[-1])

    @cached_property
    def _ordered(self) -> list[Fraction]:
        return _sorted_figures(self._known)

    @cached_property
    def _outlying(self) -> Mapping[str, Fraction]:
        if len(self._ordered) < _MIN_FIGURES:
            return {}
        low, high = _outer_fences(self._ordered)
        return {name: figure for name, figure in self._figures.items() if figure and not low <= figure <= high}


def _sorted_figures(figures: FiguresById) -> list[Fraction]:
    """Sort figures, counting equal ones first, since most cards share theirs."""
    counts = Counter(figure.as_integer_ratio() for figure in figures.values() if figure)
    distinct = sorted((Fraction(*ratio), count) for ratio, count in counts.items())
    return [figure for figure, count in distinct for _ in range(count)]


def _outer_fences(ordered: Sequence[Fraction], unknown: int = 0) -> tuple[Fraction, Fraction]:
    """Return the fences: three interquartile ranges below the lower and above the upper quartile.

    The range counts as at least half the median, because a few cards can be alike by chance. If `unknown` figures are
    missing, these are the narrowest fences that they could lead to, or narrower ones.
    """
    quarter = (len(ordered) + unknown) // 4
    low, high = ordered[quarter], ordered[-1 - quarter]
    width = max(high - low, ordered[(len(ordered) - 1 - unknown) // 2] / 2)
    return low - 3 * width, high + 3 * width


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
            fingerprint.prune_oldest(self._file.parent, _MOST_FILES)


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
