"""The part of a template's page that edits the boxes of a layout by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.editor.layout_edit import placed_boxes
from cardgen.face.template.trace import PlacedBox
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.sheet.printer_marks import SAFE_MARGIN
from cardgen.studio.engine.answers import BLEED, ChangedLayout, LayoutNames, SourceView
from cardgen.studio.page_words import explain
from cardgen.studio.pages.card_panels import add_picture
from cardgen.studio.pages.edit_page import Look
from cardgen.studio.pages.elements import FilePanel, on_sent, show_data
from cardgen.studio.pages.text_editor import OpenFile
from cardgen.studio.studio import Studio

_HAS_CHANGED = "the text has changed; try again"


class _LayoutLayer(Element, component="web/layout_layer.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """The boxes over the picture, their numbers and looks, and what was said about the last gesture."""


class LayoutPanel:
    """Boxes of a layout by hand. Each gesture is one edit of the text, which is proved by drawing again.

    `card` returns the key of the card that is shown.
    """

    def __init__(self, studio: Studio, file: OpenFile, card: Callable[[], str]) -> None:
        self._studio, self._engine, self._file, self._card = studio, studio.computing, file, card
        self._look = Look()
        self._lock = asyncio.Lock()
        self._boxes: tuple[PlacedBox, ...] = ()
        self._names: LayoutNames | None = None
        self._view = _LayoutLayer()
        self._view._props.update(boxes=[], size=[1, 1], shown=0, safe=SAFE_MARGIN, note="", names={})
        on_sent(self._view, "change", self._change, dict, gesture=dict, known=list)
        on_sent(self._view, "go", file.editor.reveal_line, int)
        self._files = FilePanel(
            "Add a picture …", "or drop or paste one: it becomes a box", PICTURE_SUFFIXES, self._add
        )

    async def _add(self, sent: Sequence[tuple[str, str]]) -> None:
        """Copy a picture that has arrived, and add a box that shows it."""
        name = PurePath(sent[0][1]).stem
        if file := await add_picture(self._studio, self._files, sent[0], (name, "picture", self._file.name)):
            await self._studio.refresh((file,))
            self._view.run_method("addPicture", file)
            self._files.tell(f"Saved as {file}.")

    async def show(self, view: SourceView, look: Look) -> None:
        """Show the boxes of the text with which a card was drawn; without a picture, the last ones stay."""
        self._look = look
        if not view.face.svg:
            return
        is_back = ".back." in self._file.name
        other = f"This layout is for the {'back' if is_back else 'front'}: show that side to move its boxes."
        note = view.fault if view.fault else "" if is_back == look.back else other
        shown = view.face.bleed if BLEED in look.marks else 0.0
        show_data(self._view, size=list(view.face.size), shown=shown, note=note, **self._boxes_data(view.boxes))
        with suppress(CardgenError, ProcessError):  # without the names, boxes can still be moved
            names: LayoutNames = await self._engine.call("templates.names", self._file.name, priority=URGENT)
            if self._names != names:
                self._names = names
                show_data(self._view, names=names._asdict())

    def _boxes_data(self, boxes: tuple[PlacedBox, ...]) -> dict[str, Any]:
        self._boxes = boxes
        return {"boxes": [each._asdict() for each in boxes]}

    async def _change(self, data: dict[str, Any]) -> None:
        """Write a gesture into the text; gestures wait for each other."""
        async with self._lock:
            fault = await self._written(data)
        self._view.run_method("finish", fault)

    async def _written(self, data: dict[str, Any]) -> str:
        """Write a gesture; return why that is not possible, or ''."""
        text = self._file.text
        if "undo" in data["gesture"]:
            await self._file.editor.undo(again=data["gesture"]["undo"] is True)
            boxes = placed_boxes(self._file.text) or self._boxes
            show_data(self._view, **self._boxes_data(boxes))
            return ""
        if any(map(self._is_other, data["known"])):
            return _HAS_CHANGED
        try:
            place = (self._file.name, text, self._card(), data["gesture"])
            changed: ChangedLayout = await self._engine.call(
                "templates.change", *place, back=self._look.back, priority=URGENT
            )
        except (CardgenError, ProcessError) as error:
            return explain(error)
        if changed.fault:
            if changed.line:
                self._file.editor.reveal_line(changed.line)
            return changed.fault
        if not await self._file.editor.replace(text, changed.text):
            return _HAS_CHANGED
        show_data(self._view, **self._boxes_data(changed.boxes))
        return ""

    def _is_other(self, known: object) -> bool:
        """Return whether a box of a gesture (its index, name, and place) is not the one that it was for the author."""
        match known:
            case [int(index), name, at] if 0 <= index < len(self._boxes):
                box = self._boxes[index]
                return [*box.at] != at or box.name != name
        return True
