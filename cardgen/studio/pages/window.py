"""The window of the browser that a page is shown in, and its button that writes a new card."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from importlib.resources import files
from typing import TypeVar
from urllib.parse import urlencode

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.file_history import Step
from cardgen.studio import page_words
from cardgen.studio.page_words import CHOICE, OptionField, editor_address, explain, plain_choices
from cardgen.studio.pages.elements import (
    OptionForm,
    busy_button,
    button_row,
    dialog_box,
    fault_label,
    faults_told,
    plain_button,
    with_props,
)
from cardgen.studio.pages.project_panel import ProjectPanel
from cardgen.studio.studio import Studio


def new_card_button(studio: Studio) -> None:
    """Show the button; without a project, it leads to the page that creates one."""
    if studio.has_project:
        plain_button("New card", _NewCardDialog(studio).dialog.open, "primary").mark("new-card")
    else:
        button = plain_button("New card", lambda: ui.navigate.to("/new"), "primary").mark("new-card")
        button.tooltip("Create a project first")


class _NewCardDialog:
    """The dialog that asks for the kind and the name of a card."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        kinds = studio.state.kinds
        kind = OptionField("kind", "Kind", CHOICE, choices=plain_choices(kinds), is_required=True)
        with dialog_box("New card") as self.dialog:
            self._form = OptionForm("New card", on_submit=self._create)
            self._form.show((kind, OptionField("name", "Name")), values={"kind": kinds[0]} if kinds else {})
            self._fault = fault_label()
            with button_row():
                plain_button("Cancel", self.dialog.close, "quiet")
                self._button = plain_button("Create", self._create, "primary")

    async def _create(self) -> None:
        values = self._form.values
        if not values.get("name"):
            self._fault.text = "Enter a name."
            return
        with busy_button(self._button, "Creating …"), faults_told(self._fault):
            file = await self._studio.writing.call("new_card", values.get("kind"), values["name"])
            await self._studio.refresh((file,))
            ui.navigate.to(f"/edit?{urlencode({'file': file})}")


_Listener = TypeVar("_Listener", bound=Callable[..., object])


# How NiceGUI begins its warnings of changes of a page, or an element, that is gone.
_LATE_CHANGES = ("Client has been deleted", "An element has been deleted")


def allow_late_changes() -> None:
    """Let work that a page has begun, such as saving, go on to its end when the page is left.

    NiceGUI takes what it shows then for a mistake, and prints where; nobody sees it, so there is nothing to tell.
    """
    log = logging.getLogger("nicegui")
    if _is_no_late_change not in log.filters:
        log.addFilter(_is_no_late_change)


def _is_no_late_change(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_LATE_CHANGES)


@asynccontextmanager
async def connected_window() -> AsyncIterator[None]:
    """Run the block once the browser has connected, with the page as the place of new elements.

    If the page is left meanwhile, the rest is given up: nobody sees it, and its failures say nothing.
    """
    client = ui.context.client
    await client.connected()
    if client.is_deleted:
        raise asyncio.CancelledError
    with client:
        try:
            yield
        except Exception:
            if client.has_socket_connection and not client.is_deleted:
                raise
            raise asyncio.CancelledError from None


def listen(listeners: set[_Listener], listener: _Listener) -> None:
    """Add a listener until the window is closed."""
    listeners.add(listener)
    ui.context.client.on_delete(lambda: listeners.discard(listener))


FAVICON = "🃏"
_VIEWS = (
    ("Cards", "/"),
    ("Rules", "/rules"),
    ("Print", "/print"),
    ("Play", "/play"),
    ("Templates", "/template"),
    ("New", "/new"),
)
_APPEARANCES = {None: "Automatic", False: "Light", True: "Dark"}


@cache
def _resource(name: str) -> str:
    return (files("cardgen.studio.pages") / "web" / name).read_text(encoding="utf-8")


def add_styles(*names: str) -> None:
    """Add style sheets to the page, such as "rules"."""
    for name in names:
        ui.add_css(_resource(f"{name}.css"))


@contextmanager
def page_frame(studio: Studio, current: str, card: str = "") -> Iterator[None]:
    """Show the header; the block adds the main part of the page, which may be about one card."""
    add_styles("studio", "option_form")
    for script in ("focus", "print_tab"):
        ui.add_body_html(f"<script>{_resource(f'{script}.js')}</script>")
    ui.page_title(f"{current.capitalize()} · {studio.state.title} · cardgen studio")
    ui.context.client.content.classes("studio")
    studio.open_window()
    ui.context.client.on_delete(studio.close_window)
    dark = ui.dark_mode(studio.appearance)
    with ui.element("header").classes("studio-header"):
        ui.label("cardgen studio").classes("studio-brand")
        ui.label(studio.state.title).classes("studio-project").mark("project")
        with ui.element("nav").props('aria-label="Views"'):
            for name, target in _VIEWS:
                about = f"?{urlencode({'card': card})}" if card and target == "/rules" else ""
                view_link(name, target + about, is_current=current == name.lower())
        if studio.has_project:
            panel = ProjectPanel(studio)
            listen(studio.on_change, panel.show)
            for listeners in (studio.on_progress, studio.drafts.on_change):
                listen(listeners, panel.show)
        new_card_button(studio)
        _appearance_button(studio, dark)
    with ui.element("div").classes("studio-main"):
        yield
    _undo_bar(studio)


# Files that cannot be read to name.
_MOST_FILES = 10


def show_missing_files(studio: Studio) -> None:
    """Say which files cannot be read, with links to their lines, as long as there are any."""

    def show(_: tuple[str, ...] = ()) -> None:
        problems = studio.state.problems
        box.clear()
        box.set_visibility(bool(problems))
        with box:
            ui.label("These files cannot be read, so their cards are missing; built-in namesakes take their place.")
            with ui.element("ul"):
                for each in problems[:_MOST_FILES]:
                    with ui.element("li"):
                        ui.link(f"{each.file}, {each.place}", editor_address(each.file, each.span.line, each.cell))
                        ui.label(each.message)
            if len(problems) > _MOST_FILES:
                ui.label(f"and {len(problems) - _MOST_FILES} more")

    box = ui.element("div").classes("bar warning").props('role="status"')
    show()
    listen(studio.on_change, show)


def view_link(name: str, target: str, *, is_current: bool) -> None:
    """Show a link to a view or a part of one."""
    link = ui.link(name, target).classes("studio-view")
    if is_current:
        link.props('aria-current="page"')


# Seconds for which the last change can be undone with the bar; the list of changes has it after that, too.
_OFFER_SECONDS = 30.0


def _undo_bar(studio: Studio) -> None:
    """Show the last change of whole cards on all pages for some seconds, with a button to undo it."""

    def show() -> None:
        step = studio.history.offered
        text.text = step.title if step else ""
        left = step.time + _OFFER_SECONDS - time.time() if step else 0
        element.set_visibility(left > 0)
        if left > 0:
            asyncio.get_running_loop().call_later(left + 0.1, show)

    async def undo() -> None:
        if step := studio.history.offered:
            await undo_step(studio, step)

    with ui.element("section").classes("studio-undo").props('aria-label="Last change"') as element:
        text = ui.label().props('role="status"')
        plain_button("Undo", undo)
        with_props(plain_button("×", lambda: studio.history.offer(None), "quiet"), aria_label="Dismiss")
    show()
    listen(studio.history.on_change, show)


async def undo_step(studio: Studio, step: Step) -> None:
    """Undo a change of whole cards; a page whose file is gone then gives way to that of all cards."""
    with ui.context.client:  # the button may go with the change
        try:
            await studio.undo(step)
        except (page_words.TextError, CardgenError) as error:
            ui.notify(explain(error), type="negative")
            return
        ui.notify(f"Undone: {step.title}", type="positive", position="top")  # the bar is at the bottom
        leave_files(file for file, content in step.before.items() if content is None)


def leave_files(files: Iterable[str]) -> None:
    """Show all cards if the page edits one of some files that are gone."""
    if ui.context.client.request.query_params.get("file") in set(files):
        ui.navigate.to("/")


def _appearance_button(studio: Studio, dark: ui.dark_mode) -> None:
    def change() -> None:
        studio.appearance = {None: False, False: True, True: None}[studio.appearance]
        dark.set_value(studio.appearance)
        button.text = _APPEARANCES[studio.appearance]
        with_props(button, aria_label=f"Colors: {button.text}")

    button = plain_button(_APPEARANCES[studio.appearance], change)
    with_props(button, aria_label=f"Colors: {button.text}").tooltip("Light, dark, or as the system")
