"""The panel of the project in the header of all pages: problems and unsaved texts by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from nicegui.element import Element

from cardgen.diagnostic import Severity
from cardgen.studio.page_words import editor_address
from cardgen.studio.pages.elements import show_data
from cardgen.studio.studio import Studio

# Problems to list; the counts are those of all.
_MOST_PROBLEMS = 200
_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


class _PanelElement(Element, component="web/project_panel.js"):  # type: ignore[call-arg]
    """What the browser shows of the panel."""


class ProjectPanel:
    """The panel of a window."""

    def __init__(self, studio: Studio) -> None:
        self._studio, self._view = studio, _PanelElement()
        self.show()

    def show(self, _: tuple[str, ...] = ()) -> None:
        """Show what is known of the project by now."""
        data = panel_data(self._studio)
        if data != self._view._props.get("state"):
            show_data(self._view, state=data)


def panel_data(studio: Studio) -> Mapping[str, Any]:
    """Return the problems and drafts of a project by file, and what is not known yet."""
    files: dict[str, dict[str, Any]] = {file: _file(file, is_draft=True) for file in studio.drafts}
    order = {str(severity): number for number, severity in enumerate(_ORDER)}
    rows = sorted(studio.problems, key=lambda row: (order.get(row.severity, 0), row.file, row.span.line))
    for row in rows[:_MOST_PROBLEMS]:
        address = editor_address(row.file, row.span.line, row.cell) if row.is_in_project else ""
        problem = {"severity": row.severity, "message": row.message, "help": row.help}
        listed = files.setdefault(row.file, _file(row.file, is_draft=False))["problems"]
        same = next((each for each in listed if problem.items() <= each.items()), None)
        if same is None:
            listed.append(same := {**problem, "places": []})
        same["places"].append({"place": row.place, "address": address})
    return {
        "files": [*files.values()],
        "counts": dict(Counter(row.severity for row in rows)),
        "more": max(0, len(rows) - _MOST_PROBLEMS),
        "drafts": len(studio.drafts),
        "fault": studio.drafts.problem,
        "unchecked": studio.check_fault,
        "checked": studio.is_checked,
        "waiting": studio.unseen,
    }


def _file(file: str, *, is_draft: bool) -> dict[str, Any]:
    return {"file": file, "address": editor_address(file), "draft": is_draft, "problems": []}
