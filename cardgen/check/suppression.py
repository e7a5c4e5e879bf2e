"""Comments that tell checks to be silent: '# cardgen: ignore[CODE] reason', for a line, a card, or a file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cardgen.check.locating import Found
from cardgen.check.registry import Registry
from cardgen.diagnostic import Diagnostic, Place, Severity, Span
from cardgen.source import Comment, Document

MALFORMED, UNUSED = "CG016", "CG017"
_MARK = "cardgen:"
_IGNORE = re.compile(r"cardgen:\s*ignore\[([^\]]*)\]\s*(.*)")
_WRITE = "write '# cardgen: ignore[CODE] why'"


@dataclass(slots=True)
class Ignore:
    """One word of an ignore, the lines that it bears on, from the first to the last, and what it has silenced."""

    word: str
    place: Place
    first: int
    last: int
    codes: frozenset[str]
    used: bool = False

    def covers(self, found: Found) -> bool:
        """Whether the ignore speaks of a finding."""
        places = (found.diagnostic.place, found.anchor)
        lines = [place.span.line for place in places if place and place.span]
        near = any(self.first <= line <= self.last for line in lines) or not lines
        return near and found.check.code in self.codes and not found.check.fixed


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignores of all files, and what is wrong with them."""

    by_file: dict[str, list[Ignore]] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def silence(self, found: Iterable[Found]) -> list[Found]:
        """The findings that nobody ignores."""
        loud = []
        for one in found:
            silencing = [each for each in self.by_file.get(one.diagnostic.place.file, ()) if each.covers(one)]
            for each in silencing:
                each.used = True
            if not silencing:
                loud.append(one)
        return loud

    def unused(self, ran: frozenset[str]) -> list[Diagnostic]:
        """A diagnostic for every ignore that silenced nothing, as far as all checks that it names ran."""
        idle = [each for ignores in self.by_file.values() for each in ignores if not each.used and each.codes <= ran]
        return [
            Diagnostic(UNUSED, f"'{each.word}' is ignored here, but not found", each.place, "remove it",
                       Severity.WARNING)
            for each in idle
        ]  # fmt: skip


def ignores(documents: Iterable[Document], registry: Callable[[], Registry]) -> Ignores:
    """Read the ignores from the comments of all files; the checks are asked for where there is one."""
    result = Ignores()
    for document in documents:
        if _MARK in document.lines.text:
            _read(document, registry(), result)
    return result


def _read(document: Document, registry: Registry, result: Ignores) -> None:
    lines = document.lines.text.split("\n")
    comments = document.comments()
    alone = {comment.line for comment in comments if lines[comment.line - 1].lstrip().startswith("#")}
    content = [number for number, line in enumerate(lines, 1) if line.strip() and number not in alone]
    for comment in comments:
        if not comment.text.startswith(_MARK):
            continue
        place = _place(document, comment, lines[comment.line - 1])
        match = _IGNORE.fullmatch(comment.text)
        words = [word.strip() for word in match[1].split(",")] if match else []
        problem = _problem(words, match[2] if match else None, registry)
        if problem:
            result.problems.append(Diagnostic(MALFORMED, problem, place, _WRITE))
            continue
        reach = _reach(document, comment.line, alone, content)
        for word in words:
            codes = frozenset(check.code for check in registry.named(word))
            result.by_file.setdefault(document.file, []).append(Ignore(word, place, *reach, codes))


def _problem(words: Sequence[str], reason: str | None, registry: Registry) -> str:
    """What is wrong with an ignore; '' when it is right."""
    if reason is None:
        return "this comment is not understood"
    if not any(words):
        return "the ignore names no check"
    for word in words:
        refusal = registry.refusal(word, to_ignore=True)
        if refusal:
            return refusal
    return "" if reason.strip() else "the ignore gives no reason"


def _place(document: Document, comment: Comment, line: str) -> Place:
    start = line.rindex("#", 0, line.rindex(_MARK)) + 1
    return Place(document.file, Span(comment.line, start, comment.line, len(line.rstrip()) + 1), line)


def _reach(document: Document, line: int, alone: set[int], content: Sequence[int]) -> tuple[int, int]:
    """The lines that an ignore bears on: its own, those of the card that the next line belongs to, or all."""
    if line not in alone:
        return line, line
    end = document.lines.number(len(document.lines.text)) + 1
    if not content or line < content[0]:
        return 1, end
    cards = document.data.get("cards") if isinstance(document.data, dict) else None
    starts = [_line(document.place(("cards", index))) for index in range(len(cards) if isinstance(cards, list) else 0)]
    following = next((number for number in content if number > line), end)
    index = bisect_right(starts, following) - 1
    if index < 0:
        return 1, end
    return starts[index], starts[index + 1] - 1 if index + 1 < len(starts) else end


def _line(place: Place) -> int:
    return place.span.line if place.span else 1
