"""The layout of a value in a file's text: its characters, its lines, and its style."""

from __future__ import annotations

import re
from typing import NamedTuple

from cardgen.source import Document, KeyPath
from cardgen.source.positions import CharRange, Node, extent

_COMMENT_LINE = re.compile(r" *#[^\n]*\n")


class Layout(NamedTuple):
    """The layout of one node of a text."""

    source: str
    node: Node

    @property
    def is_flow(self) -> bool:
        """True for a map or a list in brackets."""
        start = self.node.value_range[0]
        return self.source[start : start + 1] in ("{", "[")

    @property
    def value(self) -> CharRange:
        """The characters of the value with everything in it."""
        return self.node.value_range[0], max(self.node.value_range[1], extent(self.node)[1])

    @property
    def whole(self) -> CharRange:
        """The characters of the key and the value."""
        start, end = extent(self.node)
        return start, len(self.source[:end].rstrip()) if self.source[start:end].strip() else end

    def column(self, index: int) -> int:
        """Return the column of a character, from 0."""
        return index - (self.source.rfind("\n", 0, index) + 1)

    def line_start(self, index: int) -> int:
        """Return the index of the first character of a line."""
        return self.source.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """Return the index of the line break after a character, or of the end of the text."""
        end = self.source.find("\n", index)
        return end if end >= 0 else len(self.source)

    def child(self, step: str | int) -> Layout | None:
        """Return the layout of a child."""
        node = self.node.child(step)
        return self._replace(node=node) if node else None

    def items(self) -> list[Layout]:
        """Return the layouts of the items of a list, or of the pairs of a map."""
        children = self.node.children
        nodes = children.values() if isinstance(children, dict) else children or ()
        return [self._replace(node=node) for node in nodes]


def layout_at(document: Document, path: KeyPath) -> Layout | None:
    """Return the layout of the value at a key path, or None if there is none."""
    node = document.root
    for step in path:
        node = node.child(step) if node else None
    return Layout(document.line_index.text, node) if node else None


def item_lines(items: list[Layout], index: int) -> CharRange:
    """Return the lines of an item of a block list, with the comments above it and the line break after it."""
    item = items[index]
    start = item.line_start(_dash(item))
    above = item.line_end(items[index - 1].whole[1]) + 1 if index else _comments_above(item.source, start)
    return min(above, start), min(item.line_end(max(item.whole[1], start)) + 1, len(item.source))


def _dash(item: Layout) -> int:
    return max(item.source.rfind("-", 0, item.node.value_range[0]), 0)


def _comments_above(source: str, start: int) -> int:
    """Return where the comment lines begin that stand right above a line."""
    while start:
        above = source.rfind("\n", 0, start - 1) + 1
        if not _COMMENT_LINE.fullmatch(source, above, start):
            break
        start = above
    return start
