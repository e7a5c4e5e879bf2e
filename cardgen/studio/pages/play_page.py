"""The view in which battles are set up and resumed, and from which players join the one that is played."""

from __future__ import annotations

from base64 import b64encode
from functools import partial
from importlib.resources import files
from typing import NamedTuple

from nicegui import background_tasks, ui

from cardgen.diagnostic import CardgenError
from cardgen.export.qr_code import qr_svg
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.pages.battle_setup import BattleSetup
from cardgen.studio.pages.frame import page_frame, plain_button
from cardgen.studio.play.battle_state import BattleState, SaveRow
from cardgen.studio.play.table import SCREEN, Table
from cardgen.studio.studio import Studio

_LAN_TEXT = """\
The pages of players will answer every device on your local network, to whoever has the code of the battle. Cards,
files, and everything else of the studio stay on this computer. The connection is not encrypted: on a network that
strangers use, others could read the hands of the players."""


async def show_play(studio: Studio) -> None:
    """Show the page of battles."""
    await studio.ready.wait()
    ui.add_css((files("cardgen.studio.pages") / "play_page.css").read_text(encoding="utf-8"))
    with page_frame(studio, "play"):
        page = _PlayPage(studio)
    client = ui.context.client
    studio.play.listeners.add(page.refresh)
    client.on_delete(lambda: studio.play.listeners.discard(page.refresh))
    await client.connected()
    await page.load()


class _Offer(NamedTuple):
    """What can be played: saved battles, and a new one."""

    saves: tuple[SaveRow, ...]
    setup: BattleSetup


class _PlayPage:
    """The lobby of the battle that is played, or else the saved battles and the form for a new one."""

    def __init__(self, studio: Studio) -> None:
        self._studio, self._host = studio, studio.play
        self._client = ui.context.client
        self._shown: object = None
        self._box = ui.element("div").classes("play")

    def refresh(self) -> None:
        """Show the page again if something on it has changed."""
        if self._key() != self._shown:
            background_tasks.create(self.load())

    async def load(self) -> None:
        """Show what there is now."""
        self._shown = key = self._key()
        offer: _Offer | CardgenError | ProcessError | None = None
        if key is None:
            try:
                offer = _Offer(await self._host.saves(), BattleSetup(self._host, await self._host.form()))
            except (CardgenError, ProcessError) as error:
                offer = error
        if key == self._key() and not self._client.is_deleted:
            with self._client, self._box:
                self._box.clear()
                self._fault = ui.label().classes("studio-fault").props('role="alert"')
                self._show(offer)

    def _show(self, offer: _Offer | CardgenError | ProcessError | None) -> None:
        if isinstance(offer, _Offer):
            if offer.saves:
                self._show_saves(offer.saves)
            offer.setup.show(self._begin)
        elif offer:
            self._fault.text = _explain(offer)
        elif self._host.state and self._host.table:
            self._show_lobby(self._host.state, self._host.table)

    def _key(self) -> object:
        state, table, players = self._host.state, self._host.table, self._studio.players
        if not (state and table):
            return None
        seats = tuple((seat.name, seat.is_taken, seat.window_count > 0) for seat in table.seats.values())
        return state.save, state.outcome, state.scoreboard.time, table.code, seats, players.url, players.is_open

    async def _begin(self, setup: BattleSetup) -> str:
        try:
            await self._studio.players.ensure()
            await self._host.begin(setup.order())
        except (CardgenError, ProcessError) as error:
            return _explain(error)
        return ""

    def _show_saves(self, saves: tuple[SaveRow, ...]) -> None:
        with ui.element("section").classes("play-panel").props('aria-labelledby="saved-title"'):
            ui.label("Saved battles").classes("studio-title").props('role="heading" aria-level="2" id="saved-title"')
            with ui.element("ul").classes("play-saves"):
                for row in saves:
                    with ui.element("li"):
                        ui.label(f"{row.title} ({row.answers} answers)")
                        ui.label(row.name).classes("play-file")
                        button = plain_button("Resume", partial(self._resume, row.name))
                        button.props(f'aria-label="Resume {row.name}"')

    async def _resume(self, name: str) -> None:
        try:
            await self._studio.players.ensure()
            await self._host.resume(name)
        except (CardgenError, ProcessError) as error:
            self._fault.text = _explain(error)

    def _show_lobby(self, state: BattleState, table: Table) -> None:
        with ui.element("section").classes("play-panel play-lobby").props('aria-label="Battle"'):
            ui.label(state.title).classes("studio-title").props('role="heading" aria-level="2"')
            ui.label(" · ".join(filter(None, (state.scoreboard.time, f"saved in {state.save}"))))
            for line in state.outcome:
                ui.label(line).classes("play-outcome")
            if state.outcome:
                ui.label(f"To check every die and every decision, run: cardgen verify {state.save}").classes(
                    "play-file"
                )
            else:
                self._show_codes(table)
            self._show_seats(table)
            with ui.element("div").classes("play-row"):
                self._network_button()
                plain_button("Close the battle" if state.outcome else "Stop for now", self._host.leave).mark("leave")

    def _show_codes(self, table: Table) -> None:
        url = self._studio.players.url
        with ui.element("div").classes("play-code"):
            if self._studio.players.is_open:
                picture = b64encode(qr_svg(f"{url}/#{table.code}")).decode()
                ui.element("img").props(f'src="data:image/svg+xml;base64,{picture}" alt="QR code of the address"')
            with ui.element("div"):
                ui.label(f"To join, open {url} and enter the code")
                ui.label(table.code).classes("play-letters").mark("code")
                ui.label(
                    "Any device on the local network can join."
                    if self._studio.players.is_open
                    else "Only windows on this computer can join."
                ).classes("play-file")

    def _show_seats(self, table: Table) -> None:
        """Show the shared screen and the seats, with links for windows on this computer."""
        base = f"{self._studio.players.local_url}/#"
        with ui.element("ul").classes("play-seats"):
            for place, seat in table.seats.items():
                with ui.element("li"):
                    ui.label(seat.name)
                    words = "connected" if seat.window_count else "away" if seat.is_taken else "free"
                    ui.label(words).classes(f"play-state {words}")
                    if place == SCREEN or not seat.is_taken:
                        ui.link("Open", f"{base}{table.code}", new_tab=True).props(f'aria-label="Open {seat.name}"')
                    else:
                        free = plain_button("Free the seat", partial(self._free, table, place), "quiet")
                        free.props(f'aria-label="Free the seat of {seat.name}"').tooltip(
                            "Puts its player out, so that somebody can join with the code of the battle"
                        )

    def _free(self, table: Table, place: str) -> None:
        table.free(place)
        self._host.tell()

    def _network_button(self) -> None:
        players = self._studio.players
        if players.is_open:
            plain_button("Only this computer", lambda: self._open(is_open=False)).mark("close-network")
            return
        with ui.dialog().props('aria-label="Local network"') as dialog, ui.element("div").classes("studio-dialog"):
            ui.label("Let other devices join").classes("studio-title").props('role="heading" aria-level="2"')
            ui.label(_LAN_TEXT.replace("\n", " "))
            with ui.element("div").classes("studio-row"):
                plain_button("Cancel", dialog.close, "quiet")
                plain_button("Open to the network", lambda: self._open(is_open=True), "primary").mark("open-network")
        plain_button("Let other devices join …", dialog.open, "primary").mark("ask-network")

    async def _open(self, *, is_open: bool) -> None:
        try:
            await self._studio.players.start(is_open=is_open)
        except CardgenError as error:
            self._fault.text = _explain(error)


def _explain(error: CardgenError | ProcessError) -> str:
    if isinstance(error, ProcessError):
        return str(error)
    return "\n".join(": ".join(filter(None, (each.message, each.help))) for each in error.diagnostics)
