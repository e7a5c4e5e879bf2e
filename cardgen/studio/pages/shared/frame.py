"""The frame of all pages of the studio: styles and the header with the views."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from nicegui import ui

from cardgen.studio.pages.shared.elements import details, error_bar, plain_button, with_props
from cardgen.studio.pages.shared.new_card import new_card_button
from cardgen.studio.pages.shared.window import listen
from cardgen.studio.studio import Studio
from cardgen.studio.texts import editor_address

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
    """Add style sheets to the page, such as "rules/rules"."""
    for name in names:
        ui.add_css(_resource(f"{name}.css"))


@contextmanager
def page_frame(studio: Studio, current: str, card: str = "") -> Iterator[None]:
    """Show the header; the block adds the main part of the page, which may be about one card."""
    add_styles("shared/studio", "shared/option_form")
    ui.add_body_html(f"<script>{_resource('shared/focus.js')}</script>")
    ui.page_title(f"{current.capitalize()} · {studio.root.name} · cardgen studio")
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
        _draft_list(studio)
        new_card_button(studio)
        _appearance_button(studio, dark)
    with ui.element("div").classes("studio-main"):
        yield


def view_link(name: str, target: str, *, is_current: bool) -> None:
    """Show a link to a view or a part of one."""
    link = ui.link(name, target).classes("studio-view")
    if is_current:
        link.props('aria-current="page"')


def _draft_list(studio: Studio) -> None:
    """Show which files have texts that are not saved, on all pages."""

    def show() -> None:
        drafts = studio.drafts
        count.text = f"{len(drafts)} unsaved" + (", not kept on the disk" if drafts.problem else "")
        files.clear()
        with files:
            if drafts.problem:
                error_bar(f"Drafts cannot be kept: {drafts.problem}. Save before you stop the studio.")
            for file in drafts:
                ui.link(file, editor_address(file))
        element.set_visibility(bool(drafts))

    with details("") as element:
        element.classes("studio-drafts").mark("drafts")
        files = ui.element("div")
    count = next(each for each in element.descendants() if isinstance(each, ui.label))
    count.props('role="status"')
    show()
    listen(studio.drafts.on_change, show)


def _appearance_button(studio: Studio, dark: ui.dark_mode) -> None:
    def change() -> None:
        choices = tuple(_APPEARANCES)
        studio.appearance = choices[(choices.index(studio.appearance) + 1) % len(choices)]
        dark.set_value(studio.appearance)
        button.text = _APPEARANCES[studio.appearance]
        with_props(button, aria_label=f"Colors: {button.text}")

    button = plain_button(_APPEARANCES[studio.appearance], change)
    with_props(button, aria_label=f"Colors: {button.text}").tooltip("Light, dark, or as the system")
