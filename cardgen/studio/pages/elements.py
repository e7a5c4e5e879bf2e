"""Small elements that all pages share, and forms of options, whose values are checked when they arrive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from nicegui import ui
from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.page_words import FieldChoice, OptionField, explain, read_values


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


@contextmanager
def faults_told(label: ui.label) -> Iterator[None]:
    """Say in a label why the block fails, if it does."""
    label.text = ""
    try:
        yield
    except (CardgenError, ProcessError) as error:
        label.text = explain(error)


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


def on_sent(view: Element, event: str, handler: Callable[[Any], object], sort: type[Any], **items: type) -> None:
    """Call a handler with what the browser sends with an event, if its type is `sort`, with `items` of these types.

    Anything else is left out, as a browser sends it only if somebody has changed its page.
    """

    def take(sent: Any) -> object:
        fits = type(sent) is sort and all(type(sent.get(name)) is each for name, each in items.items())
        return handler(sent) if fits else None

    view.on(event, lambda sent: take(sent.args))


def show_data(element: Element, **data: Any) -> None:
    """Show other data in an element."""
    element._props.update(data)
    element.update()


Values = Mapping[str, Any]


class OptionForm(Element, component="web/option_form.js"):  # type: ignore[call-arg]
    """A form of options. `on_change` gets the values after each change; `on_submit` is called for the Enter key."""

    def __init__(
        self,
        name: str,
        on_change: Callable[[Values], object] = lambda _: None,
        on_submit: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self._form_fields: tuple[OptionField, ...] = ()
        self._props.update(name=name, fields=[], sources={}, initial={})
        self.on("values", lambda event: on_change(self._take(event.args)))
        if on_submit:
            self.on("submit-form", lambda _: on_submit())
        self.values: dict[str, Any] = {}

    def show(
        self,
        fields: Iterable[OptionField],
        sources: Mapping[str, Iterable[FieldChoice]] | None = None,
        values: Values | None = None,
    ) -> None:
        """Show fields, with choices that several of them share, and those of the values that are theirs."""
        self._form_fields = tuple(fields)
        choices = {name: [asdict(each) for each in every] for name, every in (sources or {}).items()}
        names = {field.name for field in self._form_fields}
        self.values = {name: value for name, value in (values or {}).items() if name in names}
        shown = [asdict(each) for each in self._form_fields]
        self._props.update(fields=shown, sources=choices, initial=dict(self.values))
        self.update()

    def _take(self, given: object) -> Values:
        self.values = read_values(self._form_fields, given if isinstance(given, dict) else {})
        return self.values


class FilePanel(Element, component="web/file_panel.js"):  # type: ignore[call-arg]
    """A button that takes files, as a drop or a paste anywhere on the page does: one, or `several` and folders.

    `on_files` gets their names among the uploads, and their paths.
    """

    def __init__(
        self,
        label: str,
        hint: str,
        suffixes: Iterable[str],
        on_files: Callable[[Sequence[tuple[str, str]]], object],
        *,
        several: bool = False,
    ) -> None:
        super().__init__()
        self._props.update(label=label, hint=hint, suffixes=[*suffixes], several=several)

        def take(sent: object) -> object:
            pairs = [tuple(map(str, each)) for each in sent if isinstance(each, list)] if isinstance(sent, list) else []
            files = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
            return on_files(files) if files else None

        self.on("files", lambda event: take(event.args))

    def tell(self, text: str, *, is_fault: bool = False) -> None:
        """Say where the files are, or why they are not taken."""
        self.run_method("tell", text, is_fault)
