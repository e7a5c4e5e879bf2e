"""The view in which battles are set up and resumed, and from which players join the one that is played."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from nicegui import background_tasks, ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.page_words import explain
from cardgen.studio.pages.play.battle_lobby import BattleLobby
from cardgen.studio.pages.play.battle_setup import BattleSetup
from cardgen.studio.pages.play.sides_view import SidesView
from cardgen.studio.pages.shared.elements import error_bar, fault_label, plain_button, title, with_props
from cardgen.studio.pages.shared.frame import add_styles, page_frame
from cardgen.studio.pages.shared.window import connected_window, listen
from cardgen.studio.play.battle_state import BattleState, SaveRow, SetupForm
from cardgen.studio.play.table import Table
from cardgen.studio.studio import Studio
from cardgen.studio.texts import editor_address


async def show_play(studio: Studio) -> None:
    """Show the page of battles."""
    await studio.ready.wait()
    with page_frame(studio, "play"):
        add_styles("play/play")
        page = _PlayPage(studio)
    listen(studio.play.listeners, page.refresh)
    async with connected_window():
        await page.load()


class _Offer(NamedTuple):
    """What can be played: saved battles, and a new one."""

    saves: tuple[SaveRow, ...]
    form: SetupForm


class _PlayPage:
    """The lobby of the battle that is played, or else the saved battles and the form for a new one."""

    def __init__(self, studio: Studio) -> None:
        self._studio, self._host = studio, studio.play
        self._client = ui.context.client
        self._table = self._host.table
        self._lobby: BattleLobby | None = None
        self._box = ui.element("div").classes("play")
        with self._box:
            ui.label("Reading the battles …").classes("play-file").props('role="status"')

    def refresh(self) -> None:
        """Show what has changed."""
        if self._host.table is not self._table:
            background_tasks.create(self.load())
        elif self._lobby:
            with self._client:
                self._lobby.refresh()

    async def load(self) -> None:
        """Show the page anew."""
        self._table = table = self._host.table
        self._lobby = None
        offer: _Offer | CardgenError | ProcessError | None = None
        if table is None:
            try:
                offer = _Offer(await self._host.saves(), await self._host.form())
            except (CardgenError, ProcessError) as error:
                offer = error
        if table is self._host.table and not self._client.is_deleted:
            with self._client, self._box:
                self._box.clear()
                self._show(offer)
            self._host.prepare()

    def _show(self, offer: _Offer | CardgenError | ProcessError | None) -> None:
        if isinstance(offer, _Offer):
            self._show_offer(offer)
        elif offer:
            _show_obstacle(offer)
        elif self._host.state and self._host.table:
            self._show_lobby(self._host.state, self._host.table)

    def _show_lobby(self, state: BattleState, table: Table) -> None:
        with ui.element("div").classes("beside"):
            self._lobby = BattleLobby(self._studio, state, table)
            with ui.element("div").classes("play-rest"):
                SidesView(self._studio).show([seat.name for seat in table.seats.values()])

    def _show_offer(self, offer: _Offer) -> None:
        self._fault = fault_label()
        with ui.element("div").classes("beside"):
            place = ui.element("div")
            with ui.element("div").classes("play-rest"):
                if offer.saves:
                    self._show_saves(offer.saves)
                sides = SidesView(self._studio)
            with place:
                BattleSetup(self._host, offer.form, sides.show).show(self._begin)

    async def _begin(self, setup: BattleSetup) -> str:
        try:
            await self._studio.players.ensure()
            await self._host.begin(setup.order())
        except (CardgenError, ProcessError) as error:
            return explain(error)
        return ""

    def _show_saves(self, saves: tuple[SaveRow, ...]) -> None:
        with ui.element("section").classes("play-panel").props('aria-label="Saved battles"'):
            title("Saved battles", 2)
            with ui.element("ul").classes("play-saves"):
                for row in saves:
                    with ui.element("li"):
                        ui.label(f"{row.title} ({row.answers} answers)")
                        ui.label(row.name).classes("play-file")
                        button = plain_button("Resume", partial(self._resume, row.name))
                        with_props(button, aria_label=f"Resume {row.name}")

    async def _resume(self, name: str) -> None:
        try:
            await self._studio.players.ensure(self._host.kept_port(name))
            await self._host.resume(name)
        except (CardgenError, ProcessError) as error:
            self._fault.text = explain(error)


def _show_obstacle(error: CardgenError | ProcessError) -> None:
    """Say why no battle can begin, with links to the lines to mend."""
    title("No battle can begin")
    error_bar(explain(error))
    for each in error.diagnostics if isinstance(error, CardgenError) else ():
        if each.place.span:
            ui.link(f"Open {each.place.file}", editor_address(each.place.file, each.place.span.line)).classes(
                "play-file"
            )
