"""What authors do with whole cards, on the page of all cards and on that of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, TypeAlias
from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES, SETTINGS_FILE, TABLE_SUFFIXES
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.studio.engine.answers import CardRow
from cardgen.studio.engine.card_changes import CardChange, Question
from cardgen.studio.engine.card_moves import NewerTable
from cardgen.studio.job import sheets_address
from cardgen.studio.page_words import (
    CARD_SUFFIXES,
    CHOICE,
    SEVERAL,
    OptionField,
    TextError,
    card_path,
    explain,
    plain_choices,
)
from cardgen.studio.pages.elements import (
    FilePanel,
    OptionForm,
    Values,
    button_row,
    dialog_box,
    fault_label,
    plain_button,
    show_data,
)
from cardgen.studio.pages.window import leave_files, undo_step
from cardgen.studio.studio import Studio
from cardgen.studio.uploads import UploadError

# Cards that can be changed at once, and names of a list to show.
_MOST_CARDS, _MOST_NAMES = 1_000, 8
_FAULTS = (CardgenError, ProcessError, TextError)

Keys: TypeAlias = Sequence[str]


class _CardMenu(Element, component="web/card_menu.js"):  # type: ignore[call-arg]
    """The menu of a card, and what is done with several that are selected."""


class CardActions:
    """The menu of cards on a page."""

    def __init__(self, studio: Studio, file: str = "", *, opens_copies: bool = True) -> None:
        """Show the button of the menu if the page is that of a file, of which `show` names a card."""
        self._studio, self._file, self._opens_copies = studio, file, opens_copies
        self._view = _CardMenu()
        self._view.on("act", lambda event: self._act(event.args))
        self._view._props.update(card=None, page=bool(file))

    def show(self, row: CardRow | None) -> None:
        """Say which card the page is about."""
        data = {"key": row.key, "name": row.name, "printed": row.is_printed} if row else None
        if data != self._view._props["card"]:
            show_data(self._view, card=data)

    async def take_over(self, row: CardRow) -> None:
        """Turn the rows of a card's spreadsheet into cards, and open the card."""
        await self._act({"what": "take-over", "keys": [row.key]})
        now = self._studio.card(row.key)
        if now and now.file != row.file:
            ui.navigate.to(f"/edit?{urlencode({'file': now.file, 'card': now.key})}")

    async def _act(self, data: object) -> None:
        if not isinstance(data, dict) or not isinstance(data.get("keys"), list):
            return
        keys = [key for key in data["keys"] if isinstance(key, str)]
        action = _ACTIONS.get(str(data.get("what")))
        if action is None or not (keys or action is CardActions._undo):
            return
        try:
            if len(keys) > _MOST_CARDS:
                raise TextError(f"select at most {_MOST_CARDS} cards")
            if action is not CardActions._print:  # of the cards as they are saved
                files = (row.file for key in keys if (row := self._studio.card(key)))
                self._studio.require_saved((self._file, *files))
            await action(self, keys)
        except _FAULTS as error:
            ui.notify(explain(error), type="negative", multi_line=True)

    async def _duplicate(self, keys: Keys, name: str = "") -> None:
        change: CardChange = await self._call("cards.duplicate", keys, name)
        await self._studio.apply(f"Duplicated {self._names(keys)}", change)
        if len(keys) == 1 and self._opens_copies:
            ui.navigate.to(f"/edit?{urlencode({'file': change.file, 'card': change.key})}")

    async def _new_like(self, keys: Keys) -> None:
        name = await _ask_name(f"New card like {self._names(keys)}", "Create")
        if name:
            await self._duplicate(keys, name)

    async def _rename(self, keys: Keys) -> None:
        row = self._studio.card(keys[0])
        name = await _ask_name(f"Rename {self._names(keys)}", "Rename in all files", row.name if row else "")
        if not name or (row and name == row.name):
            return
        change: CardChange = await self._call("cards.rename", keys[0], name)
        await self._studio.apply(f"Renamed {self._names(keys)} to {name}", change)

    async def _delete(self, keys: Keys) -> None:
        questions: tuple[Question, ...] = await self._call("cards.questions", keys)
        names = self._names(keys)
        answer = await _ask_to_delete(names, questions)
        if not answer:
            return
        change: CardChange = await self._call("cards.delete", keys, retire=answer == "retire")
        await self._studio.apply(f"Deleted {names}", change)
        leave_files(each.file for each in change.files if each.text is None)

    async def _add(self, keys: Keys) -> None:
        """Add a card of a kind, whose game and name stand for a key."""
        name = await _ask_name(f"New {keys[0].rpartition('/')[2]}", "Create")
        if name:
            await self._studio.apply(f"Added {name}", await self._call("moves.add", keys[0], name))

    async def _tag(self, keys: Keys) -> None:
        known = {tag for key in keys if (row := self._studio.card(key)) for tag in row.tags}
        more = OptionField("added", "Tags to add", SEVERAL)
        less = OptionField("removed", "Tags to remove", SEVERAL, choices=plain_choices(sorted(known)))
        values = await _ask(f"Tags of {self._names(keys)}", "Set tags", (more, less) if known else (more,))
        if values:
            added, removed = values.get("added", ()), values.get("removed", ())
            await self._studio.apply(f"Tagged {self._names(keys)}", await self._call("table.tag", keys, added, removed))

    async def _move(self, keys: Keys) -> None:
        files = sorted({row.file for row in self._studio.state.cards if row.file.endswith(CARD_SUFFIXES)})
        field = OptionField("file", "File with a list of cards", CHOICE, choices=plain_choices(files))
        other = OptionField("other", "Or a new file", placeholder="cards/more.yaml")
        values = await _ask(f"Move {self._names(keys)}", "Move", (field, other))
        file = values.get("other") or values.get("file") if values else ""
        if file:
            file = card_path(self._studio.root, file).relative_to(self._studio.root.resolve()).as_posix()
            await self._studio.apply(f"Moved {self._names(keys)} to {file}", await self._call("moves.move", keys, file))

    async def _take_over(self, keys: Keys) -> None:
        change: CardChange = await self._call("moves.take_over", keys)
        written = ", ".join(each.file for each in change.files if each.file != SETTINGS_FILE)
        await self._studio.apply(f"Turned rows into cards of {written}", change)

    async def _print(self, keys: Keys) -> None:
        """Lay out the cards, show them in the tab that the browser has opened, and say how to print them."""
        ids = [key.rpartition("/")[2] for key in keys]
        try:
            job, advice = await self._studio.print_cards(ids)
        except _FAULTS:
            self._view.run_method("printed", "")
            raise
        self._view.run_method("printed", sheets_address(job))
        ui.notify("\n".join((advice, *job.result.notes)), timeout=0, close_button="Close", multi_line=True)

    async def _undo(self, _: Keys) -> None:
        if step := self._studio.history.offered:
            await undo_step(self._studio, step)

    async def _call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        return await self._studio.drawing.call(name, *arguments, priority=URGENT, **keywords)

    def _names(self, keys: Keys) -> str:
        rows = [row for key in keys if (row := self._studio.card(key))]
        return rows[0].name if len(rows) == 1 else f"{len(rows)} cards"


class NewerTables:
    """A button that takes a newer version of a table, and asks before it replaces the file; and pictures for it."""

    def __init__(self, studio: Studio, files: Sequence[str]) -> None:
        self._studio, self._files = studio, files
        hint = f"of {_listed(files)}, or pictures and icons; or drop them on this page"
        self._panel = FilePanel("Newer version …", hint, (*TABLE_SUFFIXES, *PICTURE_SUFFIXES), self._take, several=True)

    async def _take(self, sent: Sequence[tuple[str, str]]) -> None:
        told = list[str]()
        try:
            for upload, name in sorted(sent, key=lambda each: each[1].lower().endswith(PICTURE_SUFFIXES)):
                path = self._studio.uploads.take(upload)
                try:
                    told.append(await self._take_one(str(path), name))
                finally:
                    path.unlink(missing_ok=True)
            self._panel.tell(" ".join(told))
        except (*_FAULTS, UploadError) as error:
            self._panel.tell(" ".join((*told, explain(error))), is_fault=True)

    async def _take_one(self, upload: str, name: str) -> str:
        """Return what has happened to a file."""
        if not name.lower().endswith(TABLE_SUFFIXES):
            return str(await self._call("starter.add_file", self._files, upload, name))
        name = PurePosixPath(name).name
        # The only table, whatever its own name, or the one of its name.
        of_name = (each for each in self._files if PurePosixPath(each).name == name)
        file = self._files[0] if len(self._files) == 1 else next(of_name, "")
        if PurePosixPath(file).suffix.lower() != PurePosixPath(name).suffix.lower():
            raise UploadError(f"'{name}' cannot replace {_listed(self._files)}; save it under that name")
        return await self._replace(file, upload)

    async def _call(self, name: str, *arguments: Any) -> Any:
        return await self._studio.drawing.call(name, *arguments, priority=URGENT)

    async def _replace(self, file: str, upload: str) -> str:
        """Say what changes, and replace the table if the author agrees; return what has happened."""
        newer: NewerTable = await self._call("moves.newer", file, upload)

        async def show(values: Values) -> None:
            nonlocal newer
            newer = await self._call("moves.newer", file, upload, dict(values)) if values else newer
            changes.clear()
            with changes:
                said = {"New": newer.new, "Changed": newer.changed, "Gone": newer.gone}
                for what, names in said.items():
                    if names:
                        ui.label(f"{what} ({len(names)}): {_listed(names)}")
                if not any(said.values()):
                    ui.label("All cards stay as they are.")
                for each in newer.problems[:_MOST_NAMES]:
                    ui.label(each).classes("studio-fault")

        with dialog_box(f"Replace {file}?") as dialog:
            if newer.offers:
                fields = [
                    OptionField(question, question, CHOICE, choices=plain_choices(answers), is_required=True)
                    for question, answers in newer.offers
                ]
                OptionForm("What is new", show).show(
                    fields, values={each.name: each.choices[0].value for each in fields}
                )
            changes = ui.element("div")
            await show({})
            ui.label("You can undo this, even after the studio was stopped.")
            with button_row():
                plain_button("Cancel", lambda: dialog.submit(False), "quiet")
                plain_button("Replace", lambda: dialog.submit(True), "primary")
        agrees = await dialog
        dialog.delete()
        if agrees:
            await self._studio.replace(file, newer)
        return f"{file} was replaced." if agrees else "Nothing was changed."


_ACTIONS: Mapping[str, Callable[[CardActions, Keys], Awaitable[None]]] = MappingProxyType(
    {
        "duplicate": CardActions._duplicate,
        "like": CardActions._new_like,
        "rename": CardActions._rename,
        "delete": CardActions._delete,
        "add": CardActions._add,
        "tag": CardActions._tag,
        "move": CardActions._move,
        "take-over": CardActions._take_over,
        "print": CardActions._print,
        "undo": CardActions._undo,
    }
)


async def _ask_name(title: str, button: str, old: str = "") -> str:
    """Ask for a name, and return it, or '' if the author has changed their mind."""
    field = OptionField("name", "Name", is_required=True)
    values = await _ask(title, button, (field,), {"name": old} if old else {})
    return str(values["name"]) if values else ""


async def _ask(title: str, button: str, fields: Sequence[OptionField], values: Values = MappingProxyType({})) -> Values:
    """Ask for values of fields, and return them, or nothing if the author has changed their mind."""

    def submit() -> None:
        missing = next((each for each in fields if each.is_required and not form.values.get(each.name)), None)
        if missing:
            fault.text = f"Enter a {missing.label.lower()}."
        else:
            dialog.submit(form.values)

    with dialog_box(title) as dialog:
        form = OptionForm(title, on_submit=submit)
        form.show(fields, values=values)
        fault = fault_label()
        with button_row():
            plain_button("Cancel", lambda: dialog.submit(None), "quiet")
            plain_button(button, submit, "primary")
    given: Values | None = await dialog
    dialog.delete()
    return given or {}


async def _ask_to_delete(names: str, questions: Sequence[Question]) -> str:
    """Say what would be left without the cards; return 'delete', also 'retire' for their ids, or ''."""
    with dialog_box(f"Delete {names}?") as dialog:
        if len(questions) > 1:
            ui.label(_listed([each.name for each in questions]))
        for each in questions:
            if each.references:
                ui.label(f"{_listed(each.references)} would be left without {each.name}.").classes("studio-fault")
        files = [each.file for each in questions if each.is_last]
        if files:
            ui.label(f"{_listed(dict.fromkeys(files))} would have no card left, and is deleted, too.")
        ui.label("Pictures stay. You can undo this, even after the studio was stopped.")
        released = [each for each in questions if each.release]
        retire = None
        if released:
            text = f"{_listed(each.name for each in released)}: in release {released[0].release}"
            ui.label(f"{text}. Ids of cards that were removed for good belong under 'retired' in cardgen.yaml.")
            retire = ui.checkbox("Write them there", value=True)
        with button_row():
            plain_button("Cancel", lambda: dialog.submit(""), "quiet")
            plain_button(
                "Delete", lambda: dialog.submit("retire" if retire and retire.value else "delete"), "primary"
            ).mark("delete")
    answer = await dialog
    dialog.delete()
    return answer or ""


def _listed(names: Any) -> str:
    every = [*names]
    rest = len(every) - _MOST_NAMES
    return ", ".join((*every[:_MOST_NAMES], f"and {rest} more")) if rest > 0 else ", ".join(every)
