"""The pages of players and the shared screen: an application of its own, which knows only the table of the battle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from cardgen.export.qr_code import qr_svg
from cardgen.studio.access.guard import Receive, Scope, Send
from cardgen.studio.play.exchange import Exchange, RefusalError
from cardgen.studio.play.host import Host
from cardgen.studio.play.table import SCREEN, JoinError, Seat, Table

_Answer: TypeAlias = Callable[[Exchange], Awaitable[None]]
_Page: TypeAlias = Callable[[Exchange, str, Seat], Awaitable[None]]
_SCRIPTS = ("elements.js", "join.js", "questions.js", "screen.js", "seat.js")
_STATIC = {"/table.css": "text/css", **{f"/{name}": "text/javascript" for name in _SCRIPTS}}
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
# Seconds between signs of life, and windows of a seat that can be open.
_BEAT_SECONDS, _MOST_WINDOWS = 15.0, 8


class TableApp:
    """The ASGI application of the players' server.

    `url` returns the address for other devices, or '' if the server answers this computer only.
    """

    def __init__(self, host: Host, url: Callable[[], str]) -> None:
        self._host, self._url = host, url
        self._openings = 0
        self._answers: dict[tuple[str, str], _Answer] = {("GET", "/"): self._front, ("POST", "/join"): self._join}
        self._pages: dict[tuple[str, str], _Page] = {
            ("GET", ""): self._page,
            ("GET", "events"): self._events,
            ("GET", "code.svg"): self._qr_code,
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
        elif answer := self._answers.get((method, exchange.path)):
            await answer(exchange)
        else:
            start, _, rest = exchange.path.removeprefix("/at/").partition("/")
            page = self._pages.get((method, rest)) if exchange.path.startswith("/at/") else None
            if page is None:
                raise RefusalError(404, "There is no such page.")
            await page(exchange, start, self._seat(exchange, start))

    def _table(self) -> Table:
        if self._host.table is None:
            raise RefusalError(404, "No battle is being played.")
        return self._host.table

    def _seat(self, exchange: Exchange, place: str) -> Seat:
        """Return the seat whose cookie a request has. Raises RefusalError."""
        table = self._table()
        seat = table.seat_of(place, exchange.cookie(_cookie_name(exchange, place)))
        if seat is None:
            raise RefusalError(403, "Enter the code of the battle first.")
        return seat

    async def _front(self, exchange: Exchange) -> None:
        await exchange.reply(200, _file("join.html"), _HTML)

    async def _join(self, exchange: Exchange) -> None:
        """Show the seats to which a code admits, or take one of them."""
        data, table = await exchange.json(), self._table()
        code, place = data.get("code"), data.get("place")
        if not isinstance(code, str) or not isinstance(place, str | None):
            raise RefusalError(400, "Send a code, and a place.")
        if place is None:
            places = table.places(code, exchange.address)
            seats = [(each, table.seats[each]) for each in places]
            own = len(places) == 1
            rows = [
                {"place": each, "name": seat.name, "free": own or each == SCREEN or not seat.is_taken}
                for each, seat in seats
            ]
            await exchange.reply_json({"seats": rows})
            return
        token = table.join(place, code, exchange.address)
        self._host.tell()
        cookie = f"{_cookie_name(exchange, place)}={token}; Path=/at/{place}; HttpOnly; SameSite=Strict"
        await exchange.reply_json({"path": f"/at/{place}"}, headers={"Set-Cookie": cookie})

    async def _page(self, exchange: Exchange, place: str, _: Seat) -> None:
        page = b"screen" if place == SCREEN else b"seat"
        await exchange.reply(200, _file("battle.html").replace(b"$page", page), _HTML)

    async def _qr_code(self, exchange: Exchange, place: str, _: Seat) -> None:
        """Answer with the QR code of the address for other devices, which has the code of the table or seat."""
        table = self._table()
        code = table.code if place == SCREEN else table.seats[place].code
        if not self._url():
            raise RefusalError(404, "This server answers this computer only.")
        await exchange.reply(200, qr_svg(f"{self._url()}/#{code}"), "image/svg+xml")

    async def _reply(self, exchange: Exchange, place: str, seat: Seat) -> None:
        data = await exchange.json()
        view = self._host.view(place)
        step = data.get("step")
        if type(step) is not int or view is None:
            raise RefusalError(400, "Send a step and a value.")
        if step == view["step"] and view["question"] and not view["question"]["mine"]:
            raise RefusalError(403, "It is not for you to answer this.")
        await self._report(exchange, await self._host.reply(step, data.get("value")))

    async def _undo(self, exchange: Exchange, place: str, seat: Seat) -> None:
        step = (await exchange.json()).get("step")
        if type(step) is not int or place == SCREEN:
            raise RefusalError(400, "Only players can undo an answer.")
        await self._report(exchange, await self._host.undo(step, seat.name))

    async def _report(self, exchange: Exchange, problem: str) -> None:
        await exchange.reply_json({"problem": problem}, 409 if problem else 200)

    async def _events(self, exchange: Exchange, place: str, seat: Seat) -> None:
        """Send the state of the battle, and again after each change (Server-Sent Events)."""
        if seat.window_count >= _MOST_WINDOWS:
            raise RefusalError(429, "Too many windows of this seat are open.")
        token, changed = exchange.cookie(_cookie_name(exchange, place)), asyncio.Event()
        opening, table = self._openings, self._host.table
        gone = asyncio.ensure_future(exchange.disconnected())
        seat.window_count += 1
        self._host.tell()
        try:
            with self._host.listen(changed.set):
                await exchange.start(200, "text/event-stream; charset=utf-8")
                while opening == self._openings and seat.knows(token) and await self._send_view(exchange, place, seat):
                    await _wait(changed, gone)
                    changed.clear()
                    if gone.done():
                        return
                await exchange.finish(self._farewell(table) if opening == self._openings else b"")
        finally:
            gone.cancel()
            seat.window_count -= 1
            self._host.tell()

    def _farewell(self, table: Table | None) -> bytes:
        """Return the event that ends the stream of a window: why it is no longer at its table."""
        is_over = table is not None and table.is_over
        reason = "freed" if table is self._host.table else "over" if is_over else "stopped"
        return f"event: closed\ndata: {reason}\n\n".encode()

    async def _send_view(self, exchange: Exchange, place: str, seat: Seat) -> bool:
        """Send the state to a window; return whether its seat is still at the table."""
        view = self._host.view(place)
        if view is None or self._host.table is None or self._host.table.seats.get(place) is not seat:
            return False
        view["url"] = self._url()
        await exchange.send_part(f"data: {json.dumps(view)}\n\n".encode())
        return True


def _cookie_name(exchange: Exchange, place: str) -> str:
    """Return the name of a seat's cookie; browsers share cookies between ports, so it says which server it is for."""
    return f"cardgen-seat-{exchange.port}-{place}"


async def _wait(changed: asyncio.Event, gone: asyncio.Future[None]) -> None:
    """Wait for a change, the end of the connection, or the next sign of life."""
    change = asyncio.ensure_future(changed.wait())
    either: set[asyncio.Future[Any]] = {change, gone}
    await asyncio.wait(either, timeout=_BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    change.cancel()


@cache
def _file(name: str) -> bytes:
    return (files("cardgen.studio.play") / "web" / name).read_bytes()
