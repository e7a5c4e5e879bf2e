"""The pages of players and spectators: an application of its own, which knows only the table of the battle."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.charts import qr_svg
from cardgen.studio.guard import Receive, Scope, Send
from cardgen.studio.play.host import LOOPBACK, Exchange, Host, RefusalError
from cardgen.studio.play.seats import SCREEN, SCREEN_NAME, WATCH, JoinError, Refused, Seat, Seating

_Answer: TypeAlias = Callable[[Exchange], Awaitable[None]]
_Page: TypeAlias = Callable[[Exchange, str, Seat], Awaitable[None]]
_SCRIPTS = ("cards.js", "elements.js", "join.js", "questions.js", "screen.js", "seat.js")
_STATIC = {"/table.css": "text/css", **{f"/{name}": "text/javascript" for name in _SCRIPTS}}
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
_NO_BATTLE = "No battle is being played."
# Seconds between signs of life, and a comment, which browsers ignore.
_BEAT_SECONDS, _SIGN_OF_LIFE = 15.0, b":\n\n"
# Windows that can be open: of a seat, without a seat, and of the shared screen in addition to these.
_MOST_WINDOWS, MOST_WATCHERS, _MOST_SCREENS = 8, 300, 16
# Seconds until the number of spectators is told after it has changed, because crowds come and go together.
_CROWD_SECONDS = 0.5
# A browser keeps a seat for longer than a battle that is resumed again and again may take.
_COOKIE_SECONDS = 90 * 24 * 3600


class PlayersApp:
    """The ASGI application of the players' server.

    Players have seats, with pages of their own and the only requests that change something. Everybody else watches one
    page, which needs no token, and has no such requests; the shared screen is that page, in a window that has entered
    the code of the battle and so shows it. `url` returns the address for other devices, or '' if the server answers
    this computer only.
    """

    def __init__(self, host: Host, url: Callable[[], str]) -> None:
        self._host, self._url = host, url
        self._openings = 0
        self._events_of: dict[str, tuple[object, bytes]] = {}
        self._crowd_timer: asyncio.TimerHandle | None = None
        self._answers: dict[tuple[str, str], _Answer] = {
            ("GET", "/"): self._front,
            ("POST", "/join"): self._join,
            ("GET", "/watch"): self._watch_page,
            ("GET", "/watch/here"): self._watch_here,
            ("GET", "/watch/events"): self._watch_events,
            ("GET", "/watch/code.svg"): self._table_code,
        }
        self._pages: dict[tuple[str, str], _Page] = {
            ("GET", ""): self._page,
            ("GET", "here"): self._here,
            ("GET", "events"): self._events,
            ("GET", "code.svg"): self._seat_code,
            ("POST", "reply"): self._reply,
            ("POST", "undo"): self._undo,
        }

    def drop(self) -> None:
        """End the streams of all windows; their browsers connect again, where the server still answers them."""
        self._openings += 1
        self._host.tell()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": "there are no websockets here"})
            return
        exchange = Exchange(scope, receive, send)
        try:
            exchange.require_own_network()
            await self._answer(exchange)
        except (RefusalError, JoinError) as error:
            headers = {"Retry-After": "60"} if error.status == 429 else {}
            await exchange.reply(error.status, str(error).encode(), _TEXT, headers)

    async def _answer(self, exchange: Exchange) -> None:
        method = exchange.method
        if exchange.path == "/favicon.ico":
            await exchange.reply(204, b"", _TEXT)
        elif method == "GET" and exchange.path in _STATIC:
            await exchange.reply(200, _file(exchange.path[1:]), f"{_STATIC[exchange.path]}; charset=utf-8")
        elif method == "GET" and exchange.path.startswith(("/cards/", "/odds/")):
            await self._card(exchange)
        elif answer := self._answers.get((method, exchange.path)):
            await answer(exchange)
        else:
            start, _, rest = exchange.path.removeprefix("/at/").partition("/")
            page = self._pages.get((method, rest)) if exchange.path.startswith("/at/") else None
            if page is None:
                raise RefusalError(404, "There is no such page.")
            await page(exchange, start, self._seat(exchange, start))

    def _seating(self) -> Seating:
        if self._host.seating is None:
            raise RefusalError(404, _NO_BATTLE)
        return self._host.seating

    def _token(self, exchange: Exchange, place: str) -> str:
        return exchange.cookie(_cookie_name(self._seating(), place))

    def _seat(self, exchange: Exchange, place: str) -> Seat:
        """Return the seat whose cookie a request has. Raises RefusalError."""
        seat = self._seating().seat_of(place, self._token(exchange, place))
        if seat is None:
            raise RefusalError(403, "Enter the code of the battle first.")
        return seat

    async def _front(self, exchange: Exchange) -> None:
        await exchange.reply(200, _file("join.html"), _HTML)

    async def _join(self, exchange: Exchange) -> None:
        """Show the seats of a browser, or those to which a code admits, or take one of them."""
        data, seating = await exchange.json(), self._seating()
        code, place = data.get("code"), data.get("place")
        if not isinstance(code, str | None) or not isinstance(place, str | None):
            raise RefusalError(400, "Send a code, and a place.")
        if place is None:
            own = [each for each, seat in seating.seats.items() if seat.knows(self._token(exchange, each))]
            places = own if code is None else seating.places(code, exchange.address)
            rows = [self._row(seating, each, is_open=each in own or len(places) == 1) for each in places]
            await exchange.reply_json({"seats": [{**row, "own": row["place"] in own} for row in rows]})
            return
        token = self._host.join(place, code or "", exchange.address, self._token(exchange, place))
        name = _cookie_name(seating, place)
        # The path is that of all pages, so that the front page knows who has come back.
        cookie = f"{name}={token}; Path=/; Max-Age={_COOKIE_SECONDS}; HttpOnly; SameSite=Strict"
        path = "/watch" if place == SCREEN else f"/at/{place}"
        await exchange.reply_json({"path": path}, headers={"Set-Cookie": cookie})

    def _row(self, seating: Seating, place: str, *, is_open: bool) -> dict[str, Any]:
        if place == SCREEN:
            return {"place": place, "name": SCREEN_NAME, "free": True}
        return {"place": place, "name": seating.seats[place].name, "free": is_open or not seating.seats[place].is_taken}

    async def _card(self, exchange: Exchange) -> None:
        """Answer with the picture of a card, or its odds against another, which everybody may see."""
        _, what, *names = exchange.path.split("/")
        if self._host.cards is None:
            raise RefusalError(404, _NO_BATTLE)
        if what == "odds":
            await exchange.reply_json(await self._host.cards.odds(names, exchange.address))
        else:
            await exchange.reply(200, await self._host.cards.picture(names, exchange.address), "image/png")

    async def _page(self, exchange: Exchange, place: str, _: Seat) -> None:
        await exchange.reply(200, _file("battle.html").replace(b"$page", b"seat"), _HTML)

    async def _watch_page(self, exchange: Exchange) -> None:
        await exchange.reply(200, _file("battle.html").replace(b"$page", b"screen"), _HTML)

    async def _here(self, exchange: Exchange, place: str, _: Seat) -> None:
        """Tell a window that its seat is at the table; others were refused before."""
        await exchange.reply(204, b"", _TEXT)

    async def _watch_here(self, exchange: Exchange) -> None:
        self._seating()
        await exchange.reply(204, b"", _TEXT)

    async def _seat_code(self, exchange: Exchange, place: str, seat: Seat) -> None:
        await self._qr_code(exchange, seat.code)

    async def _table_code(self, exchange: Exchange) -> None:
        seating = self._seating()
        if not seating.is_screen(self._token(exchange, SCREEN)):
            raise RefusalError(403, "Enter the code of the battle first.")
        await self._qr_code(exchange, seating.code)

    async def _qr_code(self, exchange: Exchange, code: str) -> None:
        """Answer with the QR code of the address for other devices, which has the code of the table or a seat."""
        if not self._url():
            raise RefusalError(404, "This server answers this computer only.")
        await exchange.reply(200, _qr_picture(f"{self._url()}/#{code}"), "image/svg+xml")

    async def _reply(self, exchange: Exchange, place: str, seat: Seat) -> None:
        is_seated = self._seat_check(exchange, place, seat)
        data = await exchange.json()
        await self._report(exchange, await self._host.reply(_step(data), data.get("value"), int(place) - 1, is_seated))

    async def _undo(self, exchange: Exchange, place: str, seat: Seat) -> None:
        is_seated = self._seat_check(exchange, place, seat)
        step = _step(await exchange.json())
        await self._report(exchange, await self._host.undo(step, int(place) - 1, is_seated))

    def _seat_check(self, exchange: Exchange, place: str, seat: Seat) -> Callable[[], bool]:
        """Return a function that tells whether a window still has its seat, and its battle goes on."""
        token = self._token(exchange, place)

        def is_seated() -> bool:
            seating = self._host.seating
            return seating is not None and seating.seats.get(place) is seat and seat.knows(token)

        return is_seated

    async def _report(self, exchange: Exchange, refusal: Refused | None) -> None:
        if refusal and refusal.is_forbidden:
            raise RefusalError(403, refusal.text)
        await exchange.reply_json({"problem": refusal.text if refusal else ""}, 409 if refusal else 200)

    async def _events(self, exchange: Exchange, place: str, seat: Seat) -> None:
        """Send the state of the battle to a window of a player, and again after each change."""
        if seat.window_count >= _MOST_WINDOWS:
            raise RefusalError(429, "Too many windows of this seat are open.")
        token = self._token(exchange, place)
        seat.window_count += 1
        self._host.tell()
        try:
            await self._stream(exchange, place, lambda: seat.knows(token))
        finally:
            seat.window_count -= 1
            self._host.tell()

    async def _watch_events(self, exchange: Exchange) -> None:
        """Send the state of the battle, as everybody may see it, and again after each change."""
        seating = self._seating()
        is_screen = seating.is_screen(self._token(exchange, SCREEN))
        if seating.watcher_count >= MOST_WATCHERS + (_MOST_SCREENS if is_screen else 0):
            raise RefusalError(503, "Too many windows are watching; try again later.")
        seating.watcher_count += 1
        self._tell_crowd()
        try:
            await self._stream(exchange, SCREEN if is_screen else WATCH, lambda: True)
        finally:
            seating.watcher_count -= 1
            self._tell_crowd()

    def _tell_crowd(self) -> None:
        def tell() -> None:
            self._crowd_timer = None
            self._host.tell()

        if self._crowd_timer is None:
            self._crowd_timer = asyncio.get_running_loop().call_later(_CROWD_SECONDS, tell)

    async def _stream(self, exchange: Exchange, place: str, is_here: Callable[[], bool]) -> None:
        """Send events (Server-Sent Events) until the window is closed, or no longer at its table."""
        changed, opening, seating = asyncio.Event(), self._openings, self._host.seating
        gone = asyncio.ensure_future(exchange.disconnected())
        sent, is_quiet = b"", False
        try:
            with self._host.listen(changed.set):
                await exchange.start(200, "text/event-stream; charset=utf-8")
                while opening == self._openings and self._host.seating is seating and is_here():
                    event = self._event(place)
                    if is_quiet or event != sent:
                        await exchange.send_part(event if event != sent else _SIGN_OF_LIFE)
                    sent = event
                    is_quiet = not await _wait(changed, gone)
                    changed.clear()
                    if gone.done():
                        return
                farewell = self._farewell(seating) if opening == self._openings else b""
                await exchange.send_part(farewell, is_last=True)
        finally:
            gone.cancel()

    def _event(self, place: str) -> bytes:
        """Return the event with the state of the battle for a page, which is made once for all windows of it."""
        url = self._url()
        key = self._host.revision, url
        made = self._events_of.get(place)
        if made is None or made[0] != key:
            view = {**(self._host.view(place) or {}), "url": url}
            made = self._events_of[place] = key, f"data: {json.dumps(view)}\n\n".encode()
        return made[1]

    def _farewell(self, seating: Seating | None) -> bytes:
        """Return the event that ends the stream of a window: why it is no longer at its table."""
        is_over = seating is not None and seating.is_over
        reason = "freed" if seating is self._host.seating else "over" if is_over else "stopped"
        return f"event: closed\ndata: {reason}\n\n".encode()


def _step(data: Mapping[str, Any]) -> int:
    if type(step := data.get("step")) is not int:
        raise RefusalError(400, "Send a step.")
    return step


def _cookie_name(seating: Seating, place: str) -> str:
    """Return the name of a seat's cookie; browsers share cookies between ports, so it says which battle it is for."""
    return f"cardgen-seat-{seating.id}-{place}"


async def _wait(changed: asyncio.Event, gone: asyncio.Future[None]) -> bool:
    """Wait for a change or the end of the connection; return False if it is time for a sign of life before."""
    change = asyncio.ensure_future(changed.wait())
    either: set[asyncio.Future[Any]] = {change, gone}
    done, _ = await asyncio.wait(either, timeout=_BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    change.cancel()
    return bool(done)


@lru_cache(maxsize=16)
def _qr_picture(address: str) -> bytes:
    """Return a QR code; a window that asks for it again and again must not delay the others."""
    return qr_svg(address)


@cache
def _file(name: str) -> bytes:
    return (files("cardgen.studio.play") / "web" / name).read_bytes()


EVERYWHERE = "0.0.0.0"
# Connections of all devices and of each, and those that wait for a complete request. A household of spectators behind
# one address fits, and the players of that address still find room; see MOST_WATCHERS.
_LIMITS = {"most": 512, "most_of_address": 160, "most_waiting": 128, "most_waiting_of_address": 16}
# An address to which nothing is sent; the system only says from which address it would be.
_ELSEWHERE = ("192.0.2.1", 9)


class PlayersServer:
    """A server with the pages of players; `is_open` tells whether other devices can reach it.

    It starts with the first battle, or at once with `opens_first`, to which other devices then have access.
    """

    def __init__(self, host: Host, *, opens_first: bool = False) -> None:
        self._opens_first = opens_first
        self._app = PlayersApp(host, lambda: self.url if self.is_open else "")
        self._host = host
        self._task: asyncio.Task[None] | None = None
        self._server: Any = None
        self.is_open = False
        self.port = 0

    @property
    def local_url(self) -> str:
        """The address for this computer."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def url(self) -> str:
        """The address for other devices, if the server is open to them, or else for this computer."""
        return f"http://{own_address()}:{self.port}" if self.is_open else self.local_url

    async def begin(self) -> None:
        """Start the server if other devices have access from the beginning."""
        if self._opens_first:
            await self.start(is_open=True)

    async def ensure(self, port: int = 0) -> None:
        """Start the server if it does not run; with a `port`, at which players look for it, there if possible."""
        if self._task is None or port not in (0, self.port):
            await self.start(is_open=self.is_open, port=port)

    async def start(self, *, is_open: bool, port: int = 0) -> None:
        """Listen, with this port or else the same as before if possible. Raises CardgenError if that fails."""
        await self.stop()
        listener = _listen(EVERYWHERE if is_open else LOOPBACK, port, self.port)
        self.port, self.is_open = listener.getsockname()[1], is_open
        self._server = _server(self._app)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))
        self._host.serve_at(self.port)

    async def stop(self) -> None:
        """Stop listening, and close all connections."""
        if self._task:
            self._app.drop()
            self._server.should_exit = True
            await asyncio.wait([self._task], timeout=3)
        self._task, self.is_open = None, False


def own_address() -> str:
    """Return the address of this computer on its network; that of this computer alone if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def _listen(host: str, *ports: int) -> socket.socket:
    """Return a socket at the first of the ports that is free, or else at any; 0 stands for any."""
    for each in dict.fromkeys((*filter(None, ports), 0)):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, each))
            listener.listen()  # at once: whoever is told the address can open it
        except OSError as error:
            listener.close()
            problem = error
        else:
            return listener
    message = f"cannot listen for players: {problem.strerror}"
    raise CardgenError(Diagnostic(Code.NO_STUDIO, message, Place("studio"), "check the network of this computer"))


def _server(app: PlayersApp) -> Any:
    """Return a server that leaves signals to the studio's own."""
    import uvicorn  # loaded here because it is an extra

    from cardgen.studio.connections import server_options

    class _Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config = uvicorn.Config(app, lifespan="off", ws="none", **server_options(**_LIMITS))
    return _Server(config)
