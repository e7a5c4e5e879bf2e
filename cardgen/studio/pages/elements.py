"""Elements of the editor's page, and the data that they show."""

from __future__ import annotations

import json
from typing import Any

from nicegui import ui
from nicegui.element import Element

from cardgen.editor.text import offset_at
from cardgen.studio.engine.answers import ProblemRow


class CardView(Element, component="card_view.js"):  # type: ignore[call-arg]
    """The picture of the card that is being written."""


class ProblemList(Element, component="problem_list.js"):  # type: ignore[call-arg]
    """The problems of the file that is being written."""


def name_text(file: str) -> None:
    """Give the code editor a name for screen readers; it takes none from its element."""
    label = json.dumps(f"Text of {file}. Press Escape, then Tab to leave it.")
    ui.run_javascript(f"document.querySelector('.cm-content')?.setAttribute('aria-label', {label})")


def problem_data(row: ProblemRow) -> dict[str, Any]:
    """Return what the list of problems shows of a problem."""
    names = ("code", "check", "severity", "message", "help", "reason")
    data = {name: getattr(row, name) for name in names}
    return {**data, "line": row.span.line, "actions": [action.title for action in row.actions]}


def decoration(text: str, row: ProblemRow) -> dict[str, Any] | None:
    """Return the mark of a problem in the text, or None if it is empty."""
    start, end = (
        offset_at(text, row.span.line, row.span.column),
        offset_at(text, row.span.end_line, row.span.end_column),
    )
    if start >= end:
        return None
    return {"kind": "mark", "from": start, "to": end, "class": f"problem-{row.severity}"}
