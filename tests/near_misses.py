"""Near misses of sentences: a word that changes the meaning is added, left out, or exchanged, at every place."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Words that change what a rule says, wherever they stand.
ADDED = (
    "instead", "only", "also", "again", "one of", "other", "not", "unless", "first", "each", "half", "up to", "except",
    "another", "next", "last", "all", "both", "either", "before", "after", "minimum", "maximum", "additional",
    "at least", "at most", "never", "no", "once", "twice", "second", "any", "non",
)  # fmt: skip
# Words of which one in the place of another changes the meaning.
EXCHANGED = (
    ("each", "one", "no", "any"), ("all", "one of", "none of", "half of"), ("both", "one of", "neither of"),
    ("one of them", "each of them", "all of them"), ("before", "after"), ("until", "before"), ("until", "from"),
    ("first", "last", "second", "next"), ("next", "last", "first", "previous"), ("minimum", "maximum"),
    ("at least", "at most"), ("or more", "or fewer"), ("up to", "at least", "more than"),
    ("another", "the same", "one"), ("other", "same"), ("only if", "unless"), ("if", "unless"),
    ("when", "unless", "before", "after"), ("while", "unless", "until"), ("may", "must", "cannot"),
    ("either", "both"), ("additional", "fewer"), ("extra", "fewer"), ("half", "double"), ("once", "twice"),
    ("or", "and"), ("start", "end"), ("within", "over"), ("not", "only"), ("instead", "also"),
    ("friendly", "enemy"), ("friends", "enemies"), ("this", "that"), ("it", "that enemy"),
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")


def near_misses(text: str) -> Iterator[str]:
    """Yield a text with one word that changes its meaning added, left out, or exchanged for another one."""
    places = [match.start() for match in _WORD.finditer(text)]
    for word in ADDED:
        yield from (f"{text[:place]}{word} {text[place:]}" for place in places)
        end = len(text.rstrip(" .!"))
        yield f"{text[:end]} {word}{text[end:]}"
    for word in ADDED:
        for match in re.finditer(rf"\b{word}\b ?", text, re.IGNORECASE):
            yield text[: match.start()] + text[match.end() :]
    for group in EXCHANGED:
        for word in group:
            for match in re.finditer(rf"\b{word}\b", text, re.IGNORECASE):
                yield from (text[: match.start()] + other + text[match.end() :] for other in group if other != word)
