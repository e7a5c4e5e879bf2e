"""The form of the card that is being written, and which of its fields stay the same field when the card changes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.editor.actions import is_suppression
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.source import Data, KeyPath
from cardgen.studio.engine.answers import DrawnFace, ProblemRow
from cardgen.studio.engine.form_edits import EditState, FormChange, FormState
from cardgen.studio.page_words import explain
from cardgen.studio.pages.elements import on_sent
from cardgen.studio.pages.text_editor import TextEditor, problem_data
from cardgen.studio.studio import Studio
from cardgen.studio.uploads import UploadError

FieldData = Mapping[str, Any]


def is_same_field(old: FieldData, new: FieldData, path: KeyPath) -> bool:
    """Return whether a path leads to the same field in two states of a card's form.

    It does if both have a field of one kind there, and all lists on the way, the last one too, have kept their items.
    """
    if old["path"] != new["path"] or path[: len(old["path"])] != old["path"]:
        return False
    if old["widget"] != new["widget"] or (old["widget"] == "list" and not _has_same_items(old, new)):
        return False
    if old["path"] == path:
        return True
    next_old, next_new = _next_field(old, path), _next_field(new, path)
    return next_old is not None and next_new is not None and is_same_field(next_old, next_new, path)


def _next_field(field: FieldData, path: KeyPath) -> FieldData | None:
    step = path[: len(field["path"]) + 1]
    return next((each for each in field["fields"] if each["path"] == step), None)


def _has_same_items(old: FieldData, new: FieldData) -> bool:
    """Return whether each item of a list is the one that was at its place; its own content may have changed."""
    pairs = [(_content(one), _content(other)) for one, other in zip(old["fields"], new["fields"], strict=False)]
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    others = Counter(repr(other) for _, other in pairs)
    return len(old["fields"]) == len(new["fields"]) and not any(others[repr(one)] for one, _ in changed)


def _content(field: FieldData) -> Any:
    """Return what a field says, wherever it is."""
    if field["widget"] == "list":
        return [_content(each) for each in field["fields"]]
    if field["fields"]:
        return sorted((each["key"], repr(_content(each))) for each in field["fields"])
    return field["value"]


# As the browser writes key paths.
_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ACTIONS = frozenset({"set", "add", "insert", "remove", "move", "rename", "full", "accept", "sentence", "example"})
# Forms to remember, attempts to make a change, and seconds in which the form must show the newest text for it.
_MOST_FORMS = 16
_ATTEMPTS = 5
_PATIENCE = 10.0
_HAS_CHANGED = "The card has changed; check the field and try again"


class WrittenText(NamedTuple):
    """The text of a file as its editor has it: functions that return it and the card's key.

    The revision grows with each change of the text.
    """

    file: str
    text: Callable[[], str]
    revision: Callable[[], int]
    card: Callable[[], str]


class _ShownForm(NamedTuple):
    """A form as the browser has shown it, with the key of its card."""

    key: str
    state: FormState

    def has_kept(self, older: _ShownForm, path: KeyPath) -> bool:
        """Return whether a path leads to the same field as in an older form."""
        old, new = older.state, self.state
        if old.field is None or new.field is None or old.kind != new.kind:
            return False
        is_same_card = not new.path or self.key == older.key
        return is_same_card and is_same_field(old.field, new.field, path)


class _CardForm(Element, component="web/card_form.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """The fields of a card."""


class FormPanel:
    """The form beside a text. It only asks for edits of the text, and shows what the text says then."""

    def __init__(self, studio: Studio, written: WrittenText, editor: Callable[[], TextEditor]) -> None:
        self._studio, self._engine, self._written, self._editor = studio, studio.writing, written, editor
        self._path: KeyPath = ()
        self._readable = ""
        self._oldest = 0
        self._forms: dict[int, _ShownForm] = {}
        self._is_current = asyncio.Event()
        self._expected: str | None = None
        self._lock = asyncio.Lock()
        self.view = _CardForm()
        on_sent(self.view, "change", self._change, dict, action=str, path=list, revision=int)
        on_sent(self.view, "options", self._answer_options, dict, path=list, prefix=str, number=int)
        on_sent(self.view, "icon", self._add_icon, dict, upload=str, name=str, number=int)
        on_sent(self.view, "sentence", self._answer_sentence, dict, path=list, text=str, number=int)
        on_sent(self.view, "go", lambda line: self._editor().reveal_line(line), int)
        self.view.on("restore", self._restore)

    async def show(self, revision: int) -> None:
        """Show the fields of the text as the engine has it."""
        key = self._written.card()
        try:
            state: FormState = await self._call("fields", self._written.file, key, self._path)
        except ProcessError as error:
            self.view.run_method("show", {"field": None, "kind": "", "fault": str(error), "line": 0})
            return
        self._path = state.path
        if state.field is not None:
            self._readable = self._written.text()
        data = {"field": state.field, "kind": state.kind, "fault": state.fault, "line": state.line}
        self.view.run_method("show", {**data, "restorable": bool(self._readable), "revision": revision})
        self._remember(revision, _ShownForm(key, state))

    def _remember(self, revision: int, form: _ShownForm) -> None:
        self._forms[revision] = form
        for oldest in sorted(self._forms)[:-_MOST_FORMS]:
            del self._forms[oldest]
        if revision == self._written.revision():
            self._is_current.set()

    async def show_problems(self, rows: Sequence[ProblemRow], revision: int) -> None:
        """Show problems at their fields."""
        places = tuple((row.span.line, row.span.column) for row in rows)
        try:
            paths = await self._call("places", self._written.file, places)
        except ProcessError:
            return
        data = [
            {
                **problem_data(row, self._written.file),
                "number": number,
                "path": _as_json(list(path)),
                "fixes": _fixes(row),
            }
            for number, (row, path) in enumerate(zip(rows, paths, strict=True))
        ]
        self.view.run_method("showProblems", data, revision)

    def show_fits(self, drawn: DrawnFace) -> None:
        """Show how full the boxes of the texts are."""
        if drawn.svg:
            self.view.run_method("showFits", dict(drawn.fits))

    async def _change(self, data: dict[str, Any]) -> None:
        """Edit the text; changes wait for each other, because each is one of the text that the last one left."""
        change = FormChange(data["action"], _key_path(data["path"]), data.get("argument"))
        if change.action not in _ACTIONS:
            return
        async with self._lock:
            state = await self._apply(change, data["revision"])
        path = [] if change.action == "set" or data.get("stays") else list(state.path)
        self.view.run_method("finish", path, state.fault)

    async def set_art(self, values: Mapping[str, Data], key: str = "art") -> str:
        """Name a picture or how it fills its box as one step of the undo; return why that is not possible, or ''."""
        async with self._lock:
            with suppress(TimeoutError):  # the form follows a change of the text a little later
                await asyncio.wait_for(self._is_current.wait(), _PATIENCE)
            if not self._forms.get(self._written.revision()):
                return f"fix the text first, and set '{key}' then"
            change = FormChange("art", (*self._path, key), dict(values))
            state = await self._apply(change, self._written.revision())
        return state.fault

    async def _apply(self, change: FormChange, revision: int) -> EditState:
        """Edit the text with a change that was made in the form of a revision.

        If that form has an older structure than the text, the change is made only if its path still leads to its field.
        """
        for _ in range(_ATTEMPTS):
            if revision < self._oldest and not await self._has_kept(change.path, revision):
                break
            text = self._written.text()
            state = await self._edit(text, change)
            if state.text == text or await self._replace(text, state.text, change):
                return state
        return EditState(self._written.text(), change.path, _HAS_CHANGED)

    async def _has_kept(self, path: KeyPath, revision: int) -> bool:
        """Wait for the form of the newest text; return whether a path leads to the same field as in an older form."""
        try:
            await asyncio.wait_for(self._is_current.wait(), _PATIENCE)
        except TimeoutError:
            return False
        old, new = self._forms.get(revision), self._forms.get(self._written.revision())
        return old is not None and new is not None and new.has_kept(old, path)

    async def _edit(self, text: str, change: FormChange) -> EditState:
        """Return a text with a change; most changes need the card of exactly this text, which may not be read yet."""
        file = self._written.file
        try:
            if change.action != "set":
                await self._engine.call("write", file, text, priority=URGENT)
            place = (file, text, self._written.card(), self._path)
            state: EditState = await self._call("edit", *place, change, priority=URGENT)
        except ProcessError as error:
            return EditState(text, change.path, str(error))
        return state

    async def _replace(self, base: str, text: str, change: FormChange) -> bool:
        """Replace the text that a change was computed for; return False if the author has another one by now."""
        self._expected = text if change.action == "set" else None
        is_done = await self._editor().replace(base, text)
        self._expected = self._expected if is_done else None
        return is_done

    def follow(self, text: str) -> None:
        """Let changes of the form wait until it shows this text, unless only a value of the form has changed."""
        self._is_current.clear()
        if text != self._expected:
            self._oldest = self._written.revision()
        self._expected = None

    async def _answer_options(self, data: dict[str, Any]) -> None:
        path, prefix = _key_path(data["path"]), data["prefix"]
        try:
            options = await self._call("options", self._written.file, self._written.text(), path, prefix)
        except ProcessError:
            options = []
        self.view.run_method("answer", data["number"], options)

    async def _answer_sentence(self, data: dict[str, Any]) -> None:
        place = (self._written.file, self._written.text(), self._written.card(), self._path)
        try:
            answer = await self._call("sentence", *place, _key_path(data["path"]), data["text"])
        except ProcessError:
            answer = {"readings": [], "acceptable": False}
        self.view.run_method("answer", data["number"], answer)

    async def _add_icon(self, data: dict[str, Any]) -> None:
        answer = {"icon": "", "fault": ""}
        try:
            upload = str(self._studio.uploads.take(data["upload"]))
            answer["icon"] = icon = await self._engine.call("add_icon", upload, data["name"], priority=URGENT)
            await self._studio.refresh((f"icons/{icon}.svg",))
        except (CardgenError, ProcessError, UploadError) as error:
            answer["fault"] = explain(error)
        self.view.run_method("answer", data["number"], answer)

    def _restore(self) -> None:
        """Go back to the last text that could be read, as one step that can be undone."""
        if self._readable:
            self._editor().put(self._readable)

    async def _call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        return await self._engine.call(f"form.{name}", *arguments, **keywords)


def _fixes(row: ProblemRow) -> list[dict[str, Any]]:
    """Return the quick fixes that change a value; comments that suppress a problem are offered in the list."""
    return [
        {"title": each.title, "action": number}
        for number, each in enumerate(row.actions)
        if not each.edits or not is_suppression(each.edits)
    ]


def _key_path(data: object) -> KeyPath:
    steps = data if isinstance(data, list) else []
    return tuple(step for step in steps if isinstance(step, str | int) and not isinstance(step, bool))
