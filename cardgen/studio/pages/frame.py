"""What all pages of the studio share: header, colors, and dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.studio import Studio

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
    return (files("cardgen.studio.pages") / name).read_text(encoding="utf-8")


def add_styles(*names: str) -> None:
    """Add style sheets to the page, such as "rules_page"."""
    for name in names:
        ui.add_css(_resource(f"{name}.css"))


@contextmanager
def page_frame(studio: Studio, current: str, card: str = "") -> Iterator[None]:
    """Show the header; the block adds the main part of the page, which may be about one card."""
    add_styles("studio")
    ui.add_body_html(f"<script>{_resource('focus.js')}</script>")
    ui.page_title(f"{current.capitalize()} · {studio.root.name} · cardgen studio")
    ui.context.client.content.classes("studio")
    dark = ui.dark_mode(studio.appearance)
    with ui.element("header").classes("studio-header"):
        ui.label("cardgen studio").classes("studio-brand")
        ui.label(studio.state.title).classes("studio-project").mark("project")
        with ui.element("nav").props('aria-label="Views"'):
            for name, target in _VIEWS:
                about = f"?{urlencode({'card': card})}" if card and target == "/rules" else ""
                _view_link(name, target + about, is_current=current == name.lower())
        _new_card_button(studio)
        _appearance_button(studio, dark)
    with ui.element("div").classes("studio-main"):
        yield


def _view_link(name: str, target: str, *, is_current: bool) -> None:
    link = ui.link(name, target).classes("studio-view")
    if is_current:
        link.props('aria-current="page"')


def _appearance_button(studio: Studio, dark: ui.dark_mode) -> None:
    def change() -> None:
        choices = tuple(_APPEARANCES)
        studio.appearance = choices[(choices.index(studio.appearance) + 1) % len(choices)]
        dark.set_value(studio.appearance)
        button.text = _APPEARANCES[studio.appearance]
        button.props(f'aria-label="Colors: {button.text}"')

    button = plain_button(_APPEARANCES[studio.appearance], change)
    button.props(f'aria-label="Colors: {button.text}"').tooltip("Light, dark, or as the system")


def plain_button(text: str, on_click: object, kind: str = "") -> ui.button:
    """Return a button in the style of the studio; `kind` is '', 'primary', or 'quiet'."""
    button = ui.button(text, on_click=on_click, color=None)
    return button.props("flat no-caps dense :ripple=false").classes(f"studio-button {kind}")


@contextmanager
def busy_button(button: ui.button, text: str) -> Iterator[None]:
    """Disable a button during the block, with a text such as 'Creating …'."""
    usual = button.text
    button.text = text
    button.disable()
    try:
        yield
    finally:
        if not button.is_deleted:
            button.text = usual
            button.enable()


def _new_card_button(studio: Studio) -> None:
    if not studio.has_project:
        about = "Create a project first"
        plain_button("New card", lambda: ui.navigate.to("/new"), "primary").mark("new-card").tooltip(about)
        return
    with ui.dialog().props('aria-label="New card"') as dialog, ui.element("form").classes("studio-dialog") as form:
        form.on("submit.prevent", lambda: create())
        ui.label("New card").classes("studio-title").props('role="heading" aria-level="2"')
        kinds = list(studio.state.kinds)
        kind = ui.select(kinds, value=kinds[0] if kinds else None, label="Kind").props("outlined dense")
        name = ui.input("Name").props("outlined dense maxlength=80").mark("new-name")
        fault = ui.label().classes("studio-fault").props('role="alert"')
        with ui.element("div").classes("studio-row"):
            plain_button("Cancel", dialog.close, "quiet").props("type=button")
            button = plain_button("Create", None, "primary").props("type=submit")

    async def create() -> None:
        if not (name.value or "").strip():
            fault.text = "Enter a name."
            return
        fault.text = ""
        with busy_button(button, "Creating …"):
            try:
                file = await studio.writing.call("new_card", kind.value, name.value.strip())
            except CardgenError as error:
                fault.text = explain(error)
            except ProcessError as error:
                fault.text = str(error)
            else:
                await studio.refresh((file,))
                ui.navigate.to(f"/edit?{urlencode({'file': file})}")

    plain_button("New card", dialog.open, "primary").mark("new-card")


def explain(error: CardgenError) -> str:
    """Return the problems of an error and what to do about them, one a line."""
    return "\n".join(": ".join(filter(None, (each.message, each.help))) for each in error.diagnostics)
