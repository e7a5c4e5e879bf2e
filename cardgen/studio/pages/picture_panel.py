"""The part of a card's page that takes pictures: dropped, pasted, or chosen with a button."""

from __future__ import annotations

from typing import Any

from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.studio.page_words import explain
from cardgen.studio.pages.form_panel import FormPanel, WrittenText
from cardgen.studio.studio import Studio
from cardgen.studio.uploads import UploadError


class _PicturePanel(Element, component="web/picture_panel.js"):  # type: ignore[call-arg]
    """The button, and what the browser drops or pastes anywhere on the page."""


class PicturePanel:
    """Pictures for the card that is being written: a file in `art/`, and its path in the text."""

    def __init__(self, studio: Studio, written: WrittenText, form: FormPanel) -> None:
        self._studio, self._written, self._form = studio, written, form
        self._view = _PicturePanel()
        self._view.on("picture", lambda event: self._add(event.args))

    async def _add(self, sent: object) -> None:
        """Copy a picture that has arrived, and name it in the text as one step that can be undone."""
        upload, name = map(str, sent) if isinstance(sent, list) and len(sent) == 2 else ("", "")
        card = self._written.card().split("/")
        try:
            path = self._studio.uploads.take(upload)
            place = (card[-1], card[-2] if len(card) > 1 else "card", self._written.file)
            file: str = await self._studio.drawing.call("add_picture", str(path), name, place, priority=URGENT)
        except (CardgenError, ProcessError, UploadError) as error:
            self._tell(explain(error), is_fault=True)
            return
        fault = await self._form.set_art(file)
        self._tell(f"Saved as {file}; {fault}" if fault else f"Saved as {file}.", is_fault=bool(fault))

    def _tell(self, text: str, *, is_fault: bool) -> Any:
        self._view.run_method("tell", text, is_fault)
