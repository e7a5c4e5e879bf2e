"""Positions of values in a JSON text, found on demand.

Parsing with positions takes many times as long as without, and most files never need one. The children of each list and
map on the way to a value are located once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from cardgen.diagnostic import Place
from cardgen.source import KeyPath
from cardgen.source.characters import LineIndex

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(strict=False)


class _Child(NamedTuple):
    """Start of a value, and the range of its key in a map."""

    start: int
    key_range: tuple[int, int] | None = None


class JsonPositions:
    """Places of values in a JSON text.

    `lines` are the starts of the values of JSON Lines, which form a list; None for a single value.
    """

    def __init__(self, file: str, text: str, lines: list[int] | None = None) -> None:
        self._line_index = LineIndex(file, text)
        self._text = text
        self._children: dict[KeyPath, dict[str | int, _Child]] = {}
        if lines is not None:
            self._children[()] = {index: _Child(start) for index, start in enumerate(lines)}

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """Return the place of the value at a path, or its key.

        If it does not exist, return that of the deepest part that does.
        """
        if not self._text or (path and not self._starts(())):
            return Place(self._line_index.file)
        reached: KeyPath = ()
        child = _Child(_skip_space(self._text, 0))
        for step in path:
            below = self._starts(reached, child.start).get(step)
            if below is None:
                key = False
                break
            reached, child = (*reached, step), below
        start, end = (key and child.key_range) or (child.start, self._end(child.start))
        return self._line_index.place(start, end)._replace(locator=pointer(reached))

    def duplicate_keys(self, path: KeyPath = ()) -> Iterator[tuple[str, Place, Place]]:
        """Yield each repeated key below a path.

        Each has its place and that of its first use.
        """
        pending = [_skip_space(self._text, 0)]
        while pending:
            first: dict[str, tuple[int, int]] = {}
            for name, child in _children(self._text, pending.pop()):
                pending.append(child.start)
                if isinstance(name, str) and child.key_range:
                    if name in first:
                        yield name, self._line_index.place(*child.key_range), self._line_index.place(*first[name])
                    first.setdefault(name, child.key_range)

    def _starts(self, path: KeyPath, start: int = 0) -> dict[str | int, _Child]:
        if path not in self._children:
            self._children[path] = dict(_children(self._text, _skip_space(self._text, start)))
        return self._children[path]

    def _end(self, start: int) -> int:
        return _DECODER.raw_decode(self._text, start)[1] if start < len(self._text) else start


def pointer(path: KeyPath) -> str:
    """Return a path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def _skip_space(text: str, index: int) -> int:
    match = _SPACE.match(text, index)
    return match.end() if match else index


def _children(text: str, start: int) -> Iterator[tuple[str | int, _Child]]:
    """Yield the children of the list or map at an index, in order."""
    opening = text[start : start + 1]
    if opening not in ("[", "{"):
        return
    index, number = _skip_space(text, start + 1), 0
    while text[index] not in "]}":
        name, key_range = number, None
        if opening == "{":
            name, end = _DECODER.raw_decode(text, index)
            key_range = (index, end)
            index = _skip_space(text, _skip_space(text, end) + 1)
        yield name, _Child(index, key_range)
        index = _skip_space(text, _DECODER.raw_decode(text, index)[1])
        if text[index] == ",":
            index = _skip_space(text, index + 1)
        number += 1
