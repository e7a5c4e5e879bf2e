"""The view of all cards: a grid with search and filters."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from nicegui import ui
from nicegui.element import Element

from cardgen.studio.engine.answers import CardRow
from cardgen.studio.page_words import editor_address
from cardgen.studio.pages.card_actions import CardActions
from cardgen.studio.pages.elements import details, plain_button, with_props
from cardgen.studio.pages.window import add_styles, listen, page_frame, undo_step
from cardgen.studio.studio import Studio


class CardGrid(Element, component="web/card_grid.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """A grid of cards, filtered in the browser, whose pictures load when they are scrolled into view."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._props["project"] = str(studio.root)
        self.load()

    def load(self) -> None:
        """Show the cards of the project."""
        state = self._studio.state
        unread = {row.key for row in state.unread}
        sheets = {sheet: number for number, sheet in enumerate(dict.fromkeys(row.sheet for row in state.cards))}
        rows = sorted((*state.cards, *state.unread), key=lambda row: (row.file, sheets.get(row.sheet, 0), row.line))
        self._props["cards"] = [{**row._asdict(), "unread": row.key in unread} for row in rows]
        self._props["reasons"] = [
            {
                "file": each.file,
                "place": each.place,
                "message": each.message,
                "address": editor_address(each.file, each.span.line, each.cell),
            }
            for each in state.problems
        ]
        self._props["languages"] = [*state.languages]
        self._props["status"] = self._status()
        self.update()

    def show_progress(self) -> None:
        """Show findings, and how full the cards are, as far as they are known."""
        self.run_method("setProgress", self._status())

    def _status(self) -> dict[str, Any]:
        studio = self._studio
        fills = {row.key: fill for row in studio.state.cards if (fill := studio.fill_of(row)) is not None}
        return {
            "checked": studio.is_checked,
            "fault": studio.check_fault,
            "fills": fills,
            "problems": _problem_counts(studio),
            "gaps": studio.gaps,
            "drafts": [*studio.drafts],
        }


def _problem_counts(studio: Studio) -> dict[str, dict[str, int]]:
    """Return the number of findings of each severity by card; those above the first card of a file are its own."""
    starts: dict[tuple[str, str], list[CardRow]] = {}
    for row in sorted(studio.state.cards, key=lambda row: row.line):
        starts.setdefault((row.file, row.sheet), []).append(row)
    counts: dict[str, Counter[str]] = {}
    for problem in studio.problems:
        rows = starts.get((problem.file, problem.cell.rpartition(":")[0]), ())
        owner = next((row for row in reversed(rows) if row.line <= problem.span.line), rows[0] if rows else None)
        if owner:
            counts.setdefault(owner.key, Counter())[problem.severity] += 1
    return {key: dict(count) for key, count in counts.items()}


# Changes to list; older ones stay on the disk.
_MOST_STEPS = 20


def _show_history(studio: Studio) -> None:
    """List the changes of whole cards, each with a button that undoes it."""

    def show() -> None:
        steps = studio.history.steps[:_MOST_STEPS]
        element.set_visibility(bool(steps))
        rows.clear()
        with rows:
            for step in steps:
                with ui.element("li"):
                    ui.label(f"{datetime.fromtimestamp(step.time):%Y-%m-%d %H:%M}: {step.title}")
                    undo = plain_button("Undo", lambda step=step: undo_step(studio, step))
                    with_props(undo, aria_label=f"Undo: {step.title}")

    with details("Changes that can be undone") as element:
        element.classes("cards-history")
        rows = ui.element("ul")
    show()
    listen(studio.history.on_change, show)


async def show_cards(studio: Studio) -> None:
    """Show the page with all cards."""
    await studio.ready.wait()
    with page_frame(studio, "cards"):
        add_styles("cards")
        grid = CardGrid(studio)
        CardActions(studio)
        _show_history(studio)

    listen(studio.on_change, lambda _: grid.load())
    listen(studio.on_progress, grid.show_progress)
    listen(studio.drafts.on_change, grid.show_progress)
