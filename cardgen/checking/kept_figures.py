"""Figures that checks compute, kept between runs by all that they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from cardgen.diagnostic import CardgenError
from cardgen.runtime import activity_log, fingerprint, regular_file
from cardgen.runtime.user_folders import cache_folder, seal, unseal

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
            activity_log.record(f"used the stored figures {file}")
            return stored
    return {}


def _fraction(text: str) -> Fraction:
    if len(text) > _MOST_DIGITS:
        raise ValueError
    return Fraction(text)
