"""What an author probably meant."""

from __future__ import annotations

from collections.abc import Iterable

CLOSE = 0.7
VERY_CLOSE = 0.8


def closest(word: str, known: Iterable[str], cutoff: float = CLOSE) -> str:
    """The known word that is most like `word`, regardless of capitals; '' where none is alike."""
    from difflib import get_close_matches  # loaded here, for it is needed only where something is wrong

    folded = {other.casefold(): other for other in known}
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[found[0]] if found else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'; did you mean 'x'?', to stand behind a message, or ''."""
    found = closest(word, known)
    return f"; did you mean '{found}'?" if found else ""


def listed(words: Iterable[str], last: str = "or") -> str:
    """'a', 'a or b', 'a, b or c'."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final
