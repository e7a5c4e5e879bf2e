"""The parts of a card's page beside its form: pictures that are dropped on it, and translations of its texts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from nicegui.element import Element
from pydantic import ValidationError

from cardgen.diagnostic import CardgenError
from cardgen.model.card import Art
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.studio.engine.answers import FRAME, DrawnFace, TranslatedField
from cardgen.studio.engine.card_changes import CardChange
from cardgen.studio.page_words import TextError, explain
from cardgen.studio.pages.elements import FilePanel, on_sent, show_data
from cardgen.studio.pages.form_panel import FormPanel, WrittenText
from cardgen.studio.studio import Studio
from cardgen.studio.uploads import UploadError


class _PictureLayer(Element, component="web/picture_layer.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """The pictures over that of their card, their sliders, and what was said about the last gesture."""


async def add_picture(studio: Studio, view: FilePanel, sent: tuple[str, str], place: tuple[str, str, str]) -> str:
    """Copy a picture that has arrived, for a place as `scaffold.pictures` has it; return its file, or tell why not."""
    upload, name = sent
    try:
        path = str(studio.uploads.take(upload))
        return str(await studio.drawing.call("add_picture", path, name, place, priority=URGENT))
    except (CardgenError, ProcessError, UploadError) as error:
        view.tell(explain(error), is_fault=True)
    return ""


class PicturePanel:
    """Pictures for the card that is being written: a file in `art/`, its path in the text, and how it fills its box."""

    def __init__(self, studio: Studio, written: WrittenText, form: FormPanel) -> None:
        self._studio, self._written, self._form = studio, written, form
        self._layer = _PictureLayer()
        self._layer._props.update(card="", pictures=[], size=[1, 1], shown=0)
        on_sent(self._layer, "change", self._frame, dict, key=str, values=dict)
        self._view = FilePanel("Add a picture …", "or drop or paste one on this page", PICTURE_SUFFIXES, self._add)

    async def _add(self, sent: Sequence[tuple[str, str]]) -> None:
        """Copy a picture that has arrived, and name it in the text as one step that can be undone."""
        card = self._written.card().split("/")
        place = (card[-1], card[-2] if len(card) > 1 else "card", self._written.file)
        file = await add_picture(self._studio, self._view, sent[0], place)
        if not file:
            return
        fault = await self._form.set_art({"file": file})
        self._view.tell(f"Saved as {file}; {fault}" if fault else f"Saved as {file}.", is_fault=bool(fault))

    def show(self, drawn: DrawnFace, *, with_bleed: bool) -> None:
        """Show where the pictures of a card are; without a drawing, the last ones stay."""
        if drawn.svg:
            shown = drawn.bleed if with_bleed else 0.0
            card = self._written.card()
            show_data(self._layer, card=card, pictures=[*drawn.pictures], size=[*drawn.size], shown=shown)

    async def _frame(self, data: dict[str, Any]) -> None:
        """Write how a picture fills its box into the text."""
        key, values = data["key"], data["values"]
        with suppress(ValidationError):
            if any(each["key"] == key for each in self._layer._props["pictures"]) and values.keys() <= {*FRAME}:
                Art.model_validate({"file": "art", **values})
                self._layer.run_method("finish", await self._form.set_art(values, key))


class TranslationPanel:
    """The translations of the card that is being written, in the `form` of its fields.

    Each is saved in the file of its language when its field is left.
    """

    def __init__(self, studio: Studio, written: WrittenText, form: Element) -> None:
        self._studio, self._written, self._form = studio, written, form
        self._lock = asyncio.Lock()
        self._shows_any = False
        on_sent(form, "translate", self._save, dict, card=str, field=str, text=str, language=str)

    async def show(self, language: str) -> None:
        """Show the translations into a language, or none for that of the card."""
        if not language and not self._shows_any:
            return
        self._shows_any = bool(language)
        fields: tuple[TranslatedField, ...] = ()
        fault = ""
        card = self._written.card()
        if language:
            try:
                fields = await self._studio.writing.call("translations.fields", card, language)
            except (CardgenError, ProcessError) as error:
                fault = explain(error)
        self._form.run_method("showTranslations", card, language, [each._asdict() for each in fields], fault)

    async def _save(self, data: dict[str, Any]) -> None:
        """Save a translation; each waits for the one before it, because they change the same file."""
        key, field, language = data["card"], data["field"], data["language"]
        place, fault = (key, language, field, data["text"]), ""
        try:
            async with self._lock:
                change: CardChange = await self._studio.writing.call("translations.change", *place, priority=URGENT)
                if change.files:
                    await self._studio.apply(f"Translated {key.rpartition('/')[2]}/{field} ({language})", change)
        except (CardgenError, ProcessError, TextError) as error:
            fault = explain(error)
        self._form.run_method("translated", field, fault)
