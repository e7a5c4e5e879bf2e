"""Hyphenation points of words, by language."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

# Minimum number of letters before and after a hyphen.
LEFT_MIN, RIGHT_MIN = 2, 3
_MAX_CACHED_WORDS = 1 << 14


@lru_cache(maxsize=16)
def _patterns(language: str) -> Any:
    # Imported here, because loading the patterns takes longer than setting hundreds of texts, and few texts need them.
    pyphen: Any = import_module("pyphen")
    if pyphen.language_fallback(language) is None:
        raise ValueError(f"no hyphenation patterns for language '{language}'; use a language such as en_GB, de, or fr")
    return pyphen.Pyphen(lang=language, left=LEFT_MIN, right=RIGHT_MIN)


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def hyphen_points(word: str, language: str) -> tuple[int, ...]:
    """Return the offsets in a word at which it may be hyphenated.

    They are at least two letters from the start and three from the end. Points that would change the spelling (old
    German 'ck') are omitted. Raises ValueError with a message for the user if the language has no patterns.
    """
    return tuple(int(point) for point in _patterns(language).positions(word) if not point.data)
