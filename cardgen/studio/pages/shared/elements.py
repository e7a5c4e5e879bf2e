"""Small elements that all pages share, in the style of the studio."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nicegui import ui
from nicegui.element import Element


def with_props(element: Any, **props: str) -> Any:
    """Set properties of an element to texts, whatever they contain, and return it; '_' in their names stands for '-'.

    NiceGUI's `props` takes a text apart, and evaluates what follows a colon there: a name of a card could be a program.
    """
    element._props.update({name.replace("_", "-"): value for name, value in props.items()})
    return element


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


def button_row() -> ui.element:
    """Return a row for the buttons of a form or a dialog."""
    return ui.element("div").classes("studio-row")


def title(text: str, level: int = 1) -> ui.label:
    """Return a heading of a page or a section."""
    return with_props(ui.label(text).classes("studio-title"), role="heading", aria_level=str(level))


def fault_label() -> ui.label:
    """Return a label that says why an action failed; it is hidden while it is empty."""
    return ui.label().classes("studio-fault").props('role="alert"')


def error_bar(text: str = "") -> ui.label:
    """Return a bar that says why a part of the page cannot be shown."""
    return ui.label(text).classes("bar error").props('role="alert"')


@contextmanager
def details(summary: str) -> Iterator[ui.element]:
    """Show what the block adds once the summary is opened."""
    with ui.element("details") as element:
        with ui.element("summary"):
            ui.label(summary)
        yield element


@contextmanager
def dialog_box(name: str) -> Iterator[ui.dialog]:
    """Return a dialog that is closed at first, with what the block adds."""
    with (
        with_props(ui.dialog(), aria_label=name) as dialog,
        ui.element("div").classes("studio studio-dialog"),  # dialogs are outside of the page
    ):
        title(name, 2)
        yield dialog


def show_data(element: Element, **data: Any) -> None:
    """Show other data in an element."""
    element._props.update(data)
    element.update()
