"""Characters of a file: which are printable, and their lines and columns."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache, cached_property

from cardgen.diagnostic import Place, Span

MAX_SOURCE_LINE = 1000


class LineIndex:
    """The lines of one file's text, counted only when somebody asks for a place.

    Columns count code points; lines end at a line feed, the only line break that reading leaves.
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
        """The line, counted from 1, that the character at `index` stands on."""
        return bisect_right(self._starts, index)

    def place(self, start: int, end: int) -> Place:
        """The place of the characters from `start` up to, not including, `end`."""
        first, last = self.line_number(start), self.line_number(end)
        line_start = self._starts[first - 1]
        span = Span(first, start - line_start + 1, last, end - self._starts[last - 1] + 1)
        return Place(self.file, span, self._source_line(first))

    def _source_line(self, line: int) -> str:
        """The line, or nothing where it is so long that copies of it would fill the memory."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end] if end - start <= MAX_SOURCE_LINE else ""


REPLACEMENT = "\ufffd"


@cache
def _unprintable_pattern() -> re.Pattern[str]:
    """All that YAML 1.2 calls unprintable, and the three line breaks that YAML 1.1 sees and YAML 1.2 does not.

    Compiled late, for that takes longer than reading a card, and few files ask for it.
    """
    return re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def find_unprintable(text: str) -> re.Match[str] | None:
    """The first such character of a text."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # Python is stricter, and very quick.
        return None
    return _unprintable_pattern().search(text)


def replace_unprintable(text: str) -> tuple[str, int]:
    """The text with something that can be shown in place of each such character, and how many there were."""
    return _unprintable_pattern().subn(REPLACEMENT, text)


def describe_character(char: str) -> str:
    """A character that cannot be shown, by number and, where it has one, by name."""
    name = unicodedata.name(char, "") or {"\0": "NUL", "\x85": "NEXT LINE", "\ufeff": "BYTE ORDER MARK"}.get(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()
