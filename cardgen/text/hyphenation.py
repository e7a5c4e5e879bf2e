"""Hyphenation points of words, by language."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

# Letters that must stand before and behind a hyphen.
LEFT_MIN, RIGHT_MIN = 2, 3
_MAX_CACHED_WORDS = 1 << 14


@lru_cache(maxsize=16)
def _patterns(language: str) -> Any:
    # Importing it and reading its patterns takes longer than setting hundreds of texts, and few texts need it.
    pyphen: Any = import_module("pyphen")
    if pyphen.language_fallback(language) is None:
        raise ValueError(f"there is no hyphenation for the language '{language}'; write one such as en_GB, de or fr")
    return pyphen.Pyphen(lang=language, left=LEFT_MIN, right=RIGHT_MIN)


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def hyphen_points(word: str, language: str) -> tuple[int, ...]:
    """The offsets in a word of letters at which a hyphen may stand, at least two letters in and three from the end.

    Points at which the spelling would change (old German 'ck') are left out. Raises ValueError with a sentence for
    the user when the language has no patterns.
    """
    return tuple(int(point) for point in _patterns(language).positions(word) if not point.data)
