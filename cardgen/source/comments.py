"""Comments, which the parser's events do not carry: every '#' behind a space that stands outside all values."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from cardgen.source.node import Extent, Node

_COMMENT = re.compile(r"(?<!\S)#(.*)")


def comments(text: str, root: Node | None) -> Iterator[tuple[int, str]]:
    """The index and the text of each comment, in order, without the '#' and the spaces around it."""
    if "#" not in text:
        return
    scalars = sorted(_scalars(text, root))
    starts = [start for start, _ in scalars]
    for match in _COMMENT.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or scalars[before][1] <= match.start():
            yield match.start(), match[1].strip()


def _scalars(text: str, node: Node | None) -> Iterator[Extent]:
    """Where keys and scalars stand."""
    if node is None:
        return
    if node.children is None:
        yield _content(text, *node.value)
    elif isinstance(node.children, dict):
        for child in node.children.values():
            yield child.key
            yield from _scalars(text, child)
    else:
        for child in node.children:
            yield from _scalars(text, child)


def _content(text: str, start: int, end: int) -> Extent:
    """Of a text after '|' or '>' the lines below, for that line itself may end with a comment."""
    if text[start : start + 1] in ("|", ">"):
        line_end = text.find("\n", start, end)
        return (line_end, end) if line_end >= 0 else (end, end)
    return start, end
