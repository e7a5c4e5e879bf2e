"""The view that starts a project or a game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import urlencode

from nicegui import Client, ui

from cardgen.diagnostic import CardgenError
from cardgen.options import FLAG
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.scaffold.game import DEFAULT_SIZE
from cardgen.studio.engine.starter import TABLE_SUFFIXES, GuessedTable
from cardgen.studio.page_words import CHOICE, FieldChoice, OptionField, explain, plain_choices
from cardgen.studio.pages.elements import (
    FilePanel,
    OptionForm,
    Values,
    busy_button,
    button_row,
    error_bar,
    fault_label,
    plain_button,
    title,
    with_props,
)
from cardgen.studio.pages.window import add_styles, page_frame
from cardgen.studio.studio import NewFile, Studio, game_files, project_files
from cardgen.studio.uploads import UploadError
from cardgen.units import CARD_SIZES, quantity

_NEXT_STEPS = (
    "New card writes a card that is ready to build. Change it in its form or its text, and see it at once.",
    "Rules shows what a card does in the game: odds, sentences, and balance.",
    "Print shows the sheets, and writes them as PDF files. It also exports cards to other programs and services.",
    "Play runs a battle with your cards, on phones and a shared screen.",
    "Templates changes how the cards look.",
)


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
        if is_project(studio):
            _ProjectSection(studio, games)
            _GameSection(studio)
            _TableSection(studio)
        else:
            _TableSection(studio)
            _ProjectSection(studio, games)
            with ui.element("section").classes("start").props('aria-label="Next steps"'):
                title("Next steps", 2)
                with ui.element("ol").classes("start-steps"):
                    for step in _NEXT_STEPS:
                        with ui.element("li"):
                            ui.label(step)


async def show_missing_project(studio: Studio, view: str) -> None:
    """Show in a view that it needs a project, and the way to one."""
    await studio.ready.wait()
    with page_frame(studio, view):
        title("This folder has no project yet.")
        with ui.element("p").mark("missing-project"):
            ui.link("Create a project first", "/new")


class _ProjectSection:
    """The form for a new project, and the files that it will have."""

    def __init__(self, studio: Studio, games: tuple[FieldChoice, ...]) -> None:
        self._studio, self._games = studio, {each.value: each.label for each in games}
        self._is_inside = is_project(studio)
        self._parent = _parent(studio)
        where = "A new folder in {}." if self._is_inside else "A new folder in {}, or that folder itself."
        about = f"A project has settings and a folder of cards. {where.format(self._parent)}"
        self._section = StartSection("project", about, self._create, is_primary=self._is_inside)
        self._section.show(self._fields(games), {"game": games[0].value} if games else {}, self._show_files)

    def _fields(self, games: tuple[FieldChoice, ...]) -> tuple[OptionField, ...]:
        own = "A game of your own: its rules and templates are files that you change."
        place = "" if self._is_inside else "this folder"
        return (
            OptionField("name", "Folder", is_required=self._is_inside, placeholder=place),
            OptionField("game", "Game", CHOICE, choices=games, is_required=True),
            OptionField("sample", "With the sample cards of the game", FLAG),
            OptionField("own_game", "Or a new game", help=own, placeholder="its name"),
        )

    def _show_files(self, form: OptionForm) -> None:
        values = form.values
        folder = self._parent / values.get("name", "") if values.get("name") or not self._is_inside else None
        game, sample = self._games.get(values.get("game", ""), ""), bool(values.get("sample"))
        files = project_files(game, sample=sample, own_game=values.get("own_game", ""))
        self._section.show_files(f"Files in {folder}" if folder else "Files in the new folder", files)

    async def _create(self, form: OptionForm) -> str:
        values = form.values
        if self._is_inside and not values.get("name"):
            return "Enter a name for the folder."
        options = {"sample": bool(values.get("sample")), "own_game": values.get("own_game", "")}
        return await _open_new(self._studio, values.get("name", ""), values.get("game", ""), **options)


class _GameSection:
    """The form for a new game in the project, and its files."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        about = "A game of your own in this project: its kinds of cards, rules, checks, and templates are files."
        self._section = StartSection("game", about, self._create)
        self._section.show((OptionField("name", "Name", is_required=True, placeholder="Ember"),), {}, self._show_files)

    def _show_files(self, form: OptionForm) -> None:
        self._section.show_files("Files of the game", game_files(form.values.get("name", "")))

    async def _create(self, form: OptionForm) -> str:
        if not form.values.get("name"):
            return "Enter a name."
        files = await self._studio.drawing.call("starter.new_game", form.values["name"], priority=URGENT)
        await self._studio.refresh(files)
        game = next(file for file in files if file.endswith("game.yaml"))
        ui.navigate.to(f"/template?{urlencode({'file': game})}")
        return ""


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
            self._files = FilePanel("Choose files …", hint, TABLE_SUFFIXES, self._read, several=True)
        ui.context.client.on_delete(self._forget)

    async def _read(self, sent: Sequence[tuple[str, str]]) -> None:
        """Show what is in files that have arrived, and the form for their game."""
        self._forget()
        try:
            folder = self._studio.uploads.take_together(sent)
            guess = await self._studio.drawing.call("starter.guess", str(folder), priority=URGENT)
        except (CardgenError, ProcessError, UploadError) as error:
            self._section.set_ready(False)
            self._files.tell(explain(error), is_fault=True)
            return
        self._folder = str(folder)
        self._files.tell(f"{quantity(len(sent), 'file')} read.")
        place = "this project" if self._is_inside else "this folder"
        sizes = plain_choices(CARD_SIZES)
        size_help = "One of the names, or such as 50mm x 75mm."
        fields = (
            OptionField("own_game", "Name of the game", is_required=True),
            OptionField("size", "Size of the cards", help=size_help, choices=sizes, placeholder=DEFAULT_SIZE),
            OptionField("name", "New folder", help="Leave it empty to use the open folder.", placeholder=place),
        )
        self._section.show(fields, {"own_game": guess.name.replace("_", " ")[:40]}, lambda _: None)
        self._section.set_ready(True)
        self._show(guess)

    def _show(self, guess: GuessedTable) -> None:
        side = self._section.side
        side.clear()
        with side:
            for note in guess.notes:
                error_bar(note).classes(replace="bar warning")
            for sheet in guess.sheets:
                title(sheet.title, 2)
                with ui.element("ul").classes("start-found"):
                    for heading, key, reason in sheet.columns:
                        with ui.element("li"):
                            ui.label(heading)
                            what = _KNOWN_KEYS.get(key, f"the field {key}") if key else "not read"
                            ui.label(": ".join(filter(None, (what, reason)))).classes("option-help")

    async def _create(self, form: OptionForm) -> str:
        values = form.values
        if not values.get("own_game"):
            return "Enter a name for the game."
        game, name, size = values["own_game"], values.get("name", ""), values.get("size", "")
        if self._is_inside and not name:
            files = await self._studio.drawing.call("starter.new_game", game, self._folder, size, priority=URGENT)
            await self._studio.refresh(files)
            ui.navigate.to("/")
            return ""
        return await _open_new(self._studio, name, "", own_game=game, table=self._folder, size=size)

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
    folder = await studio.drawing.call("starter.new_project", *place, priority=URGENT, **options)
    await studio.open(Path(folder).resolve())
    for client in list(Client.instances.values()):
        client.run_javascript("location.href = '/'")
    return ""


class StartSection:
    """The section for a new `what`. `create` gets the form, and returns what keeps it from being written, or ''.

    `slot` is above the form, and `side` beside it.
    """

    def __init__(
        self,
        what: str,
        about: str,
        create: Callable[[OptionForm], Awaitable[str]],
        heading: str = "",
        *,
        is_primary: bool = False,
    ) -> None:
        heading = heading or f"New {what}"
        self._create = create
        self._show_preview: Callable[[OptionForm], None] = lambda _: None
        with with_props(ui.element("section").classes("start beside"), aria_label=heading):
            with ui.element("div"):
                title(heading, 1 if is_primary else 2)
                ui.label(about).classes("option-help")
                self.slot = ui.element("div")
                self._form = OptionForm(heading, lambda _: self._show_preview(self._form), self._run)
                self._fault = fault_label().mark(f"{what}-fault")
                with button_row():
                    kind = "primary" if is_primary else ""
                    self._button = plain_button(f"Create the {what}", self._run, kind).mark(f"create-{what}")
            with ui.element("div").classes("start-files") as self.side:
                self._place = title("", 2)
                self._files = ui.element("ul").classes("boxes")

    def set_ready(self, is_ready: bool) -> None:
        """Show the form and its button, or hide them until there is something to create."""
        for each in (self._form, self._button):
            each.set_visibility(is_ready)

    def show(self, fields: tuple[OptionField, ...], values: Values, show_preview: Callable[[OptionForm], None]) -> None:
        """Show the form; `show_preview` shows the files again after each change."""
        self._show_preview = show_preview
        self._form.show(fields, values=values)
        show_preview(self._form)

    def show_files(self, place: str, files: Iterable[NewFile]) -> None:
        """Show which files there will be."""
        self._place.text = place
        self._files.clear()
        with self._files:
            for each in files:
                with ui.element("li"):
                    ui.label(each.path).classes("start-path")
                    ui.label(each.about).classes("option-help")

    async def _run(self) -> None:
        """Disable the button while the files are written, and show why they were not."""
        self._fault.text = ""
        with busy_button(self._button, "Creating …"):
            try:
                self._fault.text = await self._create(self._form)
            except (CardgenError, ProcessError) as error:
                self._fault.text = explain(error)
