"""The choice between a text that is not saved and a file that others have changed."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from cardgen.studio.pages.shared.elements import button_row, details, plain_button


class ConflictBar:
    """A bar above the text, hidden until there is a conflict."""

    def __init__(self) -> None:
        self._bar = ui.element("div").classes("bar warning").props('role="alert"')
        self._shown = ""
        self.hide()

    def hide(self) -> None:
        """Hide the bar."""
        self._shown = ""
        self._bar.set_visibility(False)

    def show(
        self, difference: str, on_theirs: Callable[[], None], on_mine: Callable[[], None], *, was_deleted: bool
    ) -> None:
        """Show the difference of the texts, and buttons to choose one; a bar that shows it already stays as it is."""
        if difference and difference == self._shown:
            return
        self._shown = difference
        words = "was deleted" if was_deleted else "has changed"
        self._bar.clear()
        with self._bar:
            ui.label(f"The file {words} outside the studio while you were editing. Nothing has been overwritten.")
            with button_row():
                plain_button("Use the file's text", on_theirs).mark("use-theirs")
                plain_button("Keep my text", on_mine).mark("keep-mine")
            with details("Show the differences"):
                ui.label(difference).classes("diff")
        self._bar.set_visibility(True)
