"""The editor of a template, a theme, a game, or the settings, beside a card that is drawn with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.editor.text import FIRST_CHARACTER
from cardgen.face.template.engine import TIME_LIMIT
from cardgen.runtime.request_process import ProcessError
from cardgen.studio import texts
from cardgen.studio.engine.answers import DrawnFace, ProblemRow
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.pages.conflict_bar import ConflictBar
from cardgen.studio.pages.elements import CardView
from cardgen.studio.pages.frame import plain_button
from cardgen.studio.pages.problem_panel import ProblemPanel
from cardgen.studio.pages.text_editor import TextEditor
from cardgen.studio.studio import Studio

if TYPE_CHECKING:
    from cardgen.studio.engine.templates import SourceView

# Seconds after a key before the card is drawn again.
_DEBOUNCE = 0.12
# Seconds that drawing may take when a newer text waits.
_SLOW = 2.0
_STILL = f"still drawing; a template may run for {TIME_LIMIT:g} seconds"
_EDITOR_THEMES = {True: "githubDark", False: "githubLight"}


class SourceEditor:
    """A file in an editor; the card beside it follows its text."""

    def __init__(self, studio: Studio, file: str) -> None:
        """Show the file. Raises TextError if it is not a template, a game, or the settings."""
        self._studio, self.file = studio, file
        self._base = texts.read(studio.root, file, texts.source_path)
        self._text = studio.drafts.get(file, self._base.text)
        self._key, self._back = "", False
        self._marks: tuple[str, ...] = ()
        self._revision = 0
        self._work: asyncio.Task[None] | None = None
        self._questions: dict[asyncio.Task[SourceView], float] = {}
        self._show_elements()
        self._show_state()
        studio.on_change.add(self._files_changed)
        ui.context.client.on_delete(self._close)

    def _show_elements(self) -> None:
        with ui.element("div").classes("edit view-text"):
            with ui.element("div").classes("edit-bar"):
                ui.label(self.file).classes("edit-file").props('role="heading" aria-level="1"')
                self._state = ui.label().classes("edit-state").props('role="status"').mark("save-state")
                self._save_button = plain_button("Save", self.save, "primary").mark("save")
            with ui.element("div").classes("edit-conflict"):
                self._conflict = ConflictBar()
            with ui.element("section").classes("edit-text").props('aria-label="File"'):
                self._show_text()
            with ui.element("div").classes("edit-card"):
                self._view = CardView()
                self._view.on("choose", lambda event: self._choose(event.args))
                self._view.on("save", self.save)
                self._view.on("look", lambda event: self._set_look(event.args))
                self._view.on("save", self.save)
                self._view.on("dark", lambda event: self._editor.set_theme(_EDITOR_THEMES[bool(event.args)]))
                self._view._props.update(cards=[], selected="")
                self._problems = ProblemPanel(self._editor, lambda _: None)

    def _show_text(self) -> None:
        keymap: dict[str, Any] = {"Mod-s": self.save}
        self._editor = TextEditor(
            self._text,
            language="YAML" if self.file.endswith(".yaml") else "XML",
            on_change=lambda event: self._take(event.value or ""),
            keymap=keymap,
        ).classes("edit-code")

    def _close(self) -> None:
        self._studio.on_change.discard(self._files_changed)
        if self._work:
            self._work.cancel()

    @property
    def _is_changed(self) -> bool:
        return self._text != self._base.text

    # --- The text

    def _take(self, text: str) -> None:
        """Follow a new text: of the author's keys, or the file."""
        if text == self._text:
            return
        self._text = text
        if self._is_changed:
            self._studio.drafts[self.file] = text
        else:
            self._studio.drafts.pop(self.file, None)
        self._show_state()
        self._follow()

    def _follow(self) -> None:
        self._revision += 1
        if self._work:
            self._work.cancel()
        self._give_up_slow_text()
        self._work = asyncio.create_task(self._show_later())

    async def _show_later(self) -> None:
        await asyncio.sleep(_DEBOUNCE)
        await self.show_all()

    def _show_state(self) -> None:
        self._state.text = "unsaved changes" if self._is_changed else "saved"
        self._state.classes(replace=f"edit-state {'changed' if self._is_changed else ''}")
        self._save_button.set_enabled(self._is_changed)

    # --- The card and the problems

    async def show_all(self) -> None:
        """Show the card and the problems of the text."""
        revision = self._revision
        slow = asyncio.create_task(self._tell_when_slow(revision))
        try:
            view = await self._draw()
        except (ProcessError, CardgenError) as error:
            self._show_face(DrawnFace(b"", problem=str(error)))
            return
        finally:
            slow.cancel()
        if revision == self._revision:
            self._key = view.key or self._key
            self._show_cards()
            self._show_face(view.face)
            self._show_problems(view.problems)

    async def _tell_when_slow(self, revision: int) -> None:
        """Say that the card is still drawn; its last picture stays, marked as old."""
        await asyncio.sleep(_SLOW)
        if revision == self._revision:
            self._show_face(DrawnFace(b"", problem=_STILL))

    def _draw(self) -> Awaitable[SourceView]:
        """Ask for the card; the answer may be for a text that has changed by then."""
        arguments = (self.file, self._text, self._key, self._marks)
        call = self._studio.computing.call("templates.draw", *arguments, back=self._back, priority=URGENT)
        question = asyncio.create_task(call)
        self._questions[question] = monotonic()
        question.add_done_callback(self._forget)
        return asyncio.shield(question)

    def _forget(self, question: asyncio.Task[SourceView]) -> None:
        del self._questions[question]
        if not question.cancelled():
            question.exception()  # nobody may wait for it any more

    def _give_up_slow_text(self) -> None:
        """Stop to draw a text that takes long, such as a template with a loop, for the next one."""
        if any(monotonic() - asked > _SLOW for asked in self._questions.values()):
            self._studio.computing.interrupt()

    def _show_cards(self) -> None:
        rows = (row for row in self._studio.state.cards if row.is_printed)
        cards = [{"key": row.key, "name": row.name} for row in rows]
        if (cards, self._key) != (self._view._props.get("cards"), self._view._props.get("selected")):
            self._view._props.update(cards=cards, selected=self._key)
            self._view.update()

    def _show_face(self, drawn: DrawnFace) -> None:
        row = self._studio.card(self._key)
        picture = f"/picture/{self._studio.keep_picture(drawn.svg)}" if drawn.svg else ""
        data = {"picture": picture, "problem": drawn.problem, "name": row.name if row else ""}
        self._view.run_method("show", {**data, "hasBack": drawn.has_back, "fill": drawn.fill})

    def _show_problems(self, problems: tuple[ProblemRow, ...]) -> None:
        own = tuple(row for row in problems if row.file == self.file)
        others = tuple(_elsewhere(row) for row in problems if row.file != self.file)
        self._problems.show((*own, *others), self._text, self._revision)

    def _choose(self, key: object) -> None:
        if isinstance(key, str) and self._studio.card(key):
            self._key = key
            self._follow()

    def _set_look(self, look: object) -> None:
        if isinstance(look, dict) and isinstance(look.get("marks"), list):
            self._back, self._marks = bool(look.get("back")), tuple(str(mark) for mark in look["marks"])
            self._follow()

    # --- The file

    async def save(self) -> None:
        """Write the text, unless the file has changed outside."""
        try:
            self._base = texts.save(self._studio.root, self.file, self._text, self._base, texts.source_path)
        except texts.ChangedOutsideError as error:
            self._show_conflict(error.current)
        except (texts.TextError, CardgenError) as error:
            ui.notify(str(error), type="negative")
        else:
            self._studio.drafts.pop(self.file, None)
            self._conflict.hide()
            self._show_state()

    def _files_changed(self, files: tuple[str, ...]) -> None:
        if self.file not in files:
            self._follow()
            return
        with suppress(texts.TextError):
            current = texts.read(self._studio.root, self.file, texts.source_path)
            if current.digest == self._base.digest:
                return
            if current.text == self._text or (current.digest and not self._is_changed):
                self._keep(current)
                self._editor.put(current.text)
            else:
                self._show_conflict(current)

    def _keep(self, current: texts.FileText) -> None:
        self._base = current
        self._conflict.hide()
        self._show_state()

    def _show_conflict(self, current: texts.FileText) -> None:
        def use_theirs() -> None:
            self._keep(current)
            self._editor.put(current.text)

        difference = texts.difference(self.file, current.text, self._text)
        self._conflict.show(difference, use_theirs, lambda: self._keep(current), was_deleted=not current.digest)


def _elsewhere(row: ProblemRow) -> ProblemRow:
    """Return a problem of another file, without a place in this one."""
    return row._replace(span=FIRST_CHARACTER, message=f"{row.file}: {row.message}")
