"""The view that starts a project or a game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import urlencode

from nicegui import Client, ui
from nicegui.events import ValueChangeEventArguments

from cardgen.diagnostic import CardgenError
from cardgen.options import FLAG
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.regular_file import glob_inside
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.scaffold.game import DEFAULT_SIZE, SENT_SUFFIXES
from cardgen.studio.engine.starter import GuessedTable
from cardgen.studio.page_words import CHOICE, FieldChoice, OptionField, explain, plain_choices
from cardgen.studio.pages.elements import (
    FilePanel,
    OptionForm,
    Values,
    busy_button,
    button_row,
    error_bar,
    fault_label,
    faults_told,
    plain_button,
    title,
    with_props,
)
from cardgen.studio.pages.window import add_styles, page_frame
from cardgen.studio.studio import Studio
from cardgen.studio.uploads import UploadError
from cardgen.units import CARD_SIZES

_MOST_OTHERS = 50


def is_project(studio: Studio) -> bool:
    """Return whether the studio's folder has settings, so that no other project can begin in it."""
    return (studio.root / SETTINGS_FILE).is_file()


async def show_start(studio: Studio) -> None:
    """Show the forms for a new project and, in a project, a new game."""
    await studio.ready.wait()
    with page_frame(studio, "new"):
        add_styles("start")
        try:
            games = await studio.drawing.call("starter.games", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            error_bar(explain(error))
            return
        _show_others(studio)
        if is_project(studio):
            _show_project_section(studio, games)
            _show_game_section(studio)
            _TableSection(studio)
        else:
            _TableSection(studio)
            _show_project_section(studio, games)


async def show_missing_project(studio: Studio, view: str) -> None:
    """Show in a view that it needs a project, and the way to one."""
    await studio.ready.wait()
    with page_frame(studio, view):
        title("This folder has no project yet.")
        with ui.element("p").mark("missing-project"):
            ui.link("Create a project first", "/new")


def _show_project_section(studio: Studio, games: tuple[FieldChoice, ...]) -> None:
    """Show the form for a new project."""
    is_inside = is_project(studio)

    async def create(values: Values) -> str:
        if is_inside and not values.get("name"):
            return "Enter a name for the folder."
        options = {"sample": bool(values.get("sample")), "own_game": values.get("own_game", "")}
        return await _open_new(studio, values.get("name", ""), values.get("game", ""), **options)

    own = "A game of your own: its rules and templates are files that you change."
    fields = (
        OptionField("name", "Folder", is_required=is_inside, placeholder="" if is_inside else "this folder"),
        OptionField("game", "Game", CHOICE, choices=games, is_required=True),
        OptionField("sample", "With the sample cards of the game", FLAG),
        OptionField("own_game", "Or a new game", help=own, placeholder="its name"),
    )
    where = f"A new folder in {_parent(studio)}{'' if is_inside else ', or that folder itself'}."
    about = f"A project has settings and a folder of cards. {where}"
    section = StartSection("project", about, create, is_primary=is_inside)
    section.form.show(fields, values={"game": games[0].value} if games else {})


def _show_game_section(studio: Studio) -> None:
    """Show the form for a new game in the project."""

    async def create(values: Values) -> str:
        if not values.get("name"):
            return "Enter a name."
        files = await studio.drawing.call("starter.new_game", values["name"], priority=URGENT)
        await studio.refresh(files)
        game = next(file for file in files if file.endswith("game.yaml"))
        ui.navigate.to(f"/template?{urlencode({'file': game})}")
        return ""

    about = "A game of your own in this project: its kinds of cards, rules, checks, and templates are files."
    fields = (OptionField("name", "Name", is_required=True, placeholder="Ember"),)
    StartSection("game", about, create).form.show(fields)


# What the keys are that every card has.
_KNOWN_KEYS = {
    "id": "the id by which other cards refer to it",
    "name": "the name",
    "qty": "how many copies are printed",
    "text": "the text",
    "motto": "the flavor text",
    "credit": "who drew the picture",
    "art": "the picture",
}


class _TableSection:
    """The form for a game whose cards are in a spreadsheet or a deck of another program, and what was found there."""

    def __init__(self, studio: Studio) -> None:
        self._studio, self._folder = studio, ""
        self._is_inside = is_project(studio)
        about = (
            "Choose spreadsheets with a row for each card, and the pictures that they name; or a folder with both, or a"
            " deck of Cider, Squib, or Magic Set Editor. The project gets copies."
        )
        self._section = StartSection(
            "game", about, self._create, "New game from a spreadsheet", is_primary=not self._is_inside
        )
        self._section.set_ready(False)
        with self._section.slot:
            hint = "or drop them on this page"
            self._files = FilePanel("Choose files …", hint, SENT_SUFFIXES, self._read, several=True)
        ui.context.client.on_delete(self._forget)

    async def _read(self, sent: Sequence[tuple[str, str]]) -> None:
        """Show what is in files that have arrived, and the form for their game."""
        call = self._studio.drawing.call
        try:
            folder = str(self._studio.uploads.take_together(sent))
            if self._folder:
                folder = await call("starter.join", folder, self._folder, priority=URGENT)
            self._folder = folder
            guess = await call("starter.guess", folder, priority=URGENT)
        except (CardgenError, ProcessError, UploadError) as error:
            self._section.set_ready(False)
            self._files.tell(explain(error), is_fault=True)
            return
        self._files.tell(guess.files)
        place = "this project" if self._is_inside else "this folder"
        sizes = plain_choices(CARD_SIZES)
        size_help = "One of the names, or such as 50mm x 75mm."
        fields = (
            OptionField("own_game", "Name of the game", is_required=True),
            OptionField("size", "Size of the cards", help=size_help, choices=sizes, placeholder=DEFAULT_SIZE),
            OptionField("name", "New folder", help="Leave it empty to use the open folder.", placeholder=place),
        )
        self._section.form.show(fields, values={"own_game": guess.name.replace("_", " ")[:40]})
        self._section.set_ready(True)
        self._show(guess)

    def _show(self, guess: GuessedTable) -> None:
        side = self._section.side
        side.clear()
        self._corrections = set[tuple[str, str, str]]()
        with side:
            for note in guess.notes:
                error_bar(note).classes(replace="bar warning")
            for sheet in guess.sheets:
                title(sheet.title, 2)
                with ui.element("ul").classes("start-found"):
                    for heading, key, reason, can_be in sheet.columns:
                        with ui.element("li"):
                            ui.label(heading)
                            what = _KNOWN_KEYS.get(key, f"the field {key}") if key else "not read"
                            ui.label(": ".join(filter(None, (what, reason)))).classes("option-help")
                            for what in can_be:
                                box = ui.checkbox(what, on_change=partial(self._correct, (sheet.kind, heading, what)))
                                with_props(box.props("dense"), aria_label=f"{what.capitalize()} {heading}")

    def _correct(self, correction: tuple[str, str, str], event: ValueChangeEventArguments) -> None:
        (self._corrections.add if event.value else self._corrections.discard)(correction)

    async def _create(self, values: Values) -> str:
        if not values.get("own_game"):
            return "Enter a name for the game."
        game, name, size = values["own_game"], values.get("name", ""), values.get("size", "")
        if self._is_inside and not name:
            sent = (game, self._folder, size, (*self._corrections,))
            files = await self._studio.drawing.call("starter.new_game", *sent, priority=URGENT)
            await self._studio.refresh(files)
            ui.navigate.to("/")
            return ""
        options = {"own_game": game, "table": self._folder, "size": size, "corrections": (*self._corrections,)}
        return await _open_new(self._studio, name, "", **options)

    def _forget(self) -> None:
        if self._folder:
            rmtree(self._folder, ignore_errors=True)
        self._folder = ""


def _parent(studio: Studio) -> Path:
    """Return the folder in which new projects begin."""
    return studio.root.parent if is_project(studio) else studio.root


async def _open_new(studio: Studio, name: str, game: str, **options: Any) -> str:
    """Write a project, and show it in all windows; return ''."""
    place = (str(_parent(studio)), name, game)
    await _open(studio, Path(await studio.drawing.call("starter.new_project", *place, priority=URGENT, **options)))
    return ""


async def _open(studio: Studio, folder: Path) -> None:
    """Show a project in all windows."""
    await studio.open(folder.resolve())
    for client in list(Client.instances.values()):
        client.run_javascript("location.href = '/'")


def _show_others(studio: Studio) -> None:
    """Offer to open the other projects in the folder of new ones."""
    found = sorted(path.parent for path in glob_inside(_parent(studio), f"*/{SETTINGS_FILE}"))
    if others := [folder for folder in found if folder.resolve() != studio.root.resolve()][:_MOST_OTHERS]:
        with button_row().props('role="group" aria-label="Other projects"'):
            ui.label(f"Projects in {_parent(studio)}:")
            for folder in others:
                plain_button(f"Open {folder.name}", partial(_open, studio, folder))


class StartSection:
    """The section for a new `what`.

    `create` gets the values of the `form`, and returns what keeps it from being written, or ''. `slot` is above the
    form, and `side` beside it.
    """

    def __init__(
        self,
        what: str,
        about: str,
        create: Callable[[Values], Awaitable[str]],
        heading: str = "",
        *,
        is_primary: bool = False,
    ) -> None:
        heading = heading or f"New {what}"
        self._create = create
        with with_props(ui.element("section").classes("start beside"), aria_label=heading):
            with ui.element("div"):
                title(heading, 1 if is_primary else 2)
                ui.label(about).classes("option-help")
                self.slot = ui.element("div")
                self.form = OptionForm(heading, on_submit=self._run)
                self._fault = fault_label().mark(f"{what}-fault")
                with button_row():
                    kind = "primary" if is_primary else ""
                    self._button = plain_button(f"Create the {what}", self._run, kind).mark(f"create-{what}")
            self.side = ui.element("div")

    def set_ready(self, is_ready: bool) -> None:
        """Show the form and its button, or hide them until there is something to create."""
        for each in (self.form, self._button):
            each.set_visibility(is_ready)

    async def _run(self) -> None:
        """Disable the button while the files are written, and show why they were not."""
        with busy_button(self._button, "Creating …"), faults_told(self._fault):
            self._fault.text = await self._create(self.form.values)
