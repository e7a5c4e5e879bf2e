"""Unprintable characters, and lines and columns of a text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache, cached_property

from cardgen.diagnostic import Place, Span

MAX_SOURCE_LINE = 1000


class LineIndex:
    """Line index of a file's text, built on demand.

    Columns count code points. Lines end at a line feed; the document reader normalizes all other line breaks.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        starts, end = [0], self.text.find("\n")
        while end >= 0:
            starts.append(end + 1)
            end = self.text.find("\n", end + 1)
        return starts

    def line_number(self, index: int) -> int:
        """Return the line of the character at `index`, counted from 1."""
        return bisect_right(self._starts, index)

    def place(self, start: int, end: int) -> Place:
        """Return the place of the characters from `start` to `end` (exclusive)."""
        first, last = self.line_number(start), self.line_number(end)
        line_start = self._starts[first - 1]
        span = Span(first, start - line_start + 1, last, end - self._starts[last - 1] + 1)
        return Place(self.file, span, self._source_line(first))

    def _source_line(self, line: int) -> str:
        """Return the text of a line, or '' for very long lines.

        Each diagnostic keeps a copy of its line, so long lines would fill the memory.
        """
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end] if end - start <= MAX_SOURCE_LINE else ""


REPLACEMENT = "\ufffd"


@cache
def _unprintable_pattern() -> re.Pattern[str]:
    """Return the pattern of characters that YAML 1.2 calls unprintable.

    It includes the three line breaks that YAML 1.1 recognizes and YAML 1.2 does not. It is compiled on demand:
    compiling takes longer than reading a card, and few files need it.
    """
    return re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def find_unprintable(text: str) -> re.Match[str] | None:
    """Return the match of the first unprintable character, or None."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # stricter than YAML, and very fast
        return None
    return _unprintable_pattern().search(text)


def replace_unprintable(text: str) -> tuple[str, int]:
    """Replace unprintable characters; return the text and their number."""
    return _unprintable_pattern().subn(REPLACEMENT, text)


def describe_character(char: str) -> str:
    """Describe an unprintable character by code point and name."""
    name = unicodedata.name(char, "") or {"\0": "NUL", "\x85": "NEXT LINE", "\ufeff": "BYTE ORDER MARK"}.get(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()
