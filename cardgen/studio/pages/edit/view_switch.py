"""The choice between form, text, and both."""

from __future__ import annotations

from nicegui import ui

from cardgen.studio.pages.shared.elements import with_props

_VIEWS = {"form": "Form", "both": "Both", "text": "Text"}


class ViewSwitch:
    """Buttons that show the form, the text, or both in a page."""

    def __init__(self, page: ui.element) -> None:
        self._page = page
        self._buttons: dict[str, ui.element] = {}
        with ui.element("span").classes("segments").props('role="group" aria-label="View"'):
            for view, name in _VIEWS.items():
                with ui.element("button").props("type=button") as button:
                    ui.label(name)
                button.on("click", lambda _, view=view: self.choose(view))
                self._buttons[view] = button
        self.choose("both")

    def choose(self, chosen: str) -> None:
        """Show `form`, `both`, or `text`."""
        self._page.classes(replace=f"edit view-{chosen}")
        for view, button in self._buttons.items():
            with_props(button, aria_pressed=str(view == chosen).lower())
