"""Positions, ranges, and edits of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import Place, Span
from cardgen.source import Document


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


def plain_text(markup: str) -> str:
    """Return a marked-up text without its marks."""
    return re.sub(r"\\([\\*{}])|\*+|(\{[\w-]+\})", lambda match: match[1] or match[2] or "", markup)
