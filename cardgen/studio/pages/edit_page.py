"""The view in which a card file is written, with the picture of the card beside it."""

from __future__ import annotations

import json

from nicegui import ui

from cardgen.studio.pages.file_editor import FileEditor
from cardgen.studio.pages.frame import page_frame
from cardgen.studio.studio import Studio
from cardgen.studio.texts import TextError


async def show_editor(studio: Studio, file: str, card: str) -> None:
    """Show a card file, at one of its cards."""
    await studio.ready.wait()
    with page_frame(studio, "edit"):
        try:
            editor = FileEditor(studio, file, card)
        except TextError as error:
            ui.label(str(error)).classes("bar error").props('role="alert"')
            ui.link("Back to the cards", "/")
            return
    client = ui.context.client
    await client.connected()
    with client:
        _name_text(file)
        await editor.show_all()
        await editor.show_selected()


def _name_text(file: str) -> None:
    """Give the code editor a name for screen readers; it takes none from its element."""
    label = json.dumps(f"Text of {file}. Press Escape, then Tab to leave it.")
    ui.run_javascript(f"document.querySelector('.cm-content')?.setAttribute('aria-label', {label})")
