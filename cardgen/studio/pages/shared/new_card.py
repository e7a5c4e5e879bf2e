"""The button that writes a new card, with its dialog."""

from __future__ import annotations

from urllib.parse import urlencode

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.page_words import CHOICE, OptionField, explain, plain_choices
from cardgen.studio.pages.shared.elements import busy_button, button_row, dialog_box, fault_label, plain_button
from cardgen.studio.pages.shared.option_form import OptionForm
from cardgen.studio.studio import Studio


def new_card_button(studio: Studio) -> None:
    """Show the button; without a project, it leads to the page that creates one."""
    if studio.has_project:
        dialog = _NewCardDialog(studio)
        plain_button("New card", dialog.open, "primary").mark("new-card")
    else:
        button = plain_button("New card", lambda: ui.navigate.to("/new"), "primary").mark("new-card")
        button.tooltip("Create a project first")


class _NewCardDialog:
    """The dialog that asks for the kind and the name of a card."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        kinds = studio.state.kinds
        kind = OptionField("kind", "Kind", CHOICE, choices=plain_choices(kinds), is_required=True)
        with dialog_box("New card") as self._dialog:
            self._form = OptionForm("New card", on_submit=self._create)
            self._form.show((kind, OptionField("name", "Name")), values={"kind": kinds[0]} if kinds else {})
            self._fault = fault_label()
            with button_row():
                plain_button("Cancel", self._dialog.close, "quiet")
                self._button = plain_button("Create", self._create, "primary")

    def open(self) -> None:
        """Open the dialog."""
        self._dialog.open()

    async def _create(self) -> None:
        values = self._form.values
        if not values.get("name"):
            self._fault.text = "Enter a name."
            return
        self._fault.text = ""
        with busy_button(self._button, "Creating …"):
            try:
                file = await self._studio.writing.call("new_card", values.get("kind"), values["name"])
            except (CardgenError, ProcessError) as error:
                self._fault.text = explain(error)
            else:
                await self._studio.refresh((file,))
                ui.navigate.to(f"/edit?{urlencode({'file': file})}")
