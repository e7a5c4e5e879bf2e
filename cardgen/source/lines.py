"""From a character's index to its line and column."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

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
