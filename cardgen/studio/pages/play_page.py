"""The view in which battles are set up and resumed, and from which players join the one that is played."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Awaitable, Callable
from functools import partial
from operator import attrgetter
from typing import TypeAlias
from urllib.parse import urlencode

from nicegui import background_tasks, ui

from cardgen.diagnostic import CardgenError, Code
from cardgen.export.charts import qr_svg
from cardgen.options import FLAG
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.form_values import required_values
from cardgen.studio.page_words import CHOICE, OptionField, editor_address, explain
from cardgen.studio.pages.elements import (
    OptionForm,
    Values,
    busy_button,
    button_row,
    details,
    dialog_box,
    error_bar,
    fault_label,
    faults_told,
    plain_button,
    title,
    with_props,
)
from cardgen.studio.pages.window import add_styles, connected_window, listen, page_frame, show_missing_files
from cardgen.studio.play.host import Host
from cardgen.studio.play.seats import SCREEN_NAME, BattleOrder, BattleState, SaveRow, Seat, Seating, SetupForm
from cardgen.studio.studio import Studio


async def show_play(studio: Studio) -> None:
    """Show the page of battles."""
    await studio.ready.wait()
    with page_frame(studio, "play"):
        add_styles("play")
        show_missing_files(studio)
        page = _PlayPage(studio)
    listen(studio.play.listeners, page.refresh)
    async with connected_window():
        await page.load()


# What can be played: saved battles, and a new one.
_Offer: TypeAlias = tuple[tuple[SaveRow, ...], SetupForm]


class _PlayPage:
    """The lobby of the battle that is played, or else the saved battles and the form for a new one."""

    def __init__(self, studio: Studio) -> None:
        self._studio, self._host = studio, studio.play
        self._client = ui.context.client
        self._seating = self._host.seating
        self._lobby: BattleLobby | None = None
        self._box = ui.element("div").classes("play")
        with self._box:
            ui.label("Reading the battles …").classes("play-file").props('role="status"')

    def refresh(self) -> None:
        """Show what has changed."""
        if self._host.seating is not self._seating:
            background_tasks.create(self.load())
        elif self._lobby:
            with self._client:
                self._lobby.refresh()

    async def load(self) -> None:
        """Show the page anew."""
        self._seating = seating = self._host.seating
        self._lobby = None
        offer: _Offer | CardgenError | ProcessError | None = None
        if seating is None:
            try:
                offer = await self._host.saves(), await self._host.form()
            except (CardgenError, ProcessError) as error:
                offer = error
        if seating is self._host.seating and not self._client.is_deleted:
            with self._client, self._box:
                self._box.clear()
                self._show(offer)
            self._host.prepare()

    def _show(self, offer: _Offer | CardgenError | ProcessError | None) -> None:
        if isinstance(offer, tuple):
            self._show_offer(*offer)
        elif offer:
            _show_obstacle(offer)
        elif self._host.state and self._host.seating:
            with ui.element("div").classes("beside"):
                self._lobby = BattleLobby(self._studio, self._host.state, self._host.seating)
                with ui.element("div").classes("play-rest"):
                    SidesView(self._studio).show([seat.name for seat in self._host.seating.seats.values()])

    def _show_offer(self, saves: tuple[SaveRow, ...], form: SetupForm) -> None:
        self._fault = fault_label()
        with ui.element("div").classes("beside"):
            place = ui.element("div")
            with ui.element("div").classes("play-rest"):
                if saves:
                    self._show_saves(saves)
                sides = SidesView(self._studio)
            with place:
                BattleSetup(self._host, form, sides.show).show(self._begin)

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
        with faults_told(self._fault):
            await self._studio.players.ensure(self._host.kept_port(name))
            await self._host.resume(name)


def _show_obstacle(error: CardgenError | ProcessError) -> None:
    """Say why no battle can begin, with links to the lines to mend, or to pages for a game without a tracker."""
    if isinstance(error, CardgenError) and all(each.code == Code.NO_REFEREE for each in error.diagnostics):
        title("This game has no battle tracker")
        ui.label("The studio runs battles of games that bring a tracker along. To play this one:")
        with ui.element("ul").classes("boxes"):
            for name, address, what in _OTHER_WAYS:
                with ui.element("li"):
                    ui.link(name, address)
                    ui.label(what).classes("option-help")
        return
    title("No battle can begin")
    error_bar(explain(error))
    for each in error.diagnostics if isinstance(error, CardgenError) else ():
        if each.place.span:
            ui.link(f"Open {each.place.file}", editor_address(each.place.file, each.place.span.line)).classes(
                "play-file"
            )


# What there is for a game without a tracker: pages, and what they are for.
_OTHER_WAYS = (
    ("Print", "/print", "Cards, pieces, and sheets for a game at the table."),
    ("Export", "/print?part=export", "The cards for a virtual table, or as a web page that phones show."),
    ("Rules", "/rules", "Odds and rolls of dice, if the game has trials."),
)

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

    def __init__(self, studio: Studio, state: BattleState, seating: Seating) -> None:
        self._studio, self._host, self._seating = studio, studio.play, seating
        with ui.element("section").classes("play-panel play-lobby").props('aria-label="Battle"'):
            title(state.title, 2)
            self._fault = fault_label()
            self._parts = [
                _Part("div", lambda: (self._state.scoreboard.time, self._state.outcome), self._show_state),
                _Part("div", lambda: (seating.code, seating.is_over, studio.players.url), self._show_code),
            ]
            with ui.element("ul").classes("play-seats"):
                for place, seat in seating.seats.items():
                    key = partial(attrgetter("is_taken", "window_count"), seat)
                    self._parts.append(_Part("li", key, partial(self._show_seat, place, seat)))
                self._parts.append(_Part("li", lambda: seating.watcher_count, self._show_screen))
            self._parts.append(_Part("div", lambda: (studio.players.is_open, seating.is_over), self._show_buttons))
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
        with faults_told(self._fault):
            self._verdict.text = await self._host.verify()

    def _show_code(self) -> None:
        if self._seating.is_over:
            return
        url, is_open = self._studio.players.url, self._studio.players.is_open
        with ui.element("div").classes("play-code"):
            if is_open:
                picture = b64encode(qr_svg(f"{url}/#{self._seating.code}")).decode()
                image = ui.element("img").props('alt="QR code of the address"')
                with_props(image, src=f"data:image/svg+xml;base64,{picture}")
            with ui.element("div"):
                ui.label(f"To join, open {url} and enter the code")
                ui.label(self._seating.code).classes("play-letters").mark("code")
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
        count = self._seating.watcher_count
        ui.label(SCREEN_NAME)
        words = f"{count} watching" if count else "nobody is watching"
        ui.label(words).classes(f"play-state {'connected' if count else 'free'}")
        self._show_link(SCREEN_NAME)

    def _show_link(self, name: str) -> None:
        target = f"{self._studio.players.local_url}/#{self._seating.code}"
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
        plain_button("Close the battle" if self._seating.is_over else "Stop for now", self._host.leave)

    async def _open(self, *, is_open: bool) -> None:
        with faults_told(self._fault):
            await self._studio.players.start(is_open=is_open)


_OWN_DICE = OptionField("own_dice", "We roll our own dice", FLAG, "The pages ask for what the dice show.")
_SEED = OptionField("seed", "Seed of the dice", placeholder="a random one")
_FILES = OptionField("files", "Card files", help="To use instead of the project's, separated by spaces.")


class BattleSetup:
    """The form for a new battle, and what was chosen in it.

    `on_choose` gets the names of the cards that were chosen for its sides, each time they change.
    """

    def __init__(self, host: Host, form: SetupForm, on_choose: Callable[[list[str]], object]) -> None:
        self._host, self._form, self._on_choose = host, form, on_choose

    def show(self, begin: Callable[[BattleSetup], Awaitable[str]]) -> None:
        """Show the form; `begin` begins the battle, and returns the problem or ''."""
        self._begin = begin
        with ui.element("section").classes("play-setup").props('aria-label="New battle"'):
            title("New battle")
            self._game = OptionForm("Game", self._change_game)
            self._options = OptionForm("Battle", lambda _: self._tell(), self._submit)
            with details("More options"):
                self._rare = OptionForm("More options")
            with details("Rulings and policy"):
                self._rulings, self._policies = OptionForm("Rulings"), OptionForm("Policy")
            self._fault = fault_label()
            with button_row():
                self._button = plain_button("Begin", self._submit, "primary").mark("begin")
        self._fill()

    def _fill(self) -> None:
        form = self._form
        save = OptionField("save", "Save as", placeholder=form.save)
        if len(form.games) > 1:
            game = OptionField("game", "Game", CHOICE, choices=form.games, is_required=True)
            self._game.show([game], values={"game": form.game})
        self._options.show((*form.fields, _OWN_DICE), form.sources, required_values(form.fields, form.sources))
        self._rare.show((save, _SEED, _FILES))
        self._rulings.show(form.rulings)
        self._policies.show(form.policies)
        self._tell()

    def _tell(self) -> None:
        """Tell which cards were chosen."""
        form, values = self._form, self._options.values
        choices = (each for field in form.fields for each in form.sources.get(field.source, ()) if field.source)
        names = {each.value: each.label for each in choices}
        self._on_choose([names[key] for field in form.fields if (key := str(values.get(field.name))) in names])

    async def _change_game(self, values: Values) -> None:
        with faults_told(self._fault):
            self._form = await self._host.form(values.get("game", ""))
            self._fill()

    async def _submit(self) -> None:
        values = self._options.values
        missing = [field.label for field in self._form.fields if field.is_required and field.name not in values]
        if missing:
            self._fault.text = f"Choose {' and '.join(missing)}."
            return
        self._fault.text = ""
        with busy_button(self._button, "Beginning …"):
            self._fault.text = await self._begin(self)

    def order(self) -> BattleOrder:
        """Return what was chosen."""
        values, rare = self._options.values, self._rare.values
        names = {field.name for field in self._form.fields}
        return BattleOrder(
            self._form.game,
            {name: value for name, value in values.items() if name in names},
            tuple(f"{name}={setting}" for name, setting in self._rulings.values.items()),
            tuple(f"{name}={setting}" for name, setting in self._policies.values.items()),
            tuple(rare.get("files", "").split()),
            rare.get("save", ""),
            rare.get("seed", ""),
            bool(values.get("own_dice")),
        )


# Pictures of a side.
_MOST_PICTURES = 12
_STEPS = (
    "Choose the sides, and begin the battle.",
    "Open the address that appears, in other windows or on phones, and enter the code.",
    "Choose a side or the shared screen. Whoever must answer sees the choices.",
)


class SidesView:
    """The sides of a new battle with pictures of their cards, and how players join."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._names: list[str] = []
        self._box = ui.element("div").classes("play-sides")
        with ui.element("section").props('aria-label="How to play"'):
            title("How to play", 2)
            with ui.element("ol").classes("play-steps"):
                for step in _STEPS:
                    with ui.element("li"):
                        ui.label(step)

    def show(self, names: list[str]) -> None:
        """Show sides by the names of their card lists."""
        names = list(dict.fromkeys(names))
        if names == self._names:
            return
        self._names = names
        self._box.clear()
        with self._box:
            for name in names:
                self._show_side(name)

    def _show_side(self, name: str) -> None:
        rows = [row for row in self._studio.state.cards if name in row.lists and row.is_printed]
        with ui.element("section").classes("play-side"):
            title(name, 2)
            if not rows:
                ui.label("This project has no pictures of its cards.").classes("option-help")
            with ui.element("div").classes("play-pictures"):
                for row in rows[:_MOST_PICTURES]:
                    with ui.link(target=f"/edit?{urlencode({'file': row.file, 'card': row.key})}"):
                        image = ui.element("img")
                    picture = f"/face?{urlencode({'key': row.key, 'v': row.version})}"
                    with_props(image, src=picture, alt=row.name, loading="lazy", title=row.name)
            if len(rows) > _MOST_PICTURES:
                ui.label(f"and {len(rows) - _MOST_PICTURES} more").classes("option-help")
