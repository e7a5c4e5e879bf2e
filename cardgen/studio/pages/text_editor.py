"""An editor whose text the server changes only if the browser still has the text it knows, and its problems."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from nicegui import background_tasks, ui
from nicegui.element import Element

from cardgen.diagnostic import CardgenError, Severity
from cardgen.editor.text import apply_edits, offset_at
from cardgen.studio import page_words
from cardgen.studio.engine.answers import ProblemRow
from cardgen.studio.engine.card_changes import CardChange, ChangedFile
from cardgen.studio.page_words import editor_address, explain
from cardgen.studio.pages.elements import button_row, details, on_sent, plain_button, show_data
from cardgen.studio.pages.window import listen
from cardgen.studio.studio import Studio

# How often a merged text is offered to the browser while the author types, and the seconds between.
_ATTEMPTS, _PAUSE = 20, 0.2


class _Link(Element, component="web/text_editor.js"):  # type: ignore[call-arg]
    """What the browser adds to the editor."""


class TextEditor(ui.codemirror):
    """A CodeMirror editor that may be undone while the server computes a change.

    Its value follows the browser. A change of the server reaches it when the browser has made it, so that the
    browser's changes, which are offsets in its own text, always fit the value.
    """

    def __init__(self, text: str, **options: Any) -> None:
        super().__init__(text, indent="  ", theme="githubLight", line_wrapping=True, **options)
        self._link = _Link()
        self._link._props["editor"] = self.id

    def put(self, text: str) -> None:
        """Replace the text, whatever it is now, as one step that can be undone."""
        self._link.run_method("replace", None, text)

    async def undo(self, *, again: bool) -> None:
        """Take back the last step, or make it `again`."""
        with suppress(TimeoutError):
            await self._link.run_method("undo", again, timeout=5)

    async def replace(self, base: str, text: str) -> bool:
        """Replace the text `base` as one step that can be undone; return False if the browser has another by now."""
        try:
            return bool(await self._link.run_method("replace", base, text, timeout=5))
        except TimeoutError:
            return False


def name_text(file: str) -> None:
    """Give the code editor a name for screen readers; it takes none from its element."""
    label = json.dumps(f"Text of {file}. Press Escape, then Tab to leave it.")
    ui.run_javascript(f"document.querySelector('.cm-content')?.setAttribute('aria-label', {label})")


class _LeaveQuestion(Element, component="web/leave_question.js"):  # type: ignore[call-arg]
    """The question what to do with a text that is not saved when its page is left."""


class OpenFile:
    """A file and its text in an editor; the studio keeps a text that is not saved yet.

    `name` is the path of the file in the project.
    """

    editor: TextEditor

    def __init__(self, studio: Studio, file: str, path_of: page_words.PathOf = page_words.card_path) -> None:
        """Read the file. Raises TextError if `path_of` does not allow it."""
        self._studio, self.name, self._path_of = studio, file, path_of
        # Those of this project, whatever the studio shows later: a window can stay open, with a text, when it goes on.
        self._root, self._drafts = studio.root, studio.drafts
        self._current = page_words.read(self._root, file, path_of)
        self._draft = self._drafts.get(file)
        self._base = self._draft.base if self._draft else self._current
        self.text = self._draft.text if self._draft else self._base.text
        if self._current.digest and self._current.digest != self._base.digest:
            both = page_words.merged(self._base.text, self.text, self._current.text)
            if both is not None:
                self.text, self._base = both, self._current
        # Grows with each change of the text.
        self.revision = 0
        # Returns whether the text may be saved now.
        self.may_save: Callable[[], Awaitable[bool]] | None = None

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
            self._discard_button = plain_button("Discard", self.discard, "quiet").mark("discard")
            self._discard_button.tooltip("Go back to the text of the file")
            self._save_button = plain_button("Save", self.save, "primary").mark("save")
            self._leave = _LeaveQuestion()
            self._leave._props["file"] = self.name
            self._leave.on("leave", lambda event: self._answer_leave(event.args))
        with ui.element("div").classes("edit-conflict"):
            self._conflict = ConflictBar()
            self._kept = ui.element("div").classes("bar").props('role="status"').mark("draft")
            self._kept.set_visibility(False)
        self._show_draft()
        self._show_state()

    def _show_draft(self) -> None:
        """Say that the text is not that of the file, and ask what to do if the file has changed since it was read."""
        if self._draft is None:
            return
        if self._current.digest != self._base.digest and self._current.text != self.text:
            self._show_conflict(self._current)
        elif self._current.digest == self._base.digest:
            when = datetime.fromtimestamp(self._draft.time).strftime("%Y-%m-%d %H:%M")
            with self._kept:
                ui.label(f"This is your text of {when}, which is not saved; the file is as you read it then.")
                with details("Show the differences"):
                    ui.label(page_words.difference(self.name, self._base.text, self.text)).classes("diff")
            self._kept.set_visibility(True)
        else:
            self._keep(self._current)  # somebody has saved the same text

    def show_editor(self, language: str, on_change: Callable[[str], None]) -> None:
        """Show the text; `on_change` is called after each change, with the text before it."""
        options = {"language": language, "keymap": {"Mod-s": self.save}}
        self.editor = TextEditor(
            self.text, on_change=lambda event: self._take(event.value or "", on_change), **options
        ).classes("edit-code")

    def _take(self, text: str, on_change: Callable[[str], None]) -> None:
        """Follow a new text: of the author's keys, a form, a quick fix, or the file."""
        old = self.text
        if text == old:
            return
        self.text = text
        self.revision += 1
        self._keep_draft()
        if not self._is_changed:
            self._kept.set_visibility(False)
        self._show_state()
        on_change(old)

    def _keep_draft(self) -> None:
        if self._is_changed:
            self._draft = self._drafts.keep(self.name, self.text, self._base)
        elif self._draft and self._draft == self._drafts.get(self.name):  # and not that of another window
            self._drafts.drop(self.name)

    def _show_state(self) -> None:
        self._state.text = "unsaved changes" if self._is_changed else "saved"
        self._state.classes(replace=f"edit-state {'changed' if self._is_changed else ''}")
        for button in (self._save_button, self._discard_button):
            button.set_enabled(self._is_changed)
        show_data(self._leave, changed=self._is_changed)

    def discard(self) -> None:
        """Go back to the text of the file, as a step that can be undone."""
        self.editor.put(self._base.text)

    async def _answer_leave(self, answer: object) -> None:
        """Save or discard the text before another page is opened, or keep it as a draft."""
        how, target = (answer.get("how"), answer.get("target")) if isinstance(answer, dict) else ("", "")
        if how == "save":
            await self.save()
            if self._is_changed:
                return
        elif how == "discard":
            self._drafts.drop(self.name)
        else:
            self._drafts.write()
        self._leave.run_method("go", target)

    async def save(self) -> None:
        """Write the text, unless the file has changed outside."""
        if self._is_changed and self.may_save and not await self.may_save():
            return
        try:
            saved = page_words.save(self._root, self.name, self.text, self._base, self._path_of)
        except page_words.ChangedOutsideError as error:
            await self._merge(error.current)
        except (page_words.TextError, CardgenError) as error:
            ui.notify(explain(error), type="negative")
        else:
            self._keep(saved)

    async def save_with_others(self, text: str, others: Sequence[ChangedFile], title: str) -> None:
        """Write another text and other files, all or none, as a step that can be undone.

        Raises TextError and CardgenError, and writes nothing, if one of the files cannot be written, or has changed.
        """
        if self._studio.root != self._root:
            raise page_words.TextError("another project is open")
        change = CardChange((ChangedFile(self.name, self._base.digest, text), *others))
        self._studio.write(title, change, self.name)
        self._base = page_words.read(self._root, self.name, self._path_of)
        self.editor.put(text)
        self._keep_draft()
        await self._studio.refresh(tuple(each.file for each in change.files))
        self._keep(self._base)

    def follow_disk(self, on_change: Callable[[], object]) -> None:
        """Follow the file until the window is closed; `on_change` is called after changes of all files."""

        def follow(files: tuple[str, ...]) -> None:
            if self.name in files:
                self._compare()
            on_change()

        listen(self._studio.on_change, follow)

    def _compare(self) -> None:
        """Follow a file that others have changed, or ask the author if that would lose a text."""
        with suppress(page_words.TextError):
            current = page_words.read(self._root, self.name, self._path_of)
            if current.digest == self._base.digest:
                return
            if current.text == self.text:
                self._keep(current)
            elif current.digest and not self._is_changed:
                self._base = current
                self._conflict.hide()
                self.editor.put(current.text)
            else:
                background_tasks.create(self._merge(current))

    async def _merge(self, current: page_words.FileText) -> None:
        """Add what others have changed to the text, or show both if that cannot be, as for the same value."""
        for _ in range(_ATTEMPTS if current.digest else 0):
            mine = self.text
            both = page_words.merged(self._base.text, mine, current.text)
            if both is None or self.editor.is_deleted:
                break
            if await self.editor.replace(mine, both):
                self._keep(current)
                with self.editor.client:
                    ui.notify("Changes from outside the studio were added to your text, which is not saved yet.")
                return
            await asyncio.sleep(_PAUSE)  # the browser has a text that is still on its way
        if not self.editor.is_deleted:
            self._show_conflict(current)

    def _keep(self, base: page_words.FileText) -> None:
        """Take the file as it is now for the one that the text is a change of."""
        self._base = base
        self._keep_draft()
        self._conflict.hide()
        self._kept.set_visibility(False)
        self._show_state()

    def _show_conflict(self, current: page_words.FileText) -> None:
        def use_theirs() -> None:
            self._keep(current)
            self.editor.put(current.text)

        difference = page_words.difference(self.name, current.text, self.text)
        self._conflict.show(difference, use_theirs, lambda: self._keep(current), was_deleted=not current.digest)


class ConflictBar:
    """A bar above the text, hidden until there is a conflict."""

    def __init__(self) -> None:
        self._bar = ui.element("div").classes("bar warning").props('role="alert"')
        self._shown = ""
        self.hide()

    def hide(self) -> None:
        """Hide the bar."""
        self._shown = ""
        self._bar.set_visibility(False)

    def show(
        self, difference: str, on_theirs: Callable[[], None], on_mine: Callable[[], None], *, was_deleted: bool
    ) -> None:
        """Show the difference of the texts, and buttons to choose one; a bar that shows it already stays as it is."""
        if difference and difference == self._shown:
            return
        self._shown = difference
        words = "was deleted" if was_deleted else "has changed"
        self._bar.clear()
        with self._bar:
            ui.label(f"The file {words} outside the studio while you were editing. Nothing has been overwritten.")
            with button_row():
                plain_button("Use the file's text", on_theirs).mark("use-theirs")
                plain_button("Keep my text", on_mine).mark("keep-mine")
            with details("Show the differences"):
                ui.label(difference).classes("diff")
        self._bar.set_visibility(True)


_MOST_LISTS = 4


class _ProblemList(Element, component="web/problem_list.js"):  # type: ignore[call-arg]
    """The problems of the file that is being written."""


class OfferedFix(NamedTuple):
    """A quick fix by what its button and its problem say, and the number of equal ones before and after it."""

    code: str
    message: str
    title: str
    equals: tuple[int, int]


# What the browser sends to have a quick fix applied.
FIX = {"problem": int, "action": int, "revision": int}


class ProblemPanel:
    """A list of problems beside the editor of their text."""

    def __init__(self, editor: ui.codemirror, file: str, on_fix: Callable[[Any], object]) -> None:
        self._editor, self._file = editor, file
        # The problems of the last texts that were checked, by the revision of the text.
        self._rows: dict[int, tuple[ProblemRow, ...]] = {}
        self._list = _ProblemList()
        on_sent(self._list, "go", editor.reveal_line, int)
        on_sent(self._list, "fix", on_fix, dict, **FIX)
        self._list._props.update(problems=[], checked=False, fault="", revision=0)

    def expect(self) -> None:
        """Say that the text is being checked, until its problems are shown."""
        self._list.run_method("expect")

    def show_fault(self, fault: str) -> None:
        """Say why the text cannot be checked."""
        show_data(self._list, problems=[], checked=False, fault=fault)

    def show(self, rows: tuple[ProblemRow, ...], text: str, revision: int, fault: str = "") -> None:
        """Show the problems of a text, and why it was not checked completely; rows of other files have a path."""
        self._rows[revision] = rows
        for oldest in [*self._rows][:-_MOST_LISTS]:
            del self._rows[oldest]
        data = [problem_data(row, self._file) for row in rows]
        show_data(self._list, problems=data, checked=True, fault=fault, revision=revision)
        own = tuple(row for row in rows if row.file == self._file)
        decorations, tooltips = list[dict[str, Any]](), dict[int, str]()
        for row in own:
            start, end = (offset_at(text, *each) for each in (row.span[:2], row.span[2:]))
            if start < end:
                decorations.append({"kind": "mark", "from": start, "to": end, "class": f"problem-{row.severity}"})
            tooltips[row.span.line] = "\n".join(filter(None, (tooltips.get(row.span.line), row.message)))
        self._editor.decorations, self._editor.line_tooltips = decorations, tooltips

    def breaks(self, revision: int) -> tuple[ProblemRow, ...]:
        """Return the problems that other files get if a revision of the text is saved."""
        return tuple(row for row in self._rows.get(revision, ()) if not row.code and row.severity == Severity.WARNING)

    def offer(self, problem: int, action: int, revision: int) -> OfferedFix | None:
        """Return a quick fix that was offered for a revision of the text, or None if that is too old."""
        return dict(self._offers(revision)).get((problem, action))

    def fixed_text(self, fix: OfferedFix, revision: int, text: str, path: Path) -> str | None:
        """Return the text of a file with a quick fix; None if the fix is not offered for this revision."""
        place = next((place for place, offer in self._offers(revision) if offer == fix), None)
        if place is None:
            return None
        problem, action = place
        edits = self._rows[revision][problem].actions[action].edits
        return apply_edits(text, [edit for edit in edits if edit.path == path])

    def _offers(self, revision: int) -> Iterator[tuple[tuple[int, int], OfferedFix]]:
        """Yield the places and the fixes of a revision."""
        texts = {
            (problem, action): (row.code, row.message, each.title)
            for problem, row in enumerate(self._rows.get(revision, ()))
            for action, each in enumerate(row.actions)
        }
        total, before = Counter(texts.values()), Counter[tuple[str, str, str]]()
        for place, text in texts.items():
            before[text] += 1
            yield place, OfferedFix(*text, (before[text], total[text]))


def problem_data(row: ProblemRow, file: str) -> dict[str, Any]:
    """Return what the list of problems of a file shows of a problem, which may be of another file."""
    names = ("file", "code", "check", "severity", "message", "help", "reason")
    data = {name: getattr(row, name) for name in names}
    is_own = row.file == file
    return {
        **data,
        "line": row.span.line if is_own else 0,
        "place": row.place if is_own else f"{row.file}, {row.place}",
        "address": "" if is_own or not row.is_in_project else editor_address(row.file, row.span.line, row.cell),
        "actions": [action.title for action in row.actions],
    }
