"""Formatting that keeps comments, layout, and meaning: spaces, line ends, and the last line."""

from __future__ import annotations

import re

from cardgen.source import Document, parse_document
from cardgen.source.positions import Node

_SPACES_AT_END = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{4,}")
_COMMENT = re.compile(r"(?m)^([ ]*)#(?=[^\s#!:])")


def format_text(text: str) -> str:
    """Return the text in normal form, or unchanged if it cannot be read or its meaning would change.

    Lines have no spaces at their end, comments begin with '# ', at most two blank lines follow each other, and the file
    ends with one line feed.
    """
    before = parse_document(text, "")
    if before.root is None or any(each.code != "CG014" for each in before.diagnostics):
        return text
    mark = "\ufeff" if before.has_byte_order_mark else ""
    source = before.line_index.text
    after = _normalized(source, _texts_over_lines(before.root, source))
    return mark + after if _same(before, parse_document(after, "")) else text


def _normalized(source: str, kept: list[tuple[int, int]]) -> str:
    """Normalize everything but texts of several lines."""
    pieces: list[str] = []
    done = 0
    for start, end in sorted(kept):
        pieces += [_normalize_part(source[done:start]), source[start:end]]
        done = end
    text = "".join([*pieces, _normalize_part(source[done:], is_last=True)])
    return f"{text.strip(chr(10))}\n"


def _normalize_part(part: str, *, is_last: bool = False) -> str:
    lines = part.split("\n")
    trimmed = [line.rstrip(" \t") if is_last or number < len(lines) - 1 else line for number, line in enumerate(lines)]
    return _COMMENT.sub(r"\1# ", _BLANK_LINES.sub("\n\n\n", "\n".join(trimmed)))


def _texts_over_lines(node: Node, source: str) -> list[tuple[int, int]]:
    if node.children is None:
        return [node.value_range] if "\n" in source[slice(*node.value_range)] else []
    children = node.children.values() if isinstance(node.children, dict) else node.children
    return [each for child in children for each in _texts_over_lines(child, source)]


def _same(before: Document, after: Document) -> bool:
    comments = [[comment.text.strip() for comment in document.comments()] for document in (before, after)]
    return before.data == after.data and comments[0] == comments[1]
