"""Characters of a source, and positions in it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import Place, Span

# Unprintable characters, and lines and columns of a text.

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


# Positions of values, comments, and substrings in the text of a file.

Scalar: TypeAlias = str | int | float | bool | None
Data: TypeAlias = Scalar | list["Data"] | dict[str, "Data"]
KeyPath: TypeAlias = tuple[str | int, ...]
CharRange: TypeAlias = tuple[int, int]


class Node(NamedTuple):
    """Character ranges of a value and its key.

    A list item is its own key.
    """

    value_range: CharRange
    key_range: CharRange
    children: dict[str, Node] | list[Node] | None = None

    def child(self, step: str | int) -> Node | None:
        """Return the child node at `step`, or None."""
        children = self.children
        if isinstance(children, dict):
            return children.get(step) if isinstance(step, str) else None
        if isinstance(children, list) and isinstance(step, int):
            return children[step] if 0 <= step < len(children) else None
        return None


def extent(node: Node) -> CharRange:
    """Return the range from the key of a value to the end of everything in it."""
    children = node.children.values() if isinstance(node.children, dict) else node.children or ()
    ends = [node.key_range[1], node.value_range[1], *(extent(child)[1] for child in children)]
    return min(node.key_range[0], node.value_range[0]), max(ends)


_COMMENT = re.compile(r"(?<!\S)#(.*)")


def find_comments(text: str, root: Node | None) -> Iterator[tuple[int, str]]:
    """Yield the index and text of each comment, without '#' and spaces."""
    if "#" not in text:
        return
    ranges = sorted(_scalar_ranges(text, root))
    starts = [start for start, _ in ranges]
    for match in _COMMENT.finditer(text):
        index = bisect_right(starts, match.start()) - 1
        if index < 0 or ranges[index][1] <= match.start():
            yield match.start(), match[1].strip()


def _scalar_ranges(text: str, node: Node | None) -> Iterator[CharRange]:
    """Yield the ranges of all keys and scalars."""
    if node is None:
        return
    if node.children is None:
        yield _block_text_range(text, *node.value_range)
    elif isinstance(node.children, dict):
        for child in node.children.values():
            yield child.key_range
            yield from _scalar_ranges(text, child)
    else:
        for child in node.children:
            yield from _scalar_ranges(text, child)


def _block_text_range(text: str, start: int, end: int) -> CharRange:
    """Return the range of a scalar without its '|' or '>' line.

    That line may end with a comment.
    """
    if text[start : start + 1] in ("|", ">"):
        line_end = text.find("\n", start, end)
        return (line_end, end) if line_end >= 0 else (end, end)
    return start, end


_NON_SPACE = re.compile(r"\S")


def locate_substring(source: str, char_range: CharRange, value: str, start: int, end: int) -> CharRange | None:
    """Return the range in `source` of `value[start:end]`.

    `char_range` is the range of the whole value. Parsing changes only the spaces of a text, so the other characters are
    counted. None if they do not match, for example because of an escape, and if the substring is blank.
    """
    there, here = _matching_characters(source, char_range, value)
    if isinstance(there, range):
        return there.start + start, there.start + end
    first, behind = bisect_left(here, start), bisect_left(here, end)
    return (there[first], there[behind - 1] + 1) if first < behind else None


@lru_cache(maxsize=4)  # The findings in a text come one after the other, and a long text can have many.
def _matching_characters(source: str, char_range: CharRange, value: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return the indexes of the characters of a value in the source and in itself, without spaces; none if they differ.

    On one line, perhaps in quotes, there are no other spaces, and so the indexes are ranges.
    """
    if source.find("\n", *char_range) < 0:
        first = source.find(value, *char_range)
        return (range(first, first + len(value)), range(len(value))) if first >= 0 else ((), ())
    there = [match.start() for match in _NON_SPACE.finditer(source, *_inner_range(source, char_range))]
    here = [match.start() for match in _NON_SPACE.finditer(value)]
    if len(there) != len(here) or any(source[place] != value[at] for place, at in zip(there, here, strict=True)):
        return (), ()
    return there, here


def _inner_range(source: str, char_range: CharRange) -> CharRange:
    """Return the range without quotes or the line of '|' and '>'."""
    start, end = char_range
    if source[start] in "|>":
        return source.index("\n", start), end
    return (start + 1, end - 1) if source[start] in "\"'" else char_range
