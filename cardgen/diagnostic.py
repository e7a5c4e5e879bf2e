"""Located diagnostics, and the error that carries them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

# A source line is shown up to this length, in characters; of a longer one only the part around the place.
LONGEST_LINE = 160
# How many characters stand before the place in a clipped line.
_CONTEXT = 40
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


class Severity(StrEnum):
    """How grave a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A stretch of text: lines and columns count from 1, the end column lies just behind the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class Place(NamedTuple):
    """Where something stands.

    `file` is the path as the user would type it, `span` is None for a whole file, and `excerpt` is the first
    source line of the span, without its line break, so that nobody has to read the file again.
    """

    file: str
    span: Span | None = None
    source_line: str = ""

    def __str__(self) -> str:
        return self.file if self.span is None else f"{self.file}:{self.span.line}:{self.span.column}"


class Diagnostic(NamedTuple):
    """One located message: what is wrong, where, and what to do.

    `code` names the check or the fixed limit ('CG101'), `help` says how to mend it, `related` names further
    places with a word on each ('first defined here').
    """

    code: str
    message: str
    place: Place
    help: str = ""
    severity: Severity = Severity.ERROR
    related: tuple[tuple[Place, str], ...] = ()

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """File, then place, then code: the order of every report."""
        span = self.place.span
        line, column = (span.line, span.column) if span else (0, 0)
        return (self.place.file, line, column, self.code, self.message)

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}[{self.code}]: {self.message}"


class CardgenError(Exception):
    """Something the user can mend; anything else is our own bug and shows its traceback."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=Diagnostic.sort_key))
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))


def stop_on_errors(diagnostics: Iterable[Diagnostic]) -> None:
    """Raise a CardgenError with all diagnostics if one of them is an error."""
    collected = tuple(diagnostics)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in collected):
        raise CardgenError(*collected)


def format_diagnostic(diagnostic: Diagnostic) -> str:
    """The message with its source line and a caret under the place, as a compiler prints it.

    Control characters, with which a file could write over what the terminal shows, are replaced.
    """
    lines = [str(diagnostic), *_caret_lines(diagnostic.place)]
    for place, label in diagnostic.related:
        lines.append(f"  {place}: {label}")
        lines.extend(_caret_lines(place))
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(_CONTROL.sub("\ufffd", line) for line in lines)


def _caret_lines(place: Place) -> list[str]:
    if place.span is None or not place.source_line:
        return []
    number = str(place.span.line)
    gutter = " " * len(number)
    text = place.source_line.rstrip()
    start = place.span.column - 1
    end = place.span.end_column - 1 if place.span.end_line == place.span.line else len(text)
    text, start, end = _clip(text, start, max(start + 1, min(end, len(text))))
    lead = "".join("\t" if character == "\t" else " " for character in text[:start])
    return [f" {gutter} |", f" {number} | {text}", f" {gutter} | {lead}{'^' * (end - start)}"]


def _clip(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Clip a long line around a place, with an ellipsis at each cut; the place is clipped to what is shown."""
    if len(text) <= LONGEST_LINE:
        return text, start, end
    first = max(0, min(start - _CONTEXT, len(text) - LONGEST_LINE))
    last = min(len(text), first + LONGEST_LINE)
    before, after = ("…" if first else ""), ("…" if last < len(text) else "")
    shift = len(before) - first
    return f"{before}{text[first:last]}{after}", start + shift, min(end, last) + shift
