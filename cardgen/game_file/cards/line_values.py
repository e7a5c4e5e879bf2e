"""What the placeholders of a line match: texts, numbers, and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Stands for the end of the line among the texts that can follow a value.
END = ""
_CHARACTER = r"[^\n\r\u2028\u2029]"
LINE_BREAKS = frozenset("\n\r\u2028\u2029")
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/]")


# More words would make lines, and the schema of lines, slow to read.
MOST_WORDS = 500


class LineFormatError(Exception):
    """A format that cannot be read in one way only.

    The message is for the author of the game.
    """


def escape_pattern(text: str) -> str:
    """Return a text as a regular expression that both Python and JSON Schema read."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def overlap(one: str, other: str) -> bool:
    """Return whether one text begins with the other."""
    return one.startswith(other) or other.startswith(one)


class Value:
    """What a placeholder matches: a text that ends before certain words."""

    def match(self, text: str, at: int, stops: Sequence[str]) -> int:
        """Return where the value ends that begins at a position.

        The same position if there is none.
        """
        ends = [end for stop in stops if stop and (end := text.find(stop, at)) >= 0]
        return min(ends, default=len(text) if END in stops else at)

    def conflict(self, stop: str) -> bool:
        """Return whether a value could go on with the text behind it."""
        return False

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        words = "|".join(escape_pattern(stop) for stop in stops if stop)
        return f"(?:(?!{words}){_CHARACTER})+" if words else f"{_CHARACTER}+"


class NumberValue(Value):
    """A number in its shortest form, without leading zeros."""

    _PATTERN = r"-?(?:0|[1-9][0-9]{0,11})"

    def __init__(self, *, decimals: bool = False) -> None:
        self._pattern = self._PATTERN + (r"(?:\.[0-9]{1,6})?" if decimals else "")
        self._compiled = re.compile(self._pattern)
        self._more = "0123456789." if decimals else "0123456789"

    def match(self, text: str, at: int, stops: Sequence[str]) -> int:
        """Return where the value ends that begins at a position."""
        found = self._compiled.match(text, at)
        return found.end() if found else at

    def conflict(self, stop: str) -> bool:
        """Return whether a value could go on with the text behind it."""
        return stop[:1] in tuple(self._more)

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        return self._pattern


class BoundedValue(NumberValue):
    """A whole number from a short range."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__()
        self._numbers = "|".join(map(str, range(high, low - 1, -1)))

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        return f"(?:{self._numbers})"


class WordValue(Value):
    """One of some words; the longest that fits."""

    def __init__(self, words: Iterable[str]) -> None:
        """Raises LineFormatError for too many words."""
        self._words = sorted(words, key=len, reverse=True)
        if len(self._words) > MOST_WORDS:
            raise LineFormatError(f"a line cannot contain a field with more than {MOST_WORDS} words")

    def match(self, text: str, at: int, stops: Sequence[str]) -> int:
        """Return where the value ends that begins at a position."""
        return next((at + len(word) for word in self._words if text.startswith(word, at)), at)

    def conflict(self, stop: str) -> bool:
        """Return whether a value could go on with the text behind it."""
        rests = (long[len(word) :] for word in self._words for long in self._words if long.startswith(word))
        return bool(stop) and any(rest and overlap(rest, stop) for rest in rests)

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        return f"(?:{'|'.join(map(escape_pattern, self._words))})"
