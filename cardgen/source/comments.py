"""Comments, which the parser's events do not carry: every '#' behind a space that stands outside all values."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from cardgen.source.node import CharRange, Node

_COMMENT = re.compile(r"(?<!\S)#(.*)")


def find_comments(text: str, root: Node | None) -> Iterator[tuple[int, str]]:
    """The index and the text of each comment, in order, without the '#' and the spaces around it."""
    if "#" not in text:
        return
    ranges = sorted(_scalar_ranges(text, root))
    starts = [start for start, _ in ranges]
    for match in _COMMENT.finditer(text):
        index = bisect_right(starts, match.start()) - 1
        if index < 0 or ranges[index][1] <= match.start():
            yield match.start(), match[1].strip()


def _scalar_ranges(text: str, node: Node | None) -> Iterator[CharRange]:
    """Where keys and scalars stand."""
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
    """Of a text after '|' or '>' the lines below, for that line itself may end with a comment."""
    if text[start : start + 1] in ("|", ">"):
        line_end = text.find("\n", start, end)
        return (line_end, end) if line_end >= 0 else (end, end)
    return start, end
