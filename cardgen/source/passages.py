"""From the characters of a text to the characters of the file that stand for them."""

from __future__ import annotations

import re

from cardgen.source.node import CharRange

_NON_SPACE = re.compile(r"\S")


def locate_substring(source: str, char_range: CharRange, value: str, start: int, end: int) -> CharRange | None:
    """Where in `source` the characters of `value` from `start` up to `end` stand; the whole value stands at `extent`.

    Reading a text changes its spaces only, so its other characters are counted. None where that does not hold,
    as behind an escape, and where the passage is blank.
    """
    if "\n" not in source[char_range[0] : char_range[1]]:
        return _locate_on_one_line(source, char_range, value, start, end)
    source_offsets = [match.start() for match in _NON_SPACE.finditer(source, *_inner_range(source, char_range))]
    value_offsets = [match.start() for match in _NON_SPACE.finditer(value)]
    inside = [index for index, at in enumerate(value_offsets) if start <= at < end]
    if len(source_offsets) != len(value_offsets) or not inside:
        return None
    if any(source[place] != value[at] for place, at in zip(source_offsets, value_offsets, strict=True)):
        return None
    return source_offsets[inside[0]], source_offsets[inside[-1]] + 1


def _locate_on_one_line(source: str, char_range: CharRange, value: str, start: int, end: int) -> CharRange | None:
    """Where the text stands in the file as it is, perhaps between quotation marks."""
    first = source.find(value, *char_range)
    return (first + start, first + end) if first >= 0 else None


def _inner_range(source: str, char_range: CharRange) -> CharRange:
    """Without what stands around a text: quotation marks, or the line of '|' and '>'."""
    start, end = char_range
    if source[start] in "|>":
        return source.index("\n", start), end
    return (start + 1, end - 1) if source[start] in "\"'" else char_range
