"""The view in which a card file is written, with the picture of the card beside it."""

from __future__ import annotations

from nicegui import ui

from cardgen.studio.pages.edit.file_editor import FileEditor
from cardgen.studio.pages.edit.text.text_editor import name_text
from cardgen.studio.pages.shared.elements import error_bar
from cardgen.studio.pages.shared.frame import add_styles, page_frame
from cardgen.studio.pages.shared.window import connected_window
from cardgen.studio.studio import Studio
from cardgen.studio.texts import TextError


async def show_editor(studio: Studio, file: str, card: str, line: int) -> None:
    """Show a card file, at a line or at one of its cards."""
    await studio.ready.wait()
    first = next((row.key for row in studio.state.cards if row.file == file), "")
    with page_frame(studio, "edit", card or first):
        add_styles("edit/edit", "edit/form/form")
        try:
            editor = FileEditor(studio, file, card)
        except TextError as error:
            error_bar(str(error))
            ui.link("Back to the cards", "/")
            return
    async with connected_window():
        name_text(file)
        await editor.show_all()
        await editor.show_selected(line)
