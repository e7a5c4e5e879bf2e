"""Stored scores: what was computed once is not computed again, whichever cards it was computed for.

A file holds the scores of one game under the same rulings, policy, settings, and version of the program, between
classes of competitors that are known by digests of their contents. Files are in the user's cache folder and are sealed,
so what is read was written by this user; a file that is missing, broken, or too large counts as empty.
"""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.referee.balance.arena import Arena
from cardgen.referee.scores import ScoreMatrix, ScoreRow, empty_row, is_known
from cardgen.rulesets.game_settings import plain_settings
from cardgen.runtime import activity_log, atomic_write, fingerprint, regular_file
from cardgen.runtime.sealed_entry import seal, unseal
from cardgen.user_folders import cache_folder

_FORMAT = 1
_SUFFIX = ".scores"
_MOST_FILES = 20
# Classes in a file: 3,000 take 36 MB.
MOST_CLASSES = 3000
_MOST_BYTES = 64_000_000
_DIGEST_SIZE = 16
_MAX_DIGITS = 20_000


class ScoreStore:
    """The stored scores of one game under the same conditions."""

    def __init__(self, file: Path, *, exact: bool) -> None:
        self._file, self._exact = file, exact
        # The digests of classes, and below the diagonal their scores: row n has n of them.
        self._places: dict[bytes, int] = {}
        self._rows: list[ScoreRow] = []

    @classmethod
    def of(cls, arena: Arena, *, exact: bool) -> ScoreStore:
        """Return the stored scores of an arena; the settings of its game must be in force."""
        key = repr((
            _FORMAT, exact, sys.byteorder, arena.rules.id, sorted(arena.config.rulings.items()),
            sorted(arena.config.policy.items()), plain_settings(arena.rules.settings), fingerprint.program_version(),
            fingerprint.program_stamps(),
        ))  # fmt: skip
        name = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        store = cls(cache_folder() / "balance" / f"{name}{_SUFFIX}", exact=exact)
        store._read()
        return store

    def fill(self, matrix: ScoreMatrix, contents: Sequence[str]) -> None:
        """Enter all stored scores between classes with these contents."""
        places = [self._places.get(_digest(content)) for content in contents]
        for number, place in enumerate(places):
            if place is None:
                continue
            stored = [
                (other, score)
                for other, its_place in enumerate(places[:number])
                if its_place is not None and is_known(score := self._score(place, its_place))
            ]
            matrix.fill(number, [other for other, _ in stored], [score for _, score in stored])

    def _score(self, one: int, other: int) -> Any:
        """Return a stored score, which may not be known."""
        if one > other:
            return self._rows[one][other]
        score = self._rows[other][one]
        return 1 - score if is_known(score) else score

    def save(self, matrix: ScoreMatrix, contents: Sequence[str]) -> None:
        """Store the scores of a matrix beside those of other classes; failing to do so is not an error."""
        digests = [_digest(content) for content in contents][:MOST_CLASSES]
        kept = [digest for digest in self._places if digest not in set(digests)][: MOST_CLASSES - len(digests)]
        order = [*digests, *kept]
        rows = [matrix.rows[number][:number] for number in range(len(digests))]
        rows += [self._kept_row(digest, order[:number]) for number, digest in enumerate(kept, len(digests))]
        self._places, self._rows = {digest: place for place, digest in enumerate(order)}, rows
        self._write()

    def _kept_row(self, digest: bytes, others: Sequence[bytes]) -> ScoreRow:
        row, place = empty_row(len(others), exact=self._exact), self._places[digest]
        for number, other in enumerate(others):
            its_place = self._places.get(other)
            if its_place is not None and is_known(score := self._score(place, its_place)):
                row[number] = score
        return row

    def _read(self) -> None:
        """Read the file; if it is not as expected, nothing is stored."""
        with suppress(OSError, ValueError, TypeError, ZeroDivisionError, RecursionError):
            content = unseal(self._file.name, regular_file.read(self._file, _MOST_BYTES))
            if content is None:
                return
            count = int.from_bytes(content[:4], "big")
            if not count <= MOST_CLASSES:
                return
            digests = content[4 : 4 + count * _DIGEST_SIZE]
            starts = range(0, len(digests), _DIGEST_SIZE)
            places = {digests[at : at + _DIGEST_SIZE]: number for number, at in enumerate(starts)}
            scores = (_exact_scores if self._exact else _float_scores)(content[4 + count * _DIGEST_SIZE :])
            if len(places) == count and len(scores) == count * (count - 1) // 2:
                self._places = places
                self._rows = [scores[n * (n - 1) // 2 : n * (n + 1) // 2] for n in range(count)]
                activity_log.record(f"used the stored scores {self._file}")

    def _write(self) -> None:
        parts = [len(self._places).to_bytes(4, "big"), *self._places]
        if self._exact:
            texts = [str(score) if is_known(score) else None for row in self._rows for score in row]
            parts.append(json.dumps(texts).encode())
        else:
            parts += [row.tobytes() for row in self._rows if isinstance(row, array)]
        with suppress(CardgenError, OSError):
            entry = seal(self._file.name, b"".join(parts))
            if entry is not None and len(entry) <= _MOST_BYTES:
                atomic_write.write(self._file, entry, durable=False, confined=False)
                fingerprint.prune_oldest(self._file.parent, _MOST_FILES, _SUFFIX)


def _digest(content: str) -> bytes:
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()


def _float_scores(content: bytes) -> ScoreRow:
    """Return floats from their bytes. Raises ValueError for anything but scores."""
    scores = array("d")
    scores.frombytes(content)
    if not all(0 <= score <= 1 or score != score for score in scores):
        raise ValueError("scores must be between 0 and 1")
    return scores


def _exact_scores(content: bytes) -> ScoreRow:
    """Return fractions from JSON. Raises ValueError for anything but scores."""
    texts = json.loads(content)
    if not all(text is None or (isinstance(text, str) and len(text) <= _MAX_DIGITS) for text in texts):
        raise ValueError("scores must be fractions")
    scores = [None if text is None else Fraction(text) for text in texts]
    if not all(score is None or 0 <= score <= 1 for score in scores):
        raise ValueError("scores must be between 0 and 1")
    return scores
