"""What is at a position of a YAML file: the path of its key, and whether it is the key or the value."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.diagnostic import Span
from cardgen.editor.text import offset_at, span_of
from cardgen.source import Document, KeyPath
from cardgen.source.positions import Node, extent


class Cursor(NamedTuple):
    """A position in a document: `path` leads to the value, and `at_key` says that it is on the key."""

    document: Document
    offset: int
    path: KeyPath
    at_key: bool
    span: Span


def cursor_at(document: Document, line: int, column: int) -> Cursor | None:
    """Return what is at a line and column, which count from 1; None for blank parts and unreadable files."""
    if document.root is None:
        return None
    offset = offset_at(document.line_index.text, line, column)
    path, node, at_key = _descend(document.root, offset)
    char_range = node.key_range if at_key else node.value_range
    if node.children is not None and not at_key:
        return None
    return Cursor(document, offset, path, at_key, span_of(document, *char_range))


def _descend(node: Node, offset: int) -> tuple[KeyPath, Node, bool]:
    path: list[str | int] = []
    while True:
        items = node.children.items() if isinstance(node.children, dict) else enumerate(node.children or ())
        step, child = next(((step, child) for step, child in items if _covers(child, offset)), (None, None))
        if step is None or child is None:
            return tuple(path), node, False
        path.append(step)
        if child.key_range != child.value_range and child.key_range[0] <= offset <= child.key_range[1]:
            return tuple(path), child, isinstance(step, str)
        node = child


def _covers(node: Node, offset: int) -> bool:
    start, end = extent(node)
    return start <= offset <= end


def paths_to(document: Document, offset: int) -> KeyPath:
    """Return the path of the deepest value whose extent covers an offset."""
    return _descend(document.root, offset)[0] if document.root else ()
