"""Code actions: fixes of findings, suggestions of similar names, and suppression comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.checking.locate import is_editable
from cardgen.diagnostic import Span
from cardgen.editor.session import Problem, Session
from cardgen.editor.text import TextEdit, is_block, offset_at, scalar_like

_SUGGESTION = re.compile(r"did you mean ('[^']+'(?:(?:, or |, | or )'[^']+')*)\?")
_NAME = re.compile(r"'([^']+)'")
_SUPPRESSION = "  # cardgen: ignore"


class CodeAction(NamedTuple):
    """An edit for a problem; a `preferred` one is certainly what the author meant."""

    title: str
    problem: Problem
    edits: tuple[TextEdit, ...]
    preferred: bool = False


def code_actions(session: Session, problems: Iterable[Problem]) -> list[CodeAction]:
    """Return the actions for some problems, the fixes first."""
    every = [action for problem in problems for action in _actions(session, problem)]
    return sorted(dict.fromkeys(every), key=lambda action: not action.preferred)


def is_suppression(edits: Iterable[TextEdit]) -> bool:
    """Return whether edits only add a comment that suppresses a problem."""
    return all(edit.text.startswith(_SUPPRESSION) for edit in edits)


def fix_all(problems: Iterable[Problem]) -> tuple[TextEdit, ...]:
    """Return the safe fixes of problems that do not overlap."""
    edits: list[TextEdit] = []
    for problem in sorted(problems, key=lambda each: each.diagnostic.sort_key()):
        span = problem.diagnostic.place.span
        if problem.fix and problem.fix.safe and span and not (edits and _overlap(edits[-1].span, span)):
            edits.append(TextEdit(problem.path, span, problem.fix.text))
    return tuple(edits)


def _overlap(one: Span, other: Span) -> bool:
    return (other.line, other.column) < (one.end_line, one.end_column)


def _actions(session: Session, problem: Problem) -> Iterator[CodeAction]:
    diagnostic = problem.diagnostic
    span = diagnostic.place.span
    if span is None or not is_editable(diagnostic.place) or not session.owns(problem.path):
        return
    text = session.text(problem.path)
    source = session.document(problem.path).line_index.text
    old = source[offset_at(source, span.line, span.column) : offset_at(source, span.end_line, span.end_column)]
    if problem.fix:
        title = f"Replace with '{problem.fix.text}'" if problem.fix.text.strip() else "Remove"
        edit = TextEdit(problem.path, span, problem.fix.text)
        yield CodeAction(title, problem, (edit,), preferred=problem.fix.safe)
    match = _SUGGESTION.search(diagnostic.message) or _SUGGESTION.search(diagnostic.help)
    names = _NAME.findall(match[1]) if match else []
    for name in names if not is_block(old) else ():
        # The text in place of the old one: of the word that the message names, or of all of it.
        word = _NAME.search(diagnostic.message)
        if word and word[1] != old.strip("\"'") and old.count(word[1]) == 1:
            replacement = old.replace(word[1], name)
        else:
            replacement = scalar_like(old, name)
        edit = TextEdit(problem.path, span, replacement)
        yield CodeAction(f"Change to '{name}'", problem, (edit,), preferred=len(names) == 1)
    if problem.can_ignore and text:
        yield _suppression(problem, source, span)


def _suppression(problem: Problem, source: str, span: Span) -> CodeAction:
    """Return the action that adds a comment at the end of the line, for which the author gives the reason."""
    end = source.find("\n", offset_at(source, span.line, 1))
    line = source[offset_at(source, span.line, 1) : end if end >= 0 else len(source)]
    at = len(line.rstrip()) + 1
    place = Span(span.line, at, span.line, len(line) + 1)
    comment = f"{_SUPPRESSION}[{problem.diagnostic.code}] TODO: give a reason"
    edit = TextEdit(problem.path, place, comment)
    return CodeAction(f"Ignore {problem.check} on this line", problem, (edit,))
