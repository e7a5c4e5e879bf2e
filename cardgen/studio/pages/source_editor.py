"""The editor of a template, a theme, a game, or the settings, beside a card that is drawn with it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio import texts
from cardgen.studio.engine.answers import DrawnFace, ProblemRow
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.pages.conflict_bar import ConflictBar
from cardgen.studio.pages.elements import CardView, ProblemList, decoration, problem_data
from cardgen.studio.pages.frame import plain_button
from cardgen.studio.studio import Studio

# Seconds after a key before the card is drawn again.
_DEBOUNCE = 0.12
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
        self._problems: tuple[ProblemRow, ...] = ()
        self._revision = 0
        self._work: asyncio.Task[None] | None = None
        self._show_elements()
        self._show_state()
        studio.on_change.add(self._files_changed)
        ui.context.client.on_delete(self._close)

    def _show_elements(self) -> None:
        with ui.element("div").classes("edit"):
            with ui.element("section").classes("edit-text").props('aria-label="File"'):
                with ui.element("div").classes("edit-bar"):
                    ui.label(self.file).classes("edit-file").props('role="heading" aria-level="1"')
                    self._state = ui.label().classes("edit-state").props('role="status"').mark("save-state")
                    self._save_button = plain_button("Save", self.save, "primary").mark("save")
                self._conflict = ConflictBar()
                keymap: dict[str, Any] = {"Mod-s": self.save}
                self._editor = ui.codemirror(
                    self._text,
                    language="YAML" if self.file.endswith(".yaml") else "XML",
                    indent="  ",
                    theme="githubLight",
                    on_change=lambda event: self._take(event.value or ""),
                    keymap=keymap,
                    line_wrapping=True,
                ).classes("edit-code")
            with ui.element("div").classes("edit-card"):
                self._view = CardView()
                self._view.on("choose", lambda event: self._choose(event.args))
                self._view.on("look", lambda event: self._set_look(event.args))
                self._view.on("dark", lambda event: self._editor.set_theme(_EDITOR_THEMES[bool(event.args)]))
                self._list = ProblemList()
                self._list.on("go", lambda event: self._editor.reveal_line(int(event.args)))
        self._list._props.update(problems=[], checked=False, revision=0)
        self._view._props.update(cards=[], selected="")

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
        self._work = asyncio.create_task(self._show_later())

    async def _show_later(self) -> None:
        await asyncio.sleep(_DEBOUNCE)
        await self.show_all()

    def _replace(self, text: str) -> None:
        self._editor.set_value(text)
        self._take(text)

    def _show_state(self) -> None:
        self._state.text = "unsaved changes" if self._is_changed else "saved"
        self._state.classes(replace=f"edit-state {'changed' if self._is_changed else ''}")
        self._save_button.set_enabled(self._is_changed)

    # --- The card and the problems

    async def show_all(self) -> None:
        """Show the card and the problems of the text."""
        revision = self._revision
        try:
            view = await self._studio.computing.call(
                "templates.draw",
                self.file,
                self._text,
                self._key,
                self._marks,
                back=self._back,
                priority=URGENT,
            )
        except (ProcessError, CardgenError) as error:
            self._show_face(DrawnFace(b"", problem=str(error)))
            return
        if revision == self._revision:
            self._key = view.key or self._key
            self._show_cards()
            self._show_face(view.face)
            self._show_problems(view.problems)

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
        own = [row for row in problems if row.file == self.file]
        others = [row._replace(message=f"{row.file}: {row.message}") for row in problems if row.file != self.file]
        rows = [problem_data(row) for row in (*own, *others)]
        self._list._props.update(problems=rows, checked=True, revision=self._revision)
        self._list.update()
        self._editor.decorations = list(filter(None, (decoration(self._text, row) for row in own)))
        self._editor.line_tooltips = {row.span.line: row.message for row in own}

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
            if current.text == self._text or not self._is_changed:
                self._keep(current)
                self._replace(current.text)
            else:
                self._show_conflict(current)

    def _keep(self, current: texts.FileText) -> None:
        self._base = current
        self._conflict.hide()
        self._show_state()

    def _show_conflict(self, current: texts.FileText) -> None:
        def use_theirs() -> None:
            self._keep(current)
            self._replace(current.text)

        difference = texts.difference(self.file, current.text, self._text)
        self._conflict.show(difference, use_theirs, lambda: self._keep(current), was_deleted=not current.digest)
