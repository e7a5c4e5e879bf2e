"""A section that creates something: its form, and the files that it will write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.new_files import NewFile
from cardgen.studio.option_fields import OptionField
from cardgen.studio.page_words import explain
from cardgen.studio.pages.shared.elements import busy_button, button_row, fault_label, plain_button, title, with_props
from cardgen.studio.pages.shared.option_form import OptionForm, Values


class StartSection:
    """The section for a new `what`. `create` gets the form, and returns what keeps it from being written, or ''."""

    def __init__(
        self, what: str, about: str, create: Callable[[OptionForm], Awaitable[str]], *, is_primary: bool = False
    ) -> None:
        self._create = create
        self._show_preview: Callable[[OptionForm], None] = lambda _: None
        with with_props(ui.element("section").classes("start beside"), aria_label=f"New {what}"):
            with ui.element("div"):
                title(f"New {what}", 1 if is_primary else 2)
                ui.label(about).classes("option-help")
                self._form = OptionForm(f"New {what}", lambda _: self._show_preview(self._form), self._run)
                self._fault = fault_label().mark(f"{what}-fault")
                with button_row():
                    kind = "primary" if is_primary else ""
                    self._button = plain_button(f"Create the {what}", self._run, kind).mark(f"create-{what}")
            with ui.element("div").classes("start-files"):
                self._place = title("", 2)
                self._files = ui.element("ul").classes("boxes")

    def show(self, fields: tuple[OptionField, ...], values: Values, show_preview: Callable[[OptionForm], None]) -> None:
        """Show the form; `show_preview` shows the files again after each change."""
        self._show_preview = show_preview
        self._form.show(fields, values=values)
        show_preview(self._form)

    def show_files(self, place: str, files: Iterable[NewFile]) -> None:
        """Show which files there will be."""
        self._place.text = place
        self._files.clear()
        with self._files:
            for each in files:
                with ui.element("li"):
                    ui.label(each.path).classes("start-path")
                    ui.label(each.about).classes("option-help")

    async def _run(self) -> None:
        """Disable the button while the files are written, and show why they were not."""
        self._fault.text = ""
        with busy_button(self._button, "Creating …"):
            try:
                self._fault.text = await self._create(self._form)
            except (CardgenError, ProcessError) as error:
                self._fault.text = explain(error)
