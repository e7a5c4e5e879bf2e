"""The editor of a template, a theme, a game, or the settings, beside a card that is drawn with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from time import monotonic

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.face.template.engine import TIME_LIMIT
from cardgen.runtime.request_process import ProcessError
from cardgen.studio import texts
from cardgen.studio.engine.answers import SourceView
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.page_words import explain
from cardgen.studio.pages.edit.card_pane import CardPane
from cardgen.studio.pages.edit.problem_panel import ProblemPanel
from cardgen.studio.pages.edit.text.open_file import OpenFile
from cardgen.studio.studio import Studio

# Seconds after a key before the card is drawn again.
_DEBOUNCE = 0.12
# Seconds that drawing may take when a newer text waits.
_SLOW = 2.0
_STILL = f"still drawing; a template that computes for more than {TIME_LIMIT:g} seconds is stopped"


class SourceEditor:
    """A file in an editor; the card beside it follows its text."""

    def __init__(self, studio: Studio, file: str) -> None:
        """Show the file. Raises TextError if it is not a template, a game, or the settings."""
        self._studio = studio
        self._file = OpenFile(studio, file, texts.source_path)
        self._key = ""
        self._work: asyncio.Task[None] | None = None
        self._questions: dict[asyncio.Task[SourceView], float] = {}
        # Changes when the card is to be drawn again: with another text, card, or look, or after changes of other files.
        self._turn = 0
        self._show_elements()
        self._file.follow_disk(self._follow)
        ui.context.client.on_delete(self._close)

    def _show_elements(self) -> None:
        file = self._file
        with ui.element("div").classes("edit view-text"):
            with file.show_bar():
                pass
            with ui.element("section").classes("edit-text").props('aria-label="File"'):
                file.show_editor("YAML" if file.name.endswith(".yaml") else "XML", lambda _: self._follow())
            with ui.element("div").classes("edit-card"):
                self._card = CardPane(self._studio, file, self._choose, self._follow)
                self._problems = ProblemPanel(file.editor, file.name, lambda _: None)

    def _close(self) -> None:
        if self._work:
            self._work.cancel()

    def _follow(self) -> None:
        self._turn += 1
        self._problems.expect()
        if self._work:
            self._work.cancel()
        self._give_up_slow_text()
        self._work = asyncio.create_task(self._show_later())

    async def _show_later(self) -> None:
        await asyncio.sleep(_DEBOUNCE)
        await self.show_all()

    def reveal(self, line: int) -> None:
        """Scroll to a line of the text."""
        self._file.editor.reveal_line(line)

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

    async def _tell_when_slow(self, turn: int) -> None:
        """Say that the card is still drawn; its last picture stays, marked as old."""
        await asyncio.sleep(_SLOW)
        if turn == self._turn:
            self._card.show_problem(_STILL)

    def _draw(self) -> Awaitable[SourceView]:
        """Ask for the card; the answer may be for a text that has changed by then."""
        place = (self._file.name, self._file.text, self._key)
        call = self._studio.computing.call("templates.draw", *place, **self._card.look._asdict(), priority=URGENT)
        question = asyncio.create_task(call)
        self._questions[question] = monotonic()
        question.add_done_callback(self._forget)
        return asyncio.shield(question)

    def _forget(self, question: asyncio.Task[SourceView]) -> None:
        del self._questions[question]
        if not question.cancelled():
            question.exception()  # nobody may wait for it any more

    def _give_up_slow_text(self) -> None:
        """Stop to draw a text that takes long, such as a template with a loop, for the next one."""
        if any(monotonic() - asked > _SLOW for asked in self._questions.values()):
            self._studio.computing.interrupt()

    def _choose(self, key: object) -> None:
        if isinstance(key, str) and self._studio.card(key):
            self._key = key
            self._follow()
