"""Completion, help, and undo for the text that is being written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from nicegui.element import Element

from cardgen.editor.completion import Completion
from cardgen.editor.hover import escape
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.answers import DrawnFace
from cardgen.studio.engine.edit.assist import HelpText
from cardgen.studio.engine.remote import BACKGROUND
from cardgen.studio.pages.edit.form.form_panel import WrittenText
from cardgen.studio.studio import Studio


class AssistElement(Element, component="text_assist.js"):  # type: ignore[call-arg]
    """What the browser adds to the editor of the text."""


class TextAssist:
    """Answers of the engine for the editor of a text, whose element has the id `editor`."""

    def __init__(
        self, studio: Studio, written: WrittenText, editor: int, on_save: Callable[[], Awaitable[None]]
    ) -> None:
        self._studio, self._written = studio, written
        self._view = AssistElement()
        self._view._props["editor"] = editor
        self._view.on("complete", lambda event: self._complete(event.args))
        self._view.on("help", lambda event: self._help(event.args))
        self._view.on("save", on_save)

    async def _complete(self, data: dict[str, Any]) -> None:
        place = (self._written.file, self._written.text(), int(data["offset"]))
        try:
            every: list[Completion] = await self._studio.writing.call("assist.complete", *place)
        except ProcessError:
            every = []
        self._view.run_method("answer", data["number"], [_completion_data(each) for each in every])

    async def _help(self, data: dict[str, Any]) -> None:
        """Answer with help and the picture of its card, and add the odds of the card, which take longer."""
        number, place = (
            data["number"],
            (self._written.file, self._written.text(), int(data["line"]), int(data["column"])),
        )
        text: HelpText | None = None
        with suppress(ProcessError):
            text = await self._studio.writing.call("assist.help", *place)
        if text is None:
            self._view.run_method("answer", number, None)
            return
        name, picture = text.card.rpartition("/")[2], await self._picture(text.card)
        shown = {"markdown": text.markdown, "start": text.start, "end": text.end, "picture": picture, "name": name}
        self._view.run_method("answer", number, shown)
        if text.card:
            with suppress(ProcessError):
                lines = await self._studio.writing.call("assist.odds", text.card, priority=BACKGROUND)
                self._view.run_method("addHelp", number, "\n\n".join(map(escape, lines)))

    async def _picture(self, card: str) -> str:
        """Return the address of the picture of a card, or '' if it has none."""
        drawn = DrawnFace(b"")
        if card:
            with suppress(ProcessError):
                drawn = await self._studio.writing.call("draw", card)
        return f"/picture/{self._studio.keep_picture(drawn.svg)}" if drawn.svg else ""


def _completion_data(each: Completion) -> dict[str, Any]:
    names = ("label", "text", "detail", "help", "replaced")
    return {"kind": each.kind.value, **{name: getattr(each, name) for name in names}}
