"""The lobby of a battle: how players join, who is there, and how it is stopped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import partial

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.export.qr_code import qr_svg
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.page_words import explain
from cardgen.studio.pages.shared.elements import button_row, dialog_box, fault_label, plain_button, title, with_props
from cardgen.studio.play.battle_state import BattleState
from cardgen.studio.play.table import SCREEN_NAME, Seat, Table
from cardgen.studio.studio import Studio

_LAN_TEXT = """\
The pages of players will answer every device on your local network: whoever has the code of the battle can take a seat,
and everybody can watch what the shared screen shows. Cards, files, and everything else of the studio stay on this
computer. The connection is not encrypted: on a network that strangers use, others could read the hands of the
players."""


class _Part:
    """A part of the page that is drawn again only if its key has changed, so that focus and clicks elsewhere stay."""

    def __init__(self, tag: str, key: Callable[[], object], draw: Callable[[], None]) -> None:
        self._key, self._draw = key, draw
        self.box = ui.element(tag)
        self._shown: object = None

    def refresh(self) -> None:
        """Draw the part if it has changed."""
        key = self._key()
        if key != self._shown:
            self._shown = key
            self.box.clear()
            with self.box:
                self._draw()


class BattleLobby:
    """The lobby of the battle that is played."""

    def __init__(self, studio: Studio, state: BattleState, table: Table) -> None:
        self._studio, self._host, self._table = studio, studio.play, table
        with ui.element("section").classes("play-panel play-lobby").props('aria-label="Battle"'):
            title(state.title, 2)
            self._fault = fault_label()
            self._parts = [
                _Part("div", lambda: (self._state.scoreboard.time, self._state.outcome), self._show_state),
                _Part("div", lambda: (table.code, table.is_over, studio.players.url), self._show_code),
            ]
            with ui.element("ul").classes("play-seats"):
                for place, seat in table.seats.items():
                    key = partial(_seat_key, seat)
                    self._parts.append(_Part("li", key, partial(self._show_seat, place, seat)))
                self._parts.append(_Part("li", lambda: table.watcher_count, self._show_screen))
            self._parts.append(_Part("div", lambda: (studio.players.is_open, table.is_over), self._show_buttons))
            self._parts[-1].box.classes("play-row")
        self.refresh()

    def refresh(self) -> None:
        """Show what has changed."""
        for part in self._parts:
            part.refresh()
        if self._host.keep_problem:
            self._fault.text = self._host.keep_problem

    @property
    def _state(self) -> BattleState:
        assert self._host.state
        return self._host.state

    def _show_state(self) -> None:
        state = self._state
        ui.label(" · ".join(filter(None, (state.scoreboard.time, f"saved in {state.save}"))))
        for line in state.outcome:
            ui.label(line).classes("play-outcome")
        if state.outcome:
            with button_row():
                plain_button("Check every die and decision", self._verify)
            self._verdict = ui.label().classes("play-file").props('role="status"')

    async def _verify(self) -> None:
        try:
            self._verdict.text = await self._host.verify()
        except (CardgenError, ProcessError) as error:
            self._fault.text = explain(error)

    def _show_code(self) -> None:
        if self._table.is_over:
            return
        url, is_open = self._studio.players.url, self._studio.players.is_open
        with ui.element("div").classes("play-code"):
            if is_open:
                picture = b64encode(qr_svg(f"{url}/#{self._table.code}")).decode()
                image = ui.element("img").props('alt="QR code of the address"')
                with_props(image, src=f"data:image/svg+xml;base64,{picture}")
            with ui.element("div"):
                ui.label(f"To join, open {url} and enter the code")
                ui.label(self._table.code).classes("play-letters").mark("code")
                who = "Any device on the local network" if is_open else "Only windows on this computer"
                ui.label(f"{who} can join.").classes("play-file")
                ui.label(f"To watch without the code, open {url}/watch").classes("play-file")

    def _show_seat(self, place: str, seat: Seat) -> None:
        """Show a seat, with a link for a window on this computer."""
        ui.label(seat.name)
        words = "connected" if seat.window_count else "away" if seat.is_taken else "free"
        ui.label(words).classes(f"play-state {words}")
        if not seat.is_taken:
            self._show_link(seat.name)
            return
        free = plain_button("Free the seat", partial(self._host.free, place), "quiet")
        with_props(free, aria_label=f"Free the seat of {seat.name}")
        free.tooltip("Puts its player out, so that somebody can join with the next code of the battle")

    def _show_screen(self) -> None:
        """Show how many windows watch, with a link for one on this computer."""
        count = self._table.watcher_count
        ui.label(SCREEN_NAME)
        words = f"{count} watching" if count else "nobody is watching"
        ui.label(words).classes(f"play-state {'connected' if count else 'free'}")
        self._show_link(SCREEN_NAME)

    def _show_link(self, name: str) -> None:
        target = f"{self._studio.players.local_url}/#{self._table.code}"
        with_props(ui.link("Open", target, new_tab=True), aria_label=f"Open {name}")

    def _show_buttons(self) -> None:
        players = self._studio.players
        if players.is_open:
            plain_button("Only this computer", partial(self._open, is_open=False))
        else:
            with dialog_box("Let other devices join") as dialog:
                ui.label(_LAN_TEXT.replace("\n", " "))
                with button_row():
                    plain_button("Cancel", dialog.close, "quiet")
                    plain_button("Open to the network", partial(self._open, is_open=True), "primary")
            plain_button("Let other devices join …", dialog.open, "primary")
        plain_button("Close the battle" if self._table.is_over else "Stop for now", self._host.leave)

    async def _open(self, *, is_open: bool) -> None:
        try:
            await self._studio.players.start(is_open=is_open)
        except CardgenError as error:
            self._fault.text = explain(error)


def _seat_key(seat: Seat) -> object:
    return seat.is_taken, seat.window_count > 0
