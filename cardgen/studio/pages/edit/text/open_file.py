"""A file that is open in an editor: its text, its state, and how it is saved without losing what others wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.studio import texts
from cardgen.studio.pages.edit.text.conflict_bar import ConflictBar
from cardgen.studio.pages.edit.text.text_editor import TextEditor
from cardgen.studio.pages.shared.elements import plain_button
from cardgen.studio.pages.shared.window import listen
from cardgen.studio.studio import Studio


class OpenFile:
    """A file and its text in an editor; the studio keeps a text that is not saved yet.

    `name` is the path of the file in the project.
    """

    editor: TextEditor

    def __init__(self, studio: Studio, file: str, path_of: texts.PathOf = texts.card_path) -> None:
        """Read the file. Raises TextError if `path_of` does not allow it."""
        self._studio, self.name, self._path_of = studio, file, path_of
        self._base = texts.read(studio.root, file, path_of)
        self.text = studio.drafts.get(file, self._base.text)
        # Grows with each change of the text.
        self.revision = 0

    @property
    def _is_changed(self) -> bool:
        return self.text != self._base.text

    @contextmanager
    def show_bar(self) -> Iterator[None]:
        """Show the file's name, its state, and the button that saves it; what the block shows comes in between."""
        with ui.element("div").classes("edit-bar"):
            ui.label(self.name).classes("edit-file").props('role="heading" aria-level="1"')
            yield
            self._state = ui.label().classes("edit-state").props('role="status"').mark("save-state")
            self._save_button = plain_button("Save", self.save, "primary").mark("save")
        with ui.element("div").classes("edit-conflict"):
            self._conflict = ConflictBar()
        self._show_state()

    def show_editor(self, language: str, on_change: Callable[[str], None]) -> None:
        """Show the text; `on_change` is called after each change, with the text before it."""
        keymap: dict[str, Any] = {"Mod-s": self.save}
        self.editor = TextEditor(
            self.text,
            language=language,
            on_change=lambda event: self._take(event.value or "", on_change),
            keymap=keymap,
        ).classes("edit-code")

    def _take(self, text: str, on_change: Callable[[str], None]) -> None:
        """Follow a new text: of the author's keys, a form, a quick fix, or the file."""
        old = self.text
        if text == old:
            return
        self.text = text
        self.revision += 1
        if self._is_changed:
            self._studio.drafts[self.name] = text
        else:
            self._studio.drafts.pop(self.name, None)
        self._show_state()
        on_change(old)

    def _show_state(self) -> None:
        self._state.text = "unsaved changes" if self._is_changed else "saved"
        self._state.classes(replace=f"edit-state {'changed' if self._is_changed else ''}")
        self._save_button.set_enabled(self._is_changed)

    async def save(self) -> None:
        """Write the text, unless the file has changed outside."""
        try:
            saved = texts.save(self._studio.root, self.name, self.text, self._base, self._path_of)
        except texts.ChangedOutsideError as error:
            self._show_conflict(error.current)
        except (texts.TextError, CardgenError) as error:
            ui.notify(str(error), type="negative")
        else:
            self._studio.drafts.pop(self.name, None)
            self._keep(saved)

    def follow_disk(self, on_others: Callable[[], object]) -> None:
        """Follow the file until the window is closed; `on_others` is called after changes of other files."""

        def follow(files: tuple[str, ...]) -> None:
            if self.name in files:
                self._compare()
            else:
                on_others()

        listen(self._studio.on_change, follow)

    def _compare(self) -> None:
        """Follow a file that others have changed, or ask the author if that would lose a text."""
        with suppress(texts.TextError):
            current = texts.read(self._studio.root, self.name, self._path_of)
            if current.digest == self._base.digest:
                return
            if current.text == self.text:
                self._keep(current)
            elif current.digest and not self._is_changed:
                self._base = current
                self._conflict.hide()
                self.editor.put(current.text)
            else:
                self._show_conflict(current)

    def _keep(self, base: texts.FileText) -> None:
        """Take the file as it is now for the one that the text is a change of."""
        self._base = base
        self._conflict.hide()
        self._show_state()

    def _show_conflict(self, current: texts.FileText) -> None:
        def use_theirs() -> None:
            self._keep(current)
            self.editor.put(current.text)

        difference = texts.difference(self.name, current.text, self.text)
        self._conflict.show(difference, use_theirs, lambda: self._keep(current), was_deleted=not current.digest)
