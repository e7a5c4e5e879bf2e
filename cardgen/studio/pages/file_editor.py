"""The editor of one card file in one window."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio import texts
from cardgen.studio.engine.answers import CardRow, DrawnFace, TextState
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.pages.conflict_bar import ConflictBar
from cardgen.studio.pages.elements import CardView
from cardgen.studio.pages.form_panel import FormPanel, WrittenText
from cardgen.studio.pages.frame import plain_button
from cardgen.studio.pages.problem_panel import ProblemPanel
from cardgen.studio.pages.text_assist import TextAssist
from cardgen.studio.pages.text_editor import TextEditor
from cardgen.studio.pages.view_switch import ViewSwitch
from cardgen.studio.studio import Studio

# Seconds after a key before the card is drawn again: typing fast should not draw each letter.
_DEBOUNCE = 0.06
# Seconds without a key before the file is checked, which takes longer than drawing.
_CHECK_AFTER = 0.25
# Lines that every window shows without scrolling.
_FIRST_LINES = 15
_EDITOR_THEMES = {True: "githubDark", False: "githubLight"}


class FileEditor:
    """A card file in an editor. Its text is the truth: everything else on the page follows it."""

    def __init__(self, studio: Studio, file: str, card: str) -> None:
        """Show the file. Raises TextError if it is not a card file of the project."""
        self._studio, self.file = studio, file
        self._base = texts.read(studio.root, file)
        self._selected, self._position = card, 0
        self._look: dict[str, Any] = {"back": False, "marks": []}
        self._rows: tuple[CardRow, ...] = ()
        self._revision = 0
        self._work: asyncio.Task[None] | None = None
        self._text = studio.drafts.get(file, self._base.text)
        self._show_elements()
        self._show_state()
        studio.on_change.add(self._files_changed)
        ui.context.client.on_delete(self._close)

    def _show_elements(self) -> None:
        written = WrittenText(self.file, lambda: self._text, lambda: self._revision, lambda: self._selected)
        with ui.element("div").classes("edit view-both") as page:
            with ui.element("div").classes("edit-bar"):
                ui.label(self.file).classes("edit-file").props('role="heading" aria-level="1"')
                self._views = ViewSwitch(page)
                self._state = ui.label().classes("edit-state").props('role="status"').mark("save-state")
                self._save_button = plain_button("Save", self.save, "primary").mark("save")
            with ui.element("div").classes("edit-conflict"):
                self._conflict = ConflictBar()
            with ui.element("div").classes("edit-form"):
                self._form = FormPanel(self._studio, written, lambda: self._editor)
                self._form.view.on("fix", lambda event: self._fix(**event.args))
            with ui.element("section").classes("edit-text").props('aria-label="Card file"'):
                self._show_text()
                TextAssist(self._studio, written, self._editor.id, self.save)
            with ui.element("div").classes("edit-card"):
                self._show_card()

    def _show_text(self) -> None:
        keymap: dict[str, Any] = {"Mod-s": self.save}
        self._editor = TextEditor(self._text, language="YAML", on_change=self._typed, keymap=keymap).classes(
            "edit-code"
        )

    def _show_card(self) -> None:
        self._view = CardView()
        self._view.on("choose", lambda event: self._choose(event.args))
        self._view.on("save", self.save)
        self._view.on("look", lambda event: self._set_look(event.args))
        self._view.on("dark", lambda event: self._editor.set_theme(_EDITOR_THEMES[bool(event.args)]))
        self._view._props.update(cards=[], selected=self._selected)
        self._problems = ProblemPanel(self._editor, lambda event: self._fix(**event.args))

    def _close(self) -> None:
        self._studio.on_change.discard(self._files_changed)
        if self._work:
            self._work.cancel()

    @property
    def _is_changed(self) -> bool:
        return self._text != self._base.text

    async def show_all(self) -> None:
        """Show the card and the problems of the text."""
        await self._draw_text()
        await self._form.show(self._revision)
        await self._check()

    async def show_selected(self) -> None:
        """Scroll to the selected card, if the text is beside the picture; in a narrow window, show the form alone."""
        line = next((row.line for row in self._rows if row.key == self._selected), 1)
        if not await ui.run_javascript("innerWidth > 896", timeout=5):
            self._views.choose("form")
        elif line > _FIRST_LINES:
            self._editor.reveal_line(line)

    # --- The text

    def _typed(self, event: Any) -> None:
        """Follow a new text: of the author's keys, the form, a quick fix, or the file."""
        text = event.value or ""
        if text == self._text:
            return
        self._position = _first_difference(self._text, text)
        self._text = text
        self._revision += 1
        self._form.follow(text)
        if self._is_changed:
            self._studio.drafts[self.file] = text
        else:
            self._studio.drafts.pop(self.file, None)
        self._show_state()
        if self._work:
            self._work.cancel()
        self._work = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        await asyncio.sleep(_DEBOUNCE)
        await self._draw_text(follow=True)
        await self._form.show(self._revision)
        await asyncio.sleep(_CHECK_AFTER)
        await self._check()

    def _show_state(self) -> None:
        self._state.text = "unsaved changes" if self._is_changed else "saved"
        self._state.classes(replace=f"edit-state {'changed' if self._is_changed else ''}")
        self._save_button.set_enabled(self._is_changed)

    # --- The card

    async def _draw_text(self, *, follow: bool = False) -> None:
        try:
            state: TextState = await self._studio.writing.call("write", self.file, self._text, priority=URGENT)
        except ProcessError as error:
            self._view.run_method("show", {"picture": "", "problem": str(error), "name": ""})
            return
        if state.cards and not (follow and self._is_lost(state.cards)):
            self._select(state.cards, follow=follow)
            await self._draw_card()
        else:
            problem = "this card cannot be read" if self._text.strip() else "the file is empty"
            self._view.run_method("show", {"picture": "", "problem": problem, "name": ""})

    def _is_lost(self, rows: tuple[CardRow, ...]) -> bool:
        """Return whether the card that is being written is the one that cannot be read any more."""
        card = _card_at(self._rows, self._line) if self._rows else None
        return card is not None and len(rows) < len(self._rows) and all(row.key != card.key for row in rows)

    @property
    def _line(self) -> int:
        """The line of the last change."""
        return self._text.count("\n", 0, self._position) + 1

    def _select(self, rows: tuple[CardRow, ...], *, follow: bool) -> None:
        """Stay at the selected card, or go to the one that was changed."""
        old_index = next((index for index, row in enumerate(self._rows) if row.key == self._selected), 0)
        self._rows = rows
        keys = {row.key for row in rows}
        if follow:
            self._selected = _card_at(rows, self._line).key
        elif self._selected not in keys:
            self._selected = rows[min(old_index, len(rows) - 1)].key
        cards = [{"key": row.key, "name": row.name} for row in rows]
        if (cards, self._selected) != (self._view._props.get("cards"), self._view._props.get("selected")):
            self._view._props.update(cards=cards, selected=self._selected)
            self._view.update()

    async def _draw_card(self) -> None:
        with suppress(ProcessError):
            drawn: DrawnFace = await self._studio.writing.call(
                "draw", self._selected, back=self._look["back"], marks=tuple(self._look["marks"]), priority=URGENT
            )
            self._show(drawn)

    def _show(self, drawn: DrawnFace) -> None:
        name = next((row.name for row in self._rows if row.key == self._selected), "")
        picture = f"/picture/{self._studio.keep_picture(drawn.svg)}" if drawn.svg else ""
        data = {"picture": picture, "problem": drawn.problem, "name": name}
        self._view.run_method("show", {**data, "hasBack": drawn.has_back, "fill": drawn.fill})
        self._form.show_fits(drawn)

    async def _choose(self, key: object) -> None:
        row = next((row for row in self._rows if row.key == key), None)
        if row:
            self._selected = row.key
            self._view._props["selected"] = row.key
            self._editor.reveal_line(row.line)
            await self._draw_card()
            await self._form.show(self._revision)

    async def _set_look(self, look: object) -> None:
        if isinstance(look, dict) and isinstance(look.get("marks"), list):
            self._look = {"back": bool(look.get("back")), "marks": [str(mark) for mark in look["marks"]]}
            await self._draw_card()

    # --- Problems

    async def _check(self) -> None:
        revision = self._revision
        try:
            rows = await self._studio.writing.call("problems_of", self.file)
        except ProcessError:
            return
        if revision == self._revision:
            self._problems.show(rows, self._text, revision)
            await self._form.show_problems(rows, revision)

    async def _fix(self, problem: int, action: int, revision: int) -> None:
        """Apply a quick fix, unless the text has changed since it was offered."""
        if revision == self._revision:
            text = self._problems.fixed_text(problem, action, self._text, self._studio.root / self.file)
            await self._editor.replace(self._text, text)

    # --- The file

    async def save(self) -> None:
        """Write the text, unless the file has changed outside."""
        try:
            self._base = texts.save(self._studio.root, self.file, self._text, self._base)
        except texts.ChangedOutsideError as error:
            self._show_conflict(error.current)
        except (texts.TextError, CardgenError) as error:
            ui.notify(str(error), type="negative")
        else:
            self._studio.drafts.pop(self.file, None)
            self._conflict.hide()
            self._show_state()

    def _files_changed(self, files: tuple[str, ...]) -> None:
        if self.file in files:
            with suppress(texts.TextError):
                self._compare(texts.read(self._studio.root, self.file))
        elif self._work is None or self._work.done():
            self._work = asyncio.create_task(self.show_all())

    def _compare(self, current: texts.FileText) -> None:
        """Follow a file that others have changed, or ask the author if that would lose a text."""
        if current.digest == self._base.digest:
            return
        if current.text == self._text:
            self._keep(current)
        elif not self._is_changed and current.digest:
            self._base = current
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


def _card_at(rows: tuple[CardRow, ...], line: int) -> CardRow:
    """Return the card that a line belongs to."""
    return next((row for row in sorted(rows, key=lambda row: -row.line) if row.line <= line), rows[0])


def _first_difference(old: str, new: str) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(old), len(new)))
