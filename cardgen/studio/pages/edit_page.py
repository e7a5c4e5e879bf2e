"""The view in which a card file is written, with completion and help, and the picture of the card beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element

from cardgen.checking.checks.low_resolution import MIN_DPI
from cardgen.diagnostic import CardgenError
from cardgen.editor.completion import Completion
from cardgen.editor.hover import escape
from cardgen.editor.text import shared_length
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.runtime.request_process import BACKGROUND, URGENT, ProcessError, RemoteService
from cardgen.studio import page_words
from cardgen.studio.engine.answers import BLEED, CardRow, DrawnFace, TextState
from cardgen.studio.engine.assist import HelpText
from cardgen.studio.engine.renames import RENAME
from cardgen.studio.page_words import TextError, explain
from cardgen.studio.pages.card_actions import CardActions, NewerTables
from cardgen.studio.pages.card_panels import PicturePanel, TranslationPanel
from cardgen.studio.pages.elements import (
    button_row,
    dialog_box,
    error_bar,
    on_sent,
    plain_button,
    title,
    with_props,
)
from cardgen.studio.pages.form_panel import FormPanel, WrittenText
from cardgen.studio.pages.text_editor import FIX, OpenFile, ProblemPanel, name_text
from cardgen.studio.pages.window import add_styles, connected_window, listen, page_frame
from cardgen.studio.studio import Studio


class AssistElement(Element, component="web/text_assist.js"):  # type: ignore[call-arg]
    """What the browser adds to the editor of the text."""


class TextAssist:
    """Answers of the engine for the editor of a text, whose element has the id `editor`."""

    def __init__(
        self, studio: Studio, written: WrittenText, editor: int, on_save: Callable[[], Awaitable[None]]
    ) -> None:
        self._studio, self._engine, self._written = studio, studio.writing, written
        self._view = AssistElement()
        self._view._props["editor"] = editor
        on_sent(self._view, "complete", self._complete, dict, offset=int, number=int)
        on_sent(self._view, "help", self._help, dict, line=int, column=int, number=int)
        self._view.on("save", on_save)

    async def _complete(self, data: dict[str, Any]) -> None:
        place = (self._written.file, self._written.text(), data["offset"])
        try:
            every: list[Completion] = await self._engine.call("assist.complete", *place)
        except ProcessError:
            every = []
        answers = [{**each._asdict(), "kind": each.kind.value} for each in every]
        self._view.run_method("answer", data["number"], answers)

    async def _help(self, data: dict[str, Any]) -> None:
        """Answer with help and the picture of its card, and add the odds of the card, which take longer."""
        number, place = data["number"], (self._written.file, self._written.text(), data["line"], data["column"])
        text: HelpText | None = None
        with suppress(ProcessError):
            text = await self._engine.call("assist.help", *place)
        if text is None:
            self._view.run_method("answer", number, None)
            return
        name, picture = text.card.rpartition("/")[2], await self._picture(text.card)
        shown = {"markdown": text.markdown, "start": text.start, "end": text.end, "picture": picture, "name": name}
        self._view.run_method("answer", number, shown)
        if text.card:
            with suppress(ProcessError):
                lines = await self._engine.call("assist.odds", text.card, priority=BACKGROUND)
                self._view.run_method("addHelp", number, "\n\n".join(map(escape, lines)))

    async def _picture(self, card: str) -> str:
        """Return the address of the picture of a card, or '' if it has none."""
        drawn = DrawnFace(b"")
        if card:
            with suppress(ProcessError):
                drawn = await self._engine.call("draw", card)
        return f"/picture/{self._studio.keep_picture(drawn.svg)}" if drawn.svg else ""


async def show_editor(studio: Studio, file: str, card: str, line: int, language: str, sheet: str) -> None:
    """Show a card file, at a line, of a `sheet` or '', or at one of its cards, in a language of the project or ''."""
    await studio.ready.wait()
    rows = (row for row in studio.state.cards if row.file == file and sheet in ("", row.sheet))
    at_line = max(rows, key=lambda row: row.line * (row.line <= line), default=None)
    shown = card or (at_line.key if at_line else "")
    with page_frame(studio, "edit", shown):
        add_styles("edit", "form", "layout")
        if file.lower().endswith(TABLE_SUFFIXES) and (studio.root / file).is_file():
            row = studio.card(shown)
            _show_problems(studio, file, {row.line, line} if row else set())
            _show_row(studio, row) if row else NewerTables(studio, [file])
            return
        try:
            editor = FileEditor(studio, file, card, language)
        except TextError as error:
            error_bar(str(error))
            ui.link("Back to the cards", "/")
            return
    async with connected_window():
        name_text(file)
        await editor.show_all()
        await editor.show_selected(line)


def _show_problems(studio: Studio, file: str, lines: Collection[int]) -> None:
    """Show the problems of a spreadsheet in some rows, or all of them without any."""

    def show() -> None:
        found = (each for each in (*studio.problems, *studio.state.problems) if each.file == file)
        texts = dict.fromkeys(f"{each.place}: {each.message}" for each in found if not lines or each.span.line in lines)
        bars.clear()
        with bars:
            [error_bar(text) for text in texts]

    bars = ui.element("div")
    show()
    listen(studio.on_progress, show)


def _show_row(studio: Studio, row: CardRow) -> None:
    """Show a card of a spreadsheet, and the ways to change it."""
    with ui.element("div").classes("edit view-text"):
        with ui.element("div").classes("edit-bar"):
            title(row.name)
            actions = CardActions(studio, row.file)
            actions.show(row)
        with ui.element("div").classes("edit-text"):
            ui.label(
                f"This card is a row of {row.file}. Change it in the program that writes the spreadsheet; you see here"
                " what it saves. Or turn all rows into cards, to change them here: the spreadsheet stays as it is, and"
                " is not read any more."
            )
            with button_row():
                ui.link("Show all rows", f"/table?{urlencode({'kind': f'{row.game}/{row.kind}'})}").classes(
                    "studio-button"
                )
                plain_button("Turn into cards", lambda: actions.take_over(row), "primary")
            NewerTables(studio, [row.file])
        with ui.element("div").classes("edit-card card-stage zoom-fit"):
            image = with_props(ui.element("img"), alt=row.name)

    def show(_: tuple[str, ...] = ()) -> None:
        now = studio.card(row.key) or row
        with_props(image, src=f"/face?{urlencode({'key': now.key, 'v': now.version})}").update()

    show()
    listen(studio.on_change, show)


_EDITOR_THEMES = {True: "githubDark", False: "githubLight"}


class _CardView(Element, component="web/card_view.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """The picture of the card that is being written."""


class Look(NamedTuple):
    """Which side of a card is shown, which marks over it, and in which language, '' for that of the card."""

    back: bool = False
    marks: tuple[str, ...] = ()
    language: str = ""


class CardPane:
    """The picture of one of several cards. `on_choose` gets the key of another card, `on_look` follows another look."""

    def __init__(
        self,
        studio: Studio,
        file: OpenFile,
        on_choose: Callable[[object], Any],
        on_look: Callable[[], Any],
        look: Look,
    ) -> None:
        self._studio, self._on_look = studio, on_look
        self.look = look if look.language in studio.state.languages else look._replace(language="")
        self._name = ""
        self._view = _CardView()
        self._view.on("choose", lambda event: on_choose(event.args))
        self._view.on("save", file.save)
        self._view.on("look", lambda event: self._set_look(event.args))
        on_sent(self._view, "dark", lambda is_dark: file.editor.set_theme(_EDITOR_THEMES[is_dark]), bool)
        languages = {"source": studio.state.language, "languages": [*studio.state.languages]}
        self._view._props.update(cards=[], selected="", shown=self.look.language, first=self.look.back, **languages)

    def show_cards(self, rows: Iterable[CardRow], selected: str) -> None:
        """Show which cards there are, and which one the picture is of."""
        cards = [{"key": row.key, "name": row.name} for row in rows]
        self._name = next((card["name"] for card in cards if card["key"] == selected), "")
        if (cards, selected) != (self._view._props["cards"], self._view._props["selected"]):
            self._view._props.update(cards=cards, selected=selected)
            self._view.update()

    def show(self, drawn: DrawnFace) -> None:
        """Show a picture, or why there is none: then the last one stays, marked as old."""
        picture = f"/picture/{self._studio.keep_picture(drawn.svg)}" if drawn.svg else ""
        data = {"picture": picture, "problem": drawn.problem, "name": self._name}
        quality = {"fill": drawn.fill, "dpi": drawn.dpi, "isCoarse": 0 < drawn.dpi < MIN_DPI}
        self._view.run_method("show", {**data, "hasBack": drawn.has_back, **quality})

    def show_problem(self, problem: str) -> None:
        """Say why the current text has no picture."""
        self.show(DrawnFace(b"", problem=problem))

    def _set_look(self, look: object) -> Any:
        if isinstance(look, dict) and isinstance(look.get("marks"), list):
            marks = tuple(str(mark) for mark in look["marks"])
            self.look = Look(bool(look.get("back")), marks, str(look.get("language") or ""))
            return self._on_look()
        return None


class TextWithCard:
    """A file in an editor, a card beside it that follows its text, and its problems."""

    # How the card is shown first.
    _first_look = Look()

    def __init__(self, studio: Studio, file: OpenFile, engine: RemoteService) -> None:
        self._studio, self._file, self._engine = studio, file, engine
        self._work: asyncio.Task[None] | None = None
        self._show_elements()
        file.follow_disk(self._follow)
        ui.context.client.on_delete(self._stop)

    def _show_elements(self) -> None:
        """Show the text and the card."""
        raise NotImplementedError

    def _follow(self) -> None:
        """Follow changes of files, also of other ones."""
        raise NotImplementedError

    def _show_card(
        self, on_choose: Callable[[object], Any], on_look: Callable[[], Any], on_fix: Callable[[Any], Any]
    ) -> None:
        with ui.element("div").classes("edit-card"):
            self._card = CardPane(self._studio, self._file, on_choose, on_look, self._first_look)
            self._show_below_card()
            self._problems = ProblemPanel(self._file.editor, self._file.name, on_fix)

    def _show_below_card(self) -> None:
        """Show what belongs to the card, but not to its picture."""

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Show the card and the problems of a changed text, instead of those of an earlier one."""
        self._problems.expect()
        self._stop()
        self._work = asyncio.create_task(work)

    def _stop(self) -> None:
        if self._work:
            self._work.cancel()

    def reveal(self, line: int) -> None:
        """Scroll to a line of the text."""
        self._file.editor.reveal_line(line)


# Seconds after a key before the card is drawn again: typing fast should not draw each letter.
_DEBOUNCE = 0.06
# Seconds without a key before the file is checked, which takes longer than drawing.
_CHECK_AFTER = 0.25
# How often a quick fix is tried while the text changes, and the seconds that it waits for a check.
_ATTEMPTS, _PATIENCE = 5, 10.0
# Lines that every window shows without scrolling.
_FIRST_LINES = 15


class FileEditor(TextWithCard):
    """A card file in an editor. Its text is the truth: everything else on the page follows it."""

    def __init__(self, studio: Studio, file: str, card: str, language: str) -> None:
        """Show the file. Raises TextError if it is not a card file of the project."""
        self._selected, self._position, self._first_look = card, 0, Look(language=language)
        self._rows: tuple[CardRow, ...] = ()
        self._is_checked = asyncio.Event()
        super().__init__(studio, OpenFile(studio, file), studio.writing)
        self._file.may_save = self._may_save

    def _show_elements(self) -> None:
        file = self._file
        self._written = written = WrittenText(
            file.name, lambda: file.text, lambda: file.revision, lambda: self._selected
        )
        with ui.element("div").classes("edit view-both") as page:
            with file.show_bar():
                self._actions = CardActions(self._studio, file.name)
                self._views = ViewSwitch(page)
            with ui.element("div").classes("edit-form"):
                self._form = FormPanel(self._studio, written, lambda: file.editor)
                on_sent(self._form.view, "fix", self._fix, dict, **FIX)
                self._translations = TranslationPanel(self._studio, written, self._form.view)
            with ui.element("section").classes("edit-text").props('aria-label="Card file"'):
                file.show_editor("YAML", self._typed)
                TextAssist(self._studio, written, file.editor.id, file.save)
            self._show_card(self._choose, self._look_anew, self._fix)

    def _show_below_card(self) -> None:
        self._pictures = PicturePanel(self._studio, self._written, self._form)

    def _follow(self) -> None:
        self._is_checked.clear()
        self._begin(self.show_all())

    async def show_all(self) -> None:
        """Show the card and the problems of the text."""
        await self._draw_text()
        await self._show_form()
        await self._check()

    async def show_selected(self, line: int = 0) -> None:
        """Show a line, or scroll to the selected card if the text is beside the picture.

        In a narrow window, the form is shown alone, or the text for a line.
        """
        if line:
            if not await ui.run_javascript("innerWidth > 896", timeout=5):
                self._views.choose("text")
            self.reveal(line)
            return
        line = next((row.line for row in self._rows if row.key == self._selected), 1)
        if not await ui.run_javascript("innerWidth > 896", timeout=5):
            self._views.choose("form")
        elif line > _FIRST_LINES:
            self.reveal(line)

    # --- The text

    def _typed(self, old: str) -> None:
        """Follow a change of the text."""
        self._position = shared_length(old, self._file.text)
        self._form.follow(self._file.text)
        self._is_checked.clear()
        self._begin(self._show_later())

    async def _show_later(self) -> None:
        await asyncio.sleep(_DEBOUNCE)
        await self._draw_text(follow=True)
        await self._show_form()
        await asyncio.sleep(_CHECK_AFTER)
        await self._check()

    # --- The card

    async def _draw_text(self, *, follow: bool = False) -> None:
        try:
            place = (self._file.name, self._file.text)
            state: TextState = await self._engine.call("write", *place, priority=URGENT)
        except ProcessError as error:
            self._card.show_problem(str(error))
            return
        if state.cards and not (follow and self._is_lost(state.cards)):
            self._select(state.cards, follow=follow)
            await self._draw_card()
        else:
            self._card.show_problem("this card cannot be read" if self._file.text.strip() else "the file is empty")

    def _is_lost(self, rows: tuple[CardRow, ...]) -> bool:
        """Return whether the card that is being written is the one that cannot be read any more."""
        card = _card_at(self._rows, self._line) if self._rows else None
        return card is not None and len(rows) < len(self._rows) and all(row.key != card.key for row in rows)

    @property
    def _line(self) -> int:
        """The line of the last change."""
        return self._file.text.count("\n", 0, self._position) + 1

    def _select(self, rows: tuple[CardRow, ...], *, follow: bool) -> None:
        """Stay at the selected card, or go to the one that was changed."""
        old_index = next((index for index, row in enumerate(self._rows) if row.key == self._selected), 0)
        self._rows = rows
        keys = {row.key for row in rows}
        if follow:
            self._selected = _card_at(rows, self._line).key
        elif self._selected not in keys:
            self._selected = rows[min(old_index, len(rows) - 1)].key
        self._show_selected()

    def _show_selected(self) -> None:
        self._card.show_cards(self._rows, self._selected)
        self._actions.show(next((row for row in self._rows if row.key == self._selected), None))

    async def _draw_card(self) -> None:
        with suppress(ProcessError):
            drawn: DrawnFace = await self._engine.call(
                "draw", self._selected, **self._card.look._asdict(), priority=URGENT
            )
            self._card.show(drawn)
            self._form.show_fits(drawn)
            self._pictures.show(drawn, with_bleed=BLEED in self._card.look.marks)

    async def _choose(self, key: object) -> None:
        row = next((row for row in self._rows if row.key == key), None)
        if row:
            self._selected = row.key
            self._show_selected()
            self.reveal(row.line)
            await self._draw_card()
            await self._show_form()

    async def _look_anew(self) -> None:
        await self._draw_card()
        await self._translations.show(self._card.look.language)

    async def _show_form(self) -> None:
        await self._form.show(self._file.revision)
        await self._translations.show(self._card.look.language)

    # --- Problems

    async def _check(self) -> None:
        revision = self._file.revision
        try:
            rows = await self._engine.call("problems_of", self._file.name)
        except ProcessError as error:
            self._problems.show_fault(str(error))
            return
        if revision == self._file.revision:
            self._problems.show(rows, self._file.text, revision)
            self._is_checked.set()
            await self._form.show_problems(rows, revision)

    async def _fix(self, chosen: dict[str, int]) -> None:
        """Apply a quick fix; if the text has changed since it was offered, wait until the text is checked."""
        fix = self._problems.offer(chosen["problem"], chosen["action"], chosen["revision"])
        if fix and fix.title == RENAME:
            await self._rename()
            return
        for _ in range(_ATTEMPTS if fix else 0):
            if not await self._wait_for_check():
                break
            base, path = self._file.text, self._studio.root / self._file.name
            text = self._problems.fixed_text(fix, self._file.revision, base, path) if fix else None
            if text is None:
                break
            if await self._file.editor.replace(base, text):
                return
            await asyncio.sleep(_CHECK_AFTER)  # The browser has a text that is still on its way.
        ui.notify("the text has changed; this fix no longer applies", type="warning")

    async def _rename(self) -> None:
        """Save the text with the new names of its cards in all files, as one step."""
        text = self._file.text
        try:
            await self._engine.call("write", self._file.name, text, priority=URGENT)
            own, *others = await self._engine.call("renames.texts", self._file.name)
            if self._file.text != text:
                ui.notify("the text has changed; try again", type="warning")
                return
            files = ", ".join((own.file, *(each.file for each in others)))
            await self._file.save_with_others(own.text, others, f"Renamed in {files}")
        except (CardgenError, ProcessError, page_words.TextError) as error:
            ui.notify(explain(error), type="negative")

    async def _may_save(self) -> bool:
        """Ask what to do with references before they are left without their card."""
        rows = self._problems.breaks(self._file.revision) if await self._wait_for_check() else ()
        if not rows:
            return True
        with dialog_box("Save this file only?") as dialog:
            for row in rows:
                ui.label(f"{row.message}: {row.help}")
            with button_row():
                plain_button("Cancel", dialog.close, "quiet")
                plain_button("Save this file only", lambda: dialog.submit("this"))
                if any(action.title == RENAME for row in rows for action in row.actions):
                    plain_button(RENAME, lambda: dialog.submit("all"), "primary")
        answer = await dialog
        dialog.delete()
        if answer == "all":
            await self._rename()
        return bool(answer == "this")

    async def _wait_for_check(self) -> bool:
        """Return whether the problems of the newest text are there within some seconds."""
        try:
            await asyncio.wait_for(self._is_checked.wait(), _PATIENCE)
        except TimeoutError:
            return False
        return True


def _card_at(rows: tuple[CardRow, ...], line: int) -> CardRow:
    """Return the card that a line belongs to."""
    return next((row for row in sorted(rows, key=lambda row: -row.line) if row.line <= line), rows[0])


_VIEWS = {"form": "Form", "both": "Both", "text": "Text"}


class ViewSwitch:
    """Buttons that show the form, the text, or both in a page."""

    def __init__(self, page: ui.element) -> None:
        self._page = page
        self._buttons: dict[str, ui.element] = {}
        with ui.element("span").classes("segments").props('role="group" aria-label="View"'):
            for view, name in _VIEWS.items():
                with ui.element("button").props("type=button") as button:
                    ui.label(name)
                button.on("click", lambda _, view=view: self.choose(view))
                self._buttons[view] = button
        self.choose("both")

    def choose(self, chosen: str) -> None:
        """Show `form`, `both`, or `text`."""
        self._page.classes(replace=f"edit view-{chosen}")
        for view, button in self._buttons.items():
            with_props(button, aria_pressed=str(view == chosen).lower())
