"""The view in which a card file is written, with the picture of the card beside it."""

from __future__ import annotations

from nicegui import ui

from cardgen.studio.pages.elements import name_text
from cardgen.studio.pages.file_editor import FileEditor
from cardgen.studio.pages.frame import page_frame
from cardgen.studio.studio import Studio
from cardgen.studio.texts import TextError


async def show_editor(studio: Studio, file: str, card: str) -> None:
    """Show a card file, at one of its cards."""
    await studio.ready.wait()
    first = next((row.key for row in studio.state.cards if row.file == file), "")
    with page_frame(studio, "edit", card or first):
        try:
            editor = FileEditor(studio, file, card)
        except TextError as error:
            ui.label(str(error)).classes("bar error").props('role="alert"')
            ui.link("Back to the cards", "/")
            return
    client = ui.context.client
    await client.connected()
    with client:
        name_text(file)
        await editor.show_all()
        await editor.show_selected()
