"""The view that starts a project or a game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlencode

from nicegui import Client, ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.option_fields import CHOICE, FLAG, FieldChoice, OptionField
from cardgen.studio.pages.shared.elements import busy_button, error_bar, explain, fault_label, plain_button, title
from cardgen.studio.pages.shared.frame import page_frame
from cardgen.studio.pages.shared.option_form import OptionForm
from cardgen.studio.studio import Studio


def is_project(studio: Studio) -> bool:
    """Return whether the studio's folder has settings, so that no other project can begin in it."""
    return (studio.root / SETTINGS_FILE).is_file()


async def show_start(studio: Studio) -> None:
    """Show the forms for a new project and, in a project, a new game."""
    await studio.ready.wait()
    with page_frame(studio, "new"):
        try:
            games = await studio.drawing.call("starter.games", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            error_bar(str(error))
            return
        with ui.element("div").classes("starts"):
            _project_section(studio, games)
            if is_project(studio):
                _game_section(studio)


async def show_missing_project(studio: Studio, view: str) -> None:
    """Show in a view that it needs a project, and the way to one."""
    await studio.ready.wait()
    with page_frame(studio, view):
        title("This folder has no project yet.")
        with ui.element("p").mark("missing-project"):
            ui.link("Create a project first", "/new")


def _project_section(studio: Studio, games: tuple[FieldChoice, ...]) -> None:
    inside = is_project(studio)
    with ui.element("section").classes("start").props('aria-label="New project"'):
        title("New project")
        place = studio.root.parent if inside else studio.root
        where = f"A new folder in {place}." if inside else f"A new folder in {place}, or that folder itself."
        ui.label(f"A project has settings and a folder of cards. {where}").classes("option-help")
        form = OptionForm("New project")
        own = "A game of your own: its rules and templates are files that you change."
        form.show(
            (
                OptionField("name", "Folder", is_required=inside, placeholder="" if inside else "this folder"),
                OptionField("game", "Game", CHOICE, choices=games, is_required=True),
                OptionField("sample", "With the sample cards of the game", FLAG),
                OptionField("own_game", "Or a new game", help=own, placeholder="its name"),
            ),
            values={"game": games[0].value} if games else {},
        )
        fault = fault_label().mark("project-fault")

        async def create() -> None:
            values = form.values
            if inside and not values.get("name"):
                fault.text = "Enter a name for the folder."
                return
            folder = await studio.drawing.call(
                "starter.new_project",
                str(place),
                values.get("name", ""),
                values.get("game", ""),
                sample=bool(values.get("sample")),
                own_game=values.get("own_game", ""),
                priority=URGENT,
            )
            await studio.open(Path(folder).resolve())
            _reload_windows()

        _create_button("Create the project", create, fault).classes("primary").mark("create-project")


def _game_section(studio: Studio) -> None:
    with ui.element("section").classes("start").props('aria-label="New game"'):
        title("New game", 2)
        text = "A game of your own in this project: its kinds of cards, rules, checks, and templates are files."
        ui.label(text).classes("option-help")
        form = OptionForm("New game")
        form.show((OptionField("name", "Name", is_required=True, placeholder="Ember"),))
        fault = fault_label().mark("game-fault")

        async def create() -> None:
            if not form.values.get("name"):
                fault.text = "Enter a name."
                return
            files = await studio.drawing.call("starter.new_game", form.values["name"], priority=URGENT)
            await studio.refresh(files)
            game = next(file for file in files if file.endswith("game.yaml"))
            ui.navigate.to(f"/template?{urlencode({'file': game})}")

        _create_button("Create the game", create, fault).mark("create-game")


def _create_button(text: str, action: Callable[[], Awaitable[None]], fault: ui.label) -> ui.button:
    """Return a button that is disabled while its action runs, and shows why it failed."""

    async def run() -> None:
        fault.text = ""
        with busy_button(button, "Creating …"):
            try:
                await action()
            except (CardgenError, ProcessError) as error:
                fault.text = explain(error)

    button = plain_button(text, run)
    return button


def _reload_windows() -> None:
    """Show the project that is open now in all windows."""
    for client in list(Client.instances.values()):
        client.run_javascript("location.href = '/'")
