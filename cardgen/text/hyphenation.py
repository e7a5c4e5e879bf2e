"""Where words may be hyphenated."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

# Letters that must stand before and behind a hyphen.
LEFT, RIGHT = 2, 3
_WORDS_KEPT = 1 << 14


@lru_cache(maxsize=16)
def _patterns(language: str) -> Any:
    # Importing it and reading its patterns takes longer than setting hundreds of texts, and few texts need it.
    known: Any = import_module("pyphen")
    if known.language_fallback(language) is None:
        raise ValueError(f"there is no hyphenation for the language '{language}'; write one such as en_GB, de or fr")
    return known.Pyphen(lang=language, left=LEFT, right=RIGHT)


@lru_cache(maxsize=_WORDS_KEPT)
def hyphen_points(word: str, language: str) -> tuple[int, ...]:
    """The offsets in a word of letters at which a hyphen may stand, at least two letters in and three from the end.

    Points at which the spelling would change (old German 'ck') are left out. Raises ValueError with a sentence for
    the user when the language has no patterns.
    """
    return tuple(int(point) for point in _patterns(language).positions(word) if not point.data)
