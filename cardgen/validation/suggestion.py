"""Names: slugs, and suggestions for unknown ones."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

# Ids derived from names.

MAX_NAME_LENGTH = 80


def slugify(name: str) -> str:
    """Derive an id from a name: 'Warp Channeler' gives 'warp-channeler'.

    A name without letters from a to z and digits gives 'card-' and a hash, the same on every machine.
    """
    normal = unicodedata.normalize("NFC", name)
    return plain_words(name) or f"card-{hashlib.sha256(normal.encode('utf-8', 'replace')).hexdigest()[:8]}"


def plain_words(name: str) -> str:
    """Return the letters from a to z and digits of a name, with hyphens for everything between them; may be ''."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower())[:MAX_NAME_LENGTH].strip("-")


# Unknown names, and suggestions for what the author probably meant.

CLOSE_CUTOFF = 0.7
VERY_CLOSE_CUTOFF = 0.8
# Shorter parts, such as 'of' and 'the', are ignored.
MIN_PART_LENGTH = 4
MAX_SUGGESTIONS = 3


def closest(word: str, known: Iterable[str], cutoff: float = CLOSE_CUTOFF) -> str:
    """Return the known word most similar to `word`, ignoring case, or ''."""
    from difflib import get_close_matches  # imported here because only errors need it

    folded = {other.casefold(): other for other in known}
    matches = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[matches[0]] if matches else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a suffix such as '; did you mean 'x'?', or ''.

    If no known word is very similar, suggest those that share most of its parts: 'turn_start' for 'start_of_turn'.
    """
    names = tuple(known)
    best = closest(word, names, VERY_CLOSE_CUTOFF)
    suggestions = (best,) if best else _most_shared_parts(word, names) or tuple(filter(None, [closest(word, names)]))
    return f"; did you mean {_quote_words(suggestions)}?" if suggestions else ""


def _quote_words(words: Iterable[str]) -> str:
    return join_words([f"'{word}'" for word in words])


def _most_shared_parts(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known words that share the most letters by whole parts.

    Empty if they share less than half of the letters of `word`, or if there are too many of them.
    """
    parts = _parts(word)
    shared = {
        name: _letter_count(part for part in parts & _parts(name) if len(part) >= MIN_PART_LENGTH) for name in known
    }
    most = max(shared.values(), default=0)
    best = tuple(name for name, letters in shared.items() if letters == most)
    return best if 2 * most >= max(_letter_count(parts), 1) and len(best) <= MAX_SUGGESTIONS else ()


def _parts(word: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", word.casefold()))


def _letter_count(parts: Iterable[str]) -> int:
    return sum(map(len, parts))


def join_words(words: Iterable[str], conjunction: str = "or", *, serial_comma: bool = True) -> str:
    """Join words as a series, such as 'a, b, or c'."""
    *most, final = words
    comma = "," if serial_comma and len(most) > 1 else ""
    return f"{', '.join(most)}{comma} {conjunction} {final}" if most else final


class UnknownName(NamedTuple):
    """Failed lookup of a name.

    `what` is the kind of thing, and `known` are the names that exist.
    """

    what: str
    name: str
    known: tuple[str, ...]
    path: tuple[str, ...] = ()

    @property
    def closest(self) -> str:
        """The known name that was probably meant, or ''."""
        return closest(self.name, self.known)

    @property
    def help(self) -> str:
        """Suggestion of what to write instead."""
        return f"did you mean '{self.closest}'?" if self.closest else f"available: {', '.join(self.known)}"

    def __str__(self) -> str:
        return f"unknown {self.what} '{self.name}'"
