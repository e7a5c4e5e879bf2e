"""What an author probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

CLOSE = 0.7
VERY_CLOSE = 0.8
# 'of' and 'the' say nothing.
SHORTEST_PART = 4
MOST_OFFERED = 3


def closest(word: str, known: Iterable[str], cutoff: float = CLOSE) -> str:
    """The known word that is most like `word`, regardless of capitals; '' where none is alike."""
    from difflib import get_close_matches  # loaded here, for it is needed only where something is wrong

    folded = {other.casefold(): other for other in known}
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[found[0]] if found else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'; did you mean 'x'?', to stand behind a message, or ''.

    Where no known word is very close, those that have most of its parts are offered: 'turn_start' for 'start_of_turn'.
    """
    names = tuple(known)
    one = closest(word, names, VERY_CLOSE)
    found = (one,) if one else _sharing(word, names) or tuple(filter(None, [closest(word, names)]))
    return f"; did you mean {_quoted(found)}?" if found else ""


def _quoted(words: Iterable[str]) -> str:
    return listed([f"'{word}'" for word in words])


def _sharing(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known words that have the most letters in common with `word` by whole parts, if it is half of its own."""
    parts = _parts(word)
    shared = {name: _letters(part for part in parts & _parts(name) if len(part) >= SHORTEST_PART) for name in known}
    most = max(shared.values(), default=0)
    found = tuple(name for name, letters in shared.items() if letters == most)
    return found if 2 * most >= max(_letters(parts), 1) and len(found) <= MOST_OFFERED else ()


def _parts(word: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", word.casefold()))


def _letters(parts: Iterable[str]) -> int:
    return sum(map(len, parts))


def listed(words: Iterable[str], last: str = "or") -> str:
    """'a', 'a or b', 'a, b or c'."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final
