"""The view in which templates, themes, games, and settings are written, with a card drawn beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from time import monotonic
from urllib.parse import urlencode

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.face.template.engine import TIME_LIMIT
from cardgen.project.files import LAYOUT_SUFFIX, TEMPLATE_SUFFIX, TEMPLATE_SUFFIXES
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.studio import page_words
from cardgen.studio.engine.answers import SourceView
from cardgen.studio.page_words import CHOICE, OptionField, TextError, explain, plain_choices
from cardgen.studio.pages.edit_page import Look, TextWithCard
from cardgen.studio.pages.elements import OptionForm, Values, error_bar, fault_label, faults_told, plain_button
from cardgen.studio.pages.layout_panel import LayoutPanel
from cardgen.studio.pages.text_editor import OpenFile, name_text
from cardgen.studio.pages.window import add_styles, connected_window, page_frame
from cardgen.studio.studio import Studio


async def show_template(studio: Studio, file: str, line: int) -> None:
    """Show a file, by default the first one of the project, at a line."""
    await studio.ready.wait()
    with page_frame(studio, "templates"):
        add_styles("edit", "templates", "layout")
        try:
            sources = await studio.computing.call("templates.files", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            error_bar(explain(error))
            return
        templates = (each for each in sources.files if each.endswith((TEMPLATE_SUFFIX, LAYOUT_SUFFIX)))
        fronts_first = sorted(templates, key=lambda each: ".back." in each)
        file = file or next(iter((*fronts_first, *sources.files)), "")
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
            self._built_in = OptionForm("Template to add")
            text = "A new layout for a kind, or a copy that replaces a built-in template."
            field = OptionField("name", "Layout or built-in template", CHOICE, text, plain_choices(originals))
            self._built_in.show([field])
            plain_button("Add to the project", self._copy).mark("copy-template")
            self._fault = fault_label()

    def _open(self, values: Values) -> None:
        if values.get("file"):
            ui.navigate.to(_address(values["file"]))

    async def _copy(self) -> None:
        name = self._built_in.values.get("name", "")
        if not name:
            self._fault.text = "Choose what to add."
            return
        with faults_told(self._fault):
            await _open_new(self._studio, "templates.copy", name)


async def _open_new(studio: Studio, question: str, *arguments: str) -> None:
    """Show a file that the engine writes."""
    file = await studio.computing.call(question, *arguments, priority=URGENT)
    await studio.refresh((file,))
    ui.navigate.to(_address(file))


def _address(file: str) -> str:
    return f"/template?{urlencode({'file': file})}"


# Seconds after a key before the card is drawn again.
_DEBOUNCE = 0.12
# Seconds that drawing may take when a newer text waits.
_SLOW = 2.0
_STILL = f"still drawing; a template that computes for more than {TIME_LIMIT:g} seconds is stopped"


class SourceEditor(TextWithCard):
    """A template, a game, or the settings in an editor."""

    def __init__(self, studio: Studio, file: str) -> None:
        """Show the file. Raises TextError if it is not a template, a game, or the settings."""
        self._key = ""
        self._questions: dict[asyncio.Task[SourceView], float] = {}
        # Changes when the card is to be drawn again: with another text, card, or look, or after changes of other files.
        self._turn = 0
        self._first_look = Look(back=".back." in file)
        super().__init__(studio, OpenFile(studio, file, page_words.source_path), studio.computing)

    def _show_elements(self) -> None:
        file = self._file
        with ui.element("div").classes("edit view-text"):
            with file.show_bar():
                pass
            with ui.element("section").classes("edit-text").props('aria-label="File"'):
                file.show_editor("YAML" if file.name.endswith(".yaml") else "XML", lambda _: self._follow())
            self._show_card(self._choose, self._follow, lambda _: None)

    def _show_below_card(self) -> None:
        self._layout = None
        if self._file.name.endswith(TEMPLATE_SUFFIXES):
            with ui.element("div").classes("layout-panel"):
                self._layout = LayoutPanel(self._studio, self._file, lambda: self._key)
                self._file.may_save = self._layout.settle
                if self._file.name.endswith(LAYOUT_SUFFIX):
                    plain_button("Continue as SVG", self._continue).mark("as-svg").tooltip(
                        "Write this layout as an SVG template, for arithmetic and paths; it has priority from then on"
                    )
                    self._fault = fault_label()

    async def _continue(self) -> None:
        """Write the layout as an SVG template, and show that."""
        with faults_told(self._fault):
            await _open_new(self._studio, "templates.as_svg", self._file.name, self._file.text)

    def _follow(self) -> None:
        self._turn += 1
        # Stop to draw a text that takes long, such as a template with a loop, for the next one.
        if any(monotonic() - asked > _SLOW for asked in self._questions.values()):
            self._engine.interrupt()
        self._begin(self._show_later())

    async def _show_later(self) -> None:
        await asyncio.sleep(_DEBOUNCE)
        await self.show_all()

    # --- The card and the problems

    async def show_all(self) -> None:
        """Show the card and the problems of the text."""
        turn = self._turn
        slow = asyncio.create_task(self._tell_when_slow(turn))
        try:
            view = await self._draw()
        except (ProcessError, CardgenError) as error:
            self._card.show_problem(explain(error))
            self._problems.show_fault(explain(error))
            return
        finally:
            slow.cancel()
        if turn == self._turn:
            self._key = view.key or self._key
            self._card.show_cards((row for row in self._studio.state.cards if row.is_printed), self._key)
            self._card.show(view.face)
            self._problems.show(view.problems, self._file.text, self._file.revision, view.fault)
            if self._layout:
                await self._layout.show(view, self._card.look)

    async def _tell_when_slow(self, turn: int) -> None:
        """Say that the card is still drawn; its last picture stays, marked as old."""
        await asyncio.sleep(_SLOW)
        if turn == self._turn:
            self._card.show_problem(_STILL)

    def _draw(self) -> Awaitable[SourceView]:
        """Ask for the card; the answer may be for a text that has changed by then."""
        place = (self._file.name, self._file.text, self._key)
        call = self._engine.call("templates.draw", *place, **self._card.look._asdict(), priority=URGENT)
        question = asyncio.create_task(call)
        self._questions[question] = monotonic()
        question.add_done_callback(self._forget)
        return asyncio.shield(question)

    def _forget(self, question: asyncio.Task[SourceView]) -> None:
        del self._questions[question]
        if not question.cancelled():
            question.exception()  # nobody may wait for it any more

    def _choose(self, key: object) -> None:
        if isinstance(key, str) and self._studio.card(key):
            self._key = key
            self._follow()
