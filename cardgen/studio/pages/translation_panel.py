"""Translations beside the fields of a card: each is saved in the file of its language when its field is left."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.studio.engine.answers import TranslatedField
from cardgen.studio.engine.card_changes import CardChange
from cardgen.studio.page_words import TextError, explain
from cardgen.studio.pages.elements import on_sent
from cardgen.studio.pages.form_panel import WrittenText
from cardgen.studio.studio import Studio


class TranslationPanel:
    """The translations of the card that is being written, in the `form` of its fields."""

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
