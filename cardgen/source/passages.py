"""From the characters of a text to the characters of the file that stand for them."""

from __future__ import annotations

import re

from cardgen.source.node import Extent

_INK = re.compile(r"\S")


def passage(source: str, extent: Extent, value: str, start: int, end: int) -> Extent | None:
    """Where in `source` the characters of `value` from `start` up to `end` stand; the whole value stands at `extent`.

    Reading a text changes its spaces only, so its other characters are counted. None where that does not hold,
    as behind an escape, and where the passage is blank.
    """
    if "\n" not in source[extent[0] : extent[1]]:
        return _on_one_line(source, extent, value, start, end)
    written = [match.start() for match in _INK.finditer(source, *_content(source, extent))]
    ink = [match.start() for match in _INK.finditer(value)]
    inside = [index for index, at in enumerate(ink) if start <= at < end]
    if len(written) != len(ink) or not inside:
        return None
    if any(source[place] != value[at] for place, at in zip(written, ink, strict=True)):
        return None
    return written[inside[0]], written[inside[-1]] + 1


def _on_one_line(source: str, extent: Extent, value: str, start: int, end: int) -> Extent | None:
    """Where the text stands in the file as it is, perhaps between quotation marks."""
    first = source.find(value, *extent)
    return (first + start, first + end) if first >= 0 else None


def _content(source: str, extent: Extent) -> Extent:
    """Without what stands around a text: quotation marks, or the line of '|' and '>'."""
    start, end = extent
    if source[start] in "|>":
        return source.index("\n", start), end
    return (start + 1, end - 1) if source[start] in "\"'" else extent
