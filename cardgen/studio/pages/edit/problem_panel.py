"""The problems of the file that is being written: a list, and marks in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nicegui import ui
from nicegui.element import Element

from cardgen.diagnostic import Severity
from cardgen.editor.text import apply_edits, offset_at
from cardgen.studio.engine.answers import ProblemRow
from cardgen.studio.page_words import editor_address
from cardgen.studio.pages.shared.elements import show_data

_MOST_LISTS = 4


class _ProblemList(Element, component="problem_list.js"):  # type: ignore[call-arg]
    """The problems of the file that is being written."""


class OfferedFix(NamedTuple):
    """A quick fix by what its button and its problem say, and the number of equal ones before and after it."""

    code: str
    message: str
    title: str
    equals: tuple[int, int]


class ProblemPanel:
    """A list of problems beside the editor of their text."""

    def __init__(self, editor: ui.codemirror, file: str, on_fix: Callable[[Any], object]) -> None:
        self._editor, self._file = editor, file
        # The problems of the last texts that were checked, by the revision of the text.
        self._rows: dict[int, tuple[ProblemRow, ...]] = {}
        self._list = _ProblemList()
        self._list.on("go", lambda event: editor.reveal_line(int(event.args)))
        self._list.on("fix", on_fix)
        self._list._props.update(problems=[], checked=False, fault="", revision=0)

    def expect(self) -> None:
        """Say that the text is being checked, until its problems are shown."""
        self._list.run_method("expect")

    def show_fault(self, fault: str) -> None:
        """Say why the text cannot be checked."""
        show_data(self._list, problems=[], checked=False, fault=fault)

    def show(self, rows: tuple[ProblemRow, ...], text: str, revision: int, fault: str = "") -> None:
        """Show the problems of a text, and why it was not checked completely; rows of other files have a path."""
        self._rows[revision] = rows
        for oldest in [*self._rows][:-_MOST_LISTS]:
            del self._rows[oldest]
        data = [problem_data(row, self._file) for row in rows]
        show_data(self._list, problems=data, checked=True, fault=fault, revision=revision)
        own = tuple(row for row in rows if row.file == self._file)
        self._editor.decorations = list(filter(None, (_decoration(text, row) for row in own)))
        tooltips: dict[int, str] = {}
        for row in own:
            tooltips[row.span.line] = "\n".join(filter(None, (tooltips.get(row.span.line), row.message)))
        self._editor.line_tooltips = tooltips

    def breaks(self, revision: int) -> tuple[ProblemRow, ...]:
        """Return the problems that other files get if a revision of the text is saved."""
        return tuple(row for row in self._rows.get(revision, ()) if not row.code and row.severity == Severity.WARNING)

    def offer(self, problem: int, action: int, revision: int) -> OfferedFix | None:
        """Return a quick fix that was offered for a revision of the text, or None if that is too old."""
        return dict(self._offers(revision)).get((problem, action))

    def fixed_text(self, fix: OfferedFix, revision: int, text: str, path: Path) -> str | None:
        """Return the text of a file with a quick fix; None if the fix is not offered for this revision."""
        place = next((place for place, offer in self._offers(revision) if offer == fix), None)
        if place is None:
            return None
        problem, action = place
        edits = self._rows[revision][problem].actions[action].edits
        return apply_edits(text, [edit for edit in edits if edit.path == path])

    def _offers(self, revision: int) -> Iterator[tuple[tuple[int, int], OfferedFix]]:
        """Yield the places and the fixes of a revision."""
        texts = {
            (problem, action): (row.code, row.message, each.title)
            for problem, row in enumerate(self._rows.get(revision, ()))
            for action, each in enumerate(row.actions)
        }
        total, before = Counter(texts.values()), Counter[tuple[str, str, str]]()
        for place, text in texts.items():
            before[text] += 1
            yield place, OfferedFix(*text, (before[text], total[text]))


def problem_data(row: ProblemRow, file: str) -> dict[str, Any]:
    """Return what the list of problems of a file shows of a problem, which may be of another file."""
    names = ("file", "code", "check", "severity", "message", "help", "reason")
    data = {name: getattr(row, name) for name in names}
    place = f"line {row.span.line}"
    is_own = row.file == file
    return {
        **data,
        "line": row.span.line if is_own else 0,
        "place": place if is_own else f"{row.file}, {place}",
        "address": "" if is_own or not row.is_in_project else editor_address(row.file, row.span.line),
        "actions": [action.title for action in row.actions],
    }


def _decoration(text: str, row: ProblemRow) -> dict[str, Any] | None:
    """Return the mark of a problem in the text, or None if it is empty."""
    start = offset_at(text, row.span.line, row.span.column)
    end = offset_at(text, row.span.end_line, row.span.end_column)
    return {"kind": "mark", "from": start, "to": end, "class": f"problem-{row.severity}"} if start < end else None
