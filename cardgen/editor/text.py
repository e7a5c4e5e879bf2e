"""Positions and edits of texts: ranges, YAML scalars as authors write them, and formatting."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import Place, Span
from cardgen.source import Document, parse_document
from cardgen.source.composer import Node


class Location(NamedTuple):
    """A range of a file; `path` is absolute."""

    path: Path
    span: Span


class TextEdit(NamedTuple):
    """A replacement of the characters of a span."""

    path: Path
    span: Span
    text: str


FIRST_CHARACTER = Span(1, 1, 1, 1)


def offset_at(text: str, line: int, column: int) -> int:
    """Return the index of a character by line and column, which count from 1 and may lie behind the end."""
    start = 0
    for _ in range(line - 1):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    end = text.find("\n", start)
    return min(start + column - 1, end if end >= 0 else len(text))


def span_between(text: str, start: int, end: int) -> Span:
    """Return the span of the characters from `start` to `end` (exclusive) of a text."""
    places = ((text.count("\n", 0, each) + 1, each - text.rfind("\n", 0, each)) for each in (start, end))
    (line, column), (end_line, end_column) = places
    return Span(line, column, end_line, end_column)


def span_of(document: Document, start: int, end: int) -> Span:
    """Return the span of the characters from `start` to `end` (exclusive)."""
    span = document.line_index.place(start, end).span
    assert span is not None, "places in texts have a span"
    return span


def span_at(place: Place) -> Span:
    """Return the span of a place, or the first character for a whole file."""
    return place.span if place.span and not place.is_cell else FIRST_CHARACTER


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with edits that do not overlap."""
    every = list(edits)
    ranges = [
        (offset_at(text, each.span.line, each.span.column), offset_at(text, each.span.end_line, each.span.end_column))
        for each in every
    ]
    for (start, end), edit in sorted(zip(ranges, every, strict=True), key=lambda pair: pair[0], reverse=True):
        text = text[:start] + edit.text + text[end:]
    return text


def shared_length(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginnings."""
    different = (index for index, (own, their) in enumerate(zip(one, other, strict=False)) if own != their)
    return next(different, min(len(one), len(other)))


def plain_text(markup: str) -> str:
    """Return a marked-up text without its marks."""
    return re.sub(r"\\([\\*{}])|\*+|(\{[\w-]+\})", lambda match: match[1] or match[2] or "", markup)


def scalar_like(old: str, text: str) -> str:
    """Return a text as a scalar in the style of an old one, or in double quotes if that style cannot hold it."""
    if old.startswith('"') or "\n" in text:
        return json.dumps(text, ensure_ascii=False)
    if old.startswith("'"):
        return "'" + text.replace("'", "''") + "'"
    return text if is_plain(text) else json.dumps(text, ensure_ascii=False)


def is_plain(text: str) -> bool:
    """Return whether a text needs no quotes, in lists and maps of both styles."""
    document = parse_document(f"[{{key: {text}}}]", "")
    return not document.diagnostics and document.data == [{"key": text}]


def is_block(old: str) -> bool:
    """Return whether a scalar is written as a block, which edits leave alone."""
    return old.startswith(("|", ">"))


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
