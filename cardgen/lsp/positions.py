"""Positions of the protocol, whose columns count code units, and places, whose columns count characters."""

from __future__ import annotations

import re

from lsprotocol import types

from cardgen.diagnostic import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"
_WIDE = "\U00010000"


class PositionMap:
    """The lines of a text, in an encoding of positions: 'utf-16', 'utf-8', or 'utf-32'."""

    def __init__(self, text: str, encoding: str) -> None:
        self._lines = _LINE_END.split(text)
        self._encoding = encoding

    def line_and_column(self, position: types.Position) -> tuple[int, int]:
        """Return the line and column of a position, counted from 1; beyond the end, those of the end."""
        if position.line >= len(self._lines):
            return len(self._lines), len(self._lines[-1]) + 1
        line, units = self._lines[position.line], 0
        for column, character in enumerate(line):
            if units >= position.character:
                return position.line + 1, self._without_mark(position.line, column) + 1
            units += self._units(character)
        return position.line + 1, self._without_mark(position.line, len(line)) + 1

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self._position(span.line, span.column), self._position(span.end_line, span.end_column))

    def whole(self) -> types.Range:
        """Return the range of the whole text."""
        last = len(self._lines) - 1
        return types.Range(types.Position(0, 0), types.Position(last, self._units(self._lines[last])))

    def _position(self, line: int, column: int) -> types.Position:
        index = min(max(line, 1), len(self._lines)) - 1
        text = self._lines[index]
        if index == 0 and text.startswith(_BYTE_ORDER_MARK):
            column += 1
        return types.Position(index, self._units(text[: column - 1]))

    def _without_mark(self, line: int, column: int) -> int:
        has_mark = line == 0 and self._lines[0].startswith(_BYTE_ORDER_MARK)
        return max(column - 1, 0) if has_mark else column

    def _units(self, text: str) -> int:
        if self._encoding == "utf-32":
            return len(text)
        if self._encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character >= _WIDE for character in text)
