"""Hyphenation points of words, by language."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

# Minimum number of letters before and after a hyphen.
LEFT_MIN, RIGHT_MIN = 2, 3
_MAX_CACHED_WORDS = 1 << 14


# Digits in patterns are the values between letters.
_WITHOUT_VALUES = str.maketrans("", "", "0123456789")


class _LatePatterns:
    """Patterns of a language by their letters, each parsed when a word contains it.

    A language has 5,000 to 100,000 patterns, and the words of a card contain some dozens of them.
    """

    def __init__(self, lines: list[str], split: Callable[[str], list[tuple[str, str]]]) -> None:
        self._split = split
        self._lines = dict(zip("\n".join(lines).translate(_WITHOUT_VALUES).split("\n"), lines, strict=True))
        self._parsed: dict[str, Any] = {}
        self.longest = max(map(len, self._lines), default=0)

    def get(self, letters: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the offset of the first value and the values of a pattern, or None."""
        line = self._lines.get(letters)
        if line is None:
            return None
        if letters not in self._parsed:
            self._parsed[letters] = _trimmed([int(value or 0) for value, _ in self._split(line)])
        value: tuple[int, tuple[int, ...]] | None = self._parsed[letters]
        return value


def _trimmed(values: list[int]) -> tuple[int, tuple[int, ...]] | None:
    """Return the offset of the first value that is not 0, and the values up to the last one; None if all are 0."""
    places = [place for place, value in enumerate(values) if value]
    return (places[0], tuple(values[places[0] : places[-1] + 1])) if places else None


def _late_patterns(pyphen: Any, path: Path) -> _LatePatterns | None:
    """Return the patterns in a file; None for patterns that change letters, and for escapes, which pyphen parses."""
    encoding, *lines = path.read_bytes().split(b"\n")
    text = b"\n".join([line.strip() for line in lines]).decode(encoding.decode().strip())
    patterns = [line for line in text.split("\n") if line and not line.startswith(pyphen.ignored)]
    joined = "".join(patterns)
    return None if "=" in joined or "^^" in joined else _LatePatterns(patterns, pyphen.parse)


def _use_late_patterns(pyphen: Any, path: Path) -> None:
    """Let pyphen find late patterns in its cache, if it has none for this file yet."""
    patterns = _late_patterns(pyphen, path) if path not in pyphen.hdcache else None
    if patterns:
        dictionary = pyphen.HyphDict.__new__(pyphen.HyphDict)
        dictionary.patterns, dictionary.maxlen, dictionary.cache = patterns, patterns.longest, {}
        pyphen.hdcache[path] = dictionary


@lru_cache(maxsize=16)
def _patterns(language: str) -> Any:
    # Imported here, because loading the patterns takes longer than setting hundreds of texts, and few texts need them.
    pyphen: Any = import_module("pyphen")
    name = pyphen.language_fallback(language)
    if name is None:
        raise ValueError(f"no hyphenation patterns for language '{language}'; use a language such as en_GB, de, or fr")
    with suppress(AttributeError):  # of another version of pyphen, which then parses all patterns
        _use_late_patterns(pyphen, pyphen.LANGUAGES[name])
    return pyphen.Pyphen(lang=language, left=LEFT_MIN, right=RIGHT_MIN)


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def hyphen_points(word: str, language: str) -> tuple[int, ...]:
    """Return the offsets in a word at which it may be hyphenated.

    They are at least two letters from the start and three from the end. Points that would change the spelling (old
    German 'ck') are omitted. Raises ValueError with a message for the user if the language has no patterns.
    """
    return tuple(int(point) for point in _patterns(language).positions(word) if not point.data)
