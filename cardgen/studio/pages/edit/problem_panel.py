"""The problems of the file that is being written: a list, and marks in the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.element import Element

from cardgen.editor.text import apply_edits, offset_at
from cardgen.studio.engine.answers import ProblemRow


class _ProblemList(Element, component="problem_list.js"):  # type: ignore[call-arg]
    """The problems of the file that is being written."""


class ProblemPanel:
    """A list of problems beside the editor of their text."""

    def __init__(self, editor: ui.codemirror, on_fix: Callable[[Any], object]) -> None:
        self._editor = editor
        self._rows: tuple[ProblemRow, ...] = ()
        self._list = _ProblemList()
        self._list.on("go", lambda event: editor.reveal_line(int(event.args)))
        self._list.on("fix", on_fix)
        self._list._props.update(problems=[], checked=False, revision=0)

    def show(self, rows: tuple[ProblemRow, ...], text: str, revision: int) -> None:
        """Show the problems of a text."""
        self._rows = rows
        self._list._props.update(problems=[problem_data(row) for row in rows], checked=True, revision=revision)
        self._list.update()
        self._editor.decorations = list(filter(None, (_decoration(text, row) for row in rows)))
        tooltips: dict[int, str] = {}
        for row in rows:
            tooltips[row.span.line] = "\n".join(filter(None, (tooltips.get(row.span.line), row.message)))
        self._editor.line_tooltips = tooltips

    def fixed_text(self, problem: int, action: int, text: str, path: Path) -> str:
        """Return the text of a file with a quick fix, or unchanged if there is no such fix."""
        actions = self._rows[problem].actions if 0 <= problem < len(self._rows) else ()
        edits = actions[action].edits if 0 <= action < len(actions) else ()
        return apply_edits(text, [edit for edit in edits if edit.path == path])


def problem_data(row: ProblemRow) -> dict[str, Any]:
    """Return what the list of problems shows of a problem."""
    names = ("code", "check", "severity", "message", "help", "reason")
    data = {name: getattr(row, name) for name in names}
    return {**data, "line": row.span.line, "actions": [action.title for action in row.actions]}


def _decoration(text: str, row: ProblemRow) -> dict[str, Any] | None:
    """Return the mark of a problem in the text, or None if it is empty."""
    start = offset_at(text, row.span.line, row.span.column)
    end = offset_at(text, row.span.end_line, row.span.end_column)
    return {"kind": "mark", "from": start, "to": end, "class": f"problem-{row.severity}"} if start < end else None
