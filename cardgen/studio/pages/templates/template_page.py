"""The view in which templates, themes, games, and settings are written, with a card drawn beside them."""

from __future__ import annotations

from urllib.parse import urlencode

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.option_fields import CHOICE, OptionField, plain_choices
from cardgen.studio.page_words import explain
from cardgen.studio.pages.edit.text.text_editor import name_text
from cardgen.studio.pages.shared.elements import error_bar, fault_label, plain_button
from cardgen.studio.pages.shared.frame import add_styles, page_frame
from cardgen.studio.pages.shared.option_form import OptionForm, Values
from cardgen.studio.pages.shared.window import connected_window
from cardgen.studio.pages.templates.source_editor import SourceEditor
from cardgen.studio.studio import Studio
from cardgen.studio.texts import TextError


async def show_template(studio: Studio, file: str, line: int) -> None:
    """Show a file, by default the first one of the project, at a line."""
    await studio.ready.wait()
    with page_frame(studio, "templates"):
        add_styles("edit/edit", "templates/templates")
        try:
            sources = await studio.computing.call("templates.files", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            error_bar(explain(error))
            return
        templates = (each for each in sources.files if each.endswith(".svg.j2"))
        file = file or next(iter((*templates, *sources.files)), "")
        SourceChoice(studio, file, sources.files, sources.originals)
        if not file:
            ui.label("This project has no templates or settings of its own yet.").classes("cards-empty")
            return
        try:
            editor = SourceEditor(studio, file)
        except TextError as error:
            error_bar(str(error))
            return
    async with connected_window():
        name_text(file)
        if line:
            editor.reveal(line)
        await editor.show_all()


class SourceChoice:
    """The files of the project, and the built-in templates that can be copied into it."""

    def __init__(self, studio: Studio, file: str, files: tuple[str, ...], originals: tuple[str, ...]) -> None:
        self._studio = studio
        with ui.element("div").classes("source-choice"):
            own = OptionForm("File to edit", self._open)
            own.show(
                [OptionField("file", "File", CHOICE, choices=plain_choices(files), is_required=True)],
                values={"file": file},
            )
            self._built_in = OptionForm("Template to copy")
            text = "A copy in the project replaces the built-in one."
            field = OptionField("name", "Built-in template", CHOICE, text, plain_choices(originals))
            self._built_in.show([field])
            plain_button("Copy into the project", self._copy).mark("copy-template")
            self._fault = fault_label()

    def _open(self, values: Values) -> None:
        if values.get("file"):
            ui.navigate.to(_address(values["file"]))

    async def _copy(self) -> None:
        name = self._built_in.values.get("name", "")
        if not name:
            self._fault.text = "Choose a template to copy."
            return
        try:
            file = await self._studio.computing.call("templates.copy", name, priority=URGENT)
        except (CardgenError, ProcessError) as error:
            self._fault.text = explain(error)
        else:
            await self._studio.refresh((file,))
            ui.navigate.to(_address(file))


def _address(file: str) -> str:
    return f"/template?{urlencode({'file': file})}"
