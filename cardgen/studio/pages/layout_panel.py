"""The part of a template's page that edits the boxes of a layout, a template, or a drawing by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.face.layout import PlacedBox, background_of, placed_boxes
from cardgen.project.files import LAYOUT_SUFFIX
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
# Seconds until gestures that wait are not waited for any more.
_PATIENCE = 10.0


class _LayoutLayer(Element, component="web/layout_layer.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """The boxes over the picture, their numbers and looks, and what was said about the last gesture."""


class LayoutPanel:
    """Boxes of a file by hand. Each gesture is one edit of the text, which is proved by drawing again.

    `card` returns the key of the card that is shown.
    """

    def __init__(self, studio: Studio, file: OpenFile, card: Callable[[], str]) -> None:
        self._studio, self._engine, self._file, self._card = studio, studio.computing, file, card
        self._look = Look()
        self._lock = asyncio.Lock()
        self._boxes: tuple[PlacedBox, ...] = ()
        self._names: LayoutNames | None = None
        self._view = _LayoutLayer()
        self._is_layout = file.name.endswith(LAYOUT_SUFFIX)
        self._view._props.update(boxes=[], background=None, size=[1, 1], shown=0, safe=SAFE_MARGIN, note="", names={})
        self._view._props["fixed"] = not self._is_layout
        on_sent(self._view, "change", self._change, dict, gesture=dict, known=list)
        on_sent(self._view, "go", file.editor.reveal_line, int)
        if self._is_layout:
            about = "or drop or paste one: it becomes a box"
            self._files = FilePanel("Add a picture …", about, PICTURE_SUFFIXES, self._add)

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
        is_back, boxes, note = ".back." in self._file.name, view.boxes, view.fault
        if self._is_layout and is_back != look.back:
            side = "back" if is_back else "front"
            note = note or f"This layout is for the {side}: show that side to move its boxes."
        elif not self._is_layout and not note:
            text, place = self._file.text, (self._file.name, self._file.text, self._card())
            try:
                boxes = await self._engine.call("templates.boxes", *place, back=look.back, priority=URGENT)
                note = "" if boxes else "Nothing on this side can be moved in this file."
            except (CardgenError, ProcessError) as error:
                note = explain(error)
            if text != self._file.text:
                return
        shown = view.face.bleed if BLEED in look.marks else 0.0
        show_data(self._view, size=list(view.face.size), shown=shown, note=note, **self._boxes_data(boxes))
        if not self._is_layout:
            return
        with suppress(CardgenError, ProcessError):  # without the names, boxes can still be moved
            names: LayoutNames = await self._engine.call("templates.names", self._file.name, priority=URGENT)
            if self._names != names:
                self._names = names
                show_data(self._view, names=names._asdict())

    def _boxes_data(self, boxes: tuple[PlacedBox, ...]) -> dict[str, Any]:
        self._boxes = boxes
        background = background_of(self._file.text) if self._is_layout else None
        return {"boxes": [each._asdict() for each in boxes], "background": background}

    async def settle(self) -> bool:
        """Wait for gestures that were made before the file is saved."""
        with suppress(TimeoutError):
            await self._view.run_method("settled", timeout=_PATIENCE)
        return True

    async def _change(self, data: dict[str, Any]) -> None:
        """Write a gesture into the text; gestures wait for each other."""
        async with self._lock:
            changed = await self._written(data)
        self._view.run_method("finish", changed.fault, changed.note, changed.asks)

    async def _written(self, data: dict[str, Any]) -> ChangedLayout:
        """Write a gesture; return what has changed, or why that is not possible."""
        text = self._file.text
        if "undo" in data["gesture"]:
            await self._file.editor.undo(again=data["gesture"]["undo"] is True)
            boxes = placed_boxes(self._file.text) or self._boxes
            show_data(self._view, **self._boxes_data(boxes))
            return ChangedLayout(text)
        if any(map(self._is_other, data["known"])):
            return ChangedLayout(text, fault=_HAS_CHANGED)
        try:
            place = (self._file.name, text, self._card(), data["gesture"])
            changed: ChangedLayout = await self._engine.call(
                "templates.change", *place, back=self._look.back, priority=URGENT
            )
        except (CardgenError, ProcessError) as error:
            return ChangedLayout(text, fault=explain(error))
        if changed.fault and changed.line:
            self._file.editor.reveal_line(changed.line)
        if not changed.fault and not await self._file.editor.replace(text, changed.text):
            return ChangedLayout(text, fault=_HAS_CHANGED)
        if not changed.fault:
            show_data(self._view, **self._boxes_data(changed.boxes))
        return changed

    def _is_other(self, known: object) -> bool:
        """Return whether a box of a gesture (its index, name, and place) is not the one that it was for the author."""
        match known:
            case [int(index), name, at] if 0 <= index < len(self._boxes):
                box = self._boxes[index]
                return [*box.at] != at or box.name != name
        return True
