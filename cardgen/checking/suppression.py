"""Suppression comments for a line, a card, or a file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cardgen.checking.locate import LocatedFinding
from cardgen.checking.registry import Registry
from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place, Severity, Span
from cardgen.source import Comment, Document

_MARK = "cardgen:"
_IGNORE = re.compile(r"cardgen:\s*ignore\[([^\]]*)\]\s*(.*)")
_ADVICE = "write '# cardgen: ignore[CODE] reason'"


@dataclass(slots=True)
class Suppression:
    """A word in a suppression comment, with the lines it covers."""

    word: str
    place: Place
    first_line: int
    last_line: int
    codes: frozenset[str]
    used: bool = False

    def covers(self, finding: LocatedFinding) -> bool:
        """Return whether the comment suppresses a finding."""
        places = (finding.diagnostic.place, finding.anchor)
        lines = [place.span.line for place in places if place and place.span]
        near = any(self.first_line <= line <= self.last_line for line in lines) or not lines
        return near and finding.check.code in self.codes and not finding.check.is_fixed_limit


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The suppression comments of all files, and problems with them."""

    by_file: dict[str, list[Suppression]] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def filter_findings(self, findings: Iterable[LocatedFinding]) -> list[LocatedFinding]:
        """Return the findings that are not suppressed."""
        remaining = []
        for one in findings:
            covering = [each for each in self.by_file.get(one.diagnostic.place.file, ()) if each.covers(one)]
            for each in covering:
                each.used = True
            if not covering:
                remaining.append(one)
        return remaining

    def unused_diagnostics(self, codes_run: frozenset[str]) -> list[Diagnostic]:
        """Return a diagnostic for each unused suppression whose checks all ran."""
        unused_ones = [
            each
            for suppressions in self.by_file.values()
            for each in suppressions
            if not each.used and each.codes <= codes_run
        ]
        return [
            Diagnostic(
                Code.UNUSED_SUPPRESSION,
                f"unused suppression of '{each.word}'",
                each.place,
                "remove the comment",
                Severity.WARNING,
            )
            for each in unused_ones
        ]


def read_suppressions(documents: Iterable[Document], registry: Callable[[], Registry]) -> Suppressions:
    """Read the suppression comments of all files."""
    result = Suppressions()
    for document in documents:
        if _MARK in document.line_index.text:
            _read_document(document, registry(), result)
    return result


def _read_document(document: Document, registry: Registry, result: Suppressions) -> None:
    lines = document.line_index.text.split("\n")
    comments = document.comments()
    own_line_comments = {comment.line for comment in comments if lines[comment.line - 1].lstrip().startswith("#")}
    content = [number for number, line in enumerate(lines, 1) if line.strip() and number not in own_line_comments]
    for comment in comments:
        if not comment.text.startswith(_MARK):
            continue
        place = _comment_place(document, comment, lines[comment.line - 1])
        match = _IGNORE.fullmatch(comment.text)
        words = [word.strip() for word in match[1].split(",")] if match else []
        problem = _problem(words, match[2] if match else None, registry)
        if problem:
            result.problems.append(Diagnostic(Code.MALFORMED_SUPPRESSION, problem, place, _ADVICE))
            continue
        line_range = _line_range(document, comment.line, own_line_comments, content)
        for word in words:
            codes = frozenset(check.code for check in registry.matching(word))
            result.by_file.setdefault(document.file, []).append(Suppression(word, place, *line_range, codes))


def _problem(words: Sequence[str], reason: str | None, registry: Registry) -> str:
    """Return the problem of a suppression comment, or ''."""
    if reason is None:
        return "not a valid suppression comment"
    if not any(words):
        return "suppression comment without a check"
    for word in words:
        refusal = registry.refusal(word, to_ignore=True)
        if refusal:
            return refusal
    return "" if reason.strip() else "suppression comment without a reason"


def _comment_place(document: Document, comment: Comment, line: str) -> Place:
    start = line.rindex("#", 0, line.rindex(_MARK)) + 1
    return Place(document.file, Span(comment.line, start, comment.line, len(line.rstrip()) + 1), line)


def _line_range(document: Document, line: int, own_line_comments: set[int], content: Sequence[int]) -> tuple[int, int]:
    """Return the lines covered: its own, the next card's, or all."""
    if line not in own_line_comments:
        return line, line
    end = document.line_index.line_number(len(document.line_index.text)) + 1
    if not content or line < content[0]:
        return 1, end
    cards = document.data.get("cards") if isinstance(document.data, dict) else None
    starts = [
        _start_line(document.place(("cards", index))) for index in range(len(cards) if isinstance(cards, list) else 0)
    ]
    following = next((number for number in content if number > line), end)
    index = bisect_right(starts, following) - 1
    if index < 0:
        return 1, end
    return starts[index], starts[index + 1] - 1 if index + 1 < len(starts) else end


def _start_line(place: Place) -> int:
    return place.span.line if place.span else 1
