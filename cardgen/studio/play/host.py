"""The host of battles: the one that is played, its table, and everybody who watches it."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, Protocol

from cardgen.diagnostic import CardgenError
from cardgen.referee import transcript
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.guard import Message, Receive, Scope, Send, headers_of
from cardgen.studio.page_words import explain, explain_one
from cardgen.studio.play import seats as seats_file
from cardgen.studio.play.seats import (
    TOO_LATE,
    BattleOrder,
    BattleState,
    JoinError,
    Refused,
    SaveRow,
    Seating,
    SetupForm,
    View,
    battle_view,
)

_NOT_SEATED = Refused("Enter the code of the battle first.", is_forbidden=True)


class BattleEngine(Protocol):
    """Whatever runs battles: in a process of its own, so that a stranger's cards cannot stop the server."""

    def start(self) -> None:
        """Start before the first call."""

    async def call(self, name: str, *arguments: Any) -> Any:
        """Return the answer of a function, such as "play.reply". Raises CardgenError and ProcessError."""

    def close(self) -> None:
        """End it."""


class Host:
    """The battle that all windows share, at most one at a time.

    `make_engine` is called for the first battle, and `setup_engine` returns one that can answer before it. `folder`
    returns the folder of saves. `state` and `table` are None without a battle. `problem` tells why it cannot go on, and
    `keep_problem` why its seats are not kept with its save. `port` is that of the players' server. `listeners` are
    called after each change; `revision` counts them.
    """

    def __init__(
        self,
        make_engine: Callable[[], BattleEngine],
        setup_engine: Callable[[], BattleEngine],
        folder: Callable[[], Path],
    ) -> None:
        self._make_engine, self._setup_engine, self._folder = make_engine, setup_engine, folder
        self._engine: BattleEngine | None = None
        self._lock = asyncio.Lock()
        self.state: BattleState | None = None
        self.seating: Seating | None = None
        self.problem = self.keep_problem = ""
        self.port = self.revision = 0
        self.listeners: set[Callable[[], None]] = set()

    async def form(self, game: str = "") -> SetupForm:
        """Return what can be chosen for a new battle. Raises CardgenError and ProcessError, as all calls do."""
        form: SetupForm = await self._setup_engine().call("play.form", game)
        return form

    async def saves(self) -> tuple[SaveRow, ...]:
        """Return the battles that can be resumed."""
        rows: tuple[SaveRow, ...] = await self._setup_engine().call("play.saves")
        return rows

    def prepare(self) -> None:
        """Start the engine, so that a battle can begin at once."""
        if self._engine is None:
            self._engine = self._make_engine()
            self._engine.start()

    async def begin(self, order: BattleOrder) -> None:
        """Begin a battle with new codes; the one before it stays saved."""
        async with self._lock:
            state = await self._call("begin", order)
            self._sit_down(state, Seating(state.sides))

    async def resume(self, name: str) -> None:
        """Resume a saved battle with the seats and codes that were kept with it, or else with new ones."""
        async with self._lock:
            state = await self._call("resume", name)
            kept = seats_file.read(self._folder(), state.save, state.sides)
            self._sit_down(state, kept[0] if kept else Seating(state.sides))

    def kept_port(self, name: str) -> int:
        """Return the port at which the players of a saved battle look for it, or 0 if none was kept."""
        kept = seats_file.read(self._folder(), name)
        return kept[1] if kept else 0

    def join(self, place: str, code: str, address: str, token: str) -> str:
        """Let a window take a seat, or come back to it; return its token. Raises JoinError, also without a battle."""
        if self.seating is None:
            raise JoinError("No battle is being played.", 404)
        given = self.seating.join(place, code, address, token)
        if given != token:
            self._keep()
            self.tell()
        return given

    def free(self, place: str) -> None:
        """Put everybody out of a seat, so that somebody can take it with the next code of the battle."""
        if self.seating:
            self.seating.free(place)
            self._keep()
            self.tell()

    def serve_at(self, port: int) -> None:
        """Note the port of the players' server, and tell all windows."""
        self.port = port
        self._keep()
        self.tell()

    async def leave(self) -> None:
        """Stop the battle; it is saved, with its codes and seats."""
        async with self._lock:
            await self._call("leave")
            self.state = self.seating = None
            self.problem = self.keep_problem = ""
        self.tell()

    async def quit(self) -> None:
        """End the battle, if there is one, and its engine; the next battle gets a new one.

        Windows are told once there is another project to show.
        """
        async with self._lock:
            if self.state:
                with suppress(CardgenError, ProcessError):
                    await self._call("leave")
            self.close()
            self._engine = self.state = self.seating = None
            self.problem = self.keep_problem = ""

    async def reply(
        self, step: int, value: Any, side: int, is_seated: Callable[[], bool] = lambda: True
    ) -> Refused | None:
        """Answer the question of a step as a side, by its place; return why that is not possible, or None.

        `is_seated` says, when it is the request's turn, whether the window still has the seat of the side.
        """
        return await self._change("reply", is_seated, step, value, side)

    async def undo(self, step: int, side: int, is_seated: Callable[[], bool] = lambda: True) -> Refused | None:
        """Undo the last answer once all players who have a seat agree, and note that a side does, by its place.

        Dice and secret choices are known by then, and the same ones come again: nobody may choose anew in their light
        unless the others allow it. Return why an undo is not possible, or None.
        """
        state, seating = self.state, self.seating
        if state and seating and state.step == step and state.can_undo and not state.outcome and is_seated():
            if not seating.agree_to_undo(str(side + 1), step):
                self.tell()
                return None
            side = int(seating.undo_places(step)[0]) - 1
        return await self._change("undo", is_seated, step, side)

    async def _change(self, name: str, is_seated: Callable[[], bool], step: int, *arguments: Any) -> Refused | None:
        if not is_seated():
            return _NOT_SEATED
        # At once: a step that is not current yet must not become current while its request waits for the lock. Whose
        # turn it is, and whether the step still is the current one, is for the battle to say, once it is asked.
        if self.state and step != self.state.step:
            return Refused(TOO_LATE)
        seating = self.seating
        async with self._lock:
            if self.state is None or self.seating is not seating:
                return Refused("This battle has been closed.")
            if not is_seated():
                return _NOT_SEATED
            try:
                changed = await self._call(name, step, *arguments)
            except CardgenError as error:
                self.problem = explain_one(error.diagnostics[0])
            except ProcessError:
                return Refused(await self._open_again(self.state.save))
            else:
                if isinstance(changed, Refused):
                    return changed
                self._show(changed)
        self.tell()
        return Refused(self.problem) if self.problem else None

    async def _open_again(self, save: str) -> str:
        """Resume the battle after its process has ended; whatever it was doing is lost."""
        try:
            self._show(await self._call("resume", save))
        except (CardgenError, ProcessError) as error:
            self.problem = f"the battle has stopped: {explain(error)}"
        self.tell()
        return "The battle had to be opened again; try once more."

    async def verify(self) -> str:
        """Compute every die and every decision anew, and say so. Raises CardgenError with the first that is wrong."""
        async with self._lock:
            return str(await self._call("verify", self.state.save)) if self.state else ""

    def view(self, place: str) -> View | None:
        """Return what the page of a seat or of the shared screen shows, or None without a battle."""
        if self.state is None or self.seating is None:
            return None
        return battle_view(self.state, self.seating, place, self.problem)

    @contextmanager
    def listen(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call a listener after each change in the block."""
        self.listeners.add(listener)
        try:
            yield
        finally:
            self.listeners.discard(listener)

    def tell(self) -> None:
        """Tell all windows that something has changed."""
        self.revision += 1
        for listener in tuple(self.listeners):
            listener()

    def close(self) -> None:
        """End the engine; the battle is saved."""
        if self._engine:
            self._engine.close()

    def _sit_down(self, state: BattleState, seating: Seating) -> None:
        self.seating, self.problem = seating, ""
        self._show(state)
        self._keep()
        self.tell()

    def _show(self, state: BattleState) -> None:
        self.state = state
        if self.seating:
            self.seating.is_over = bool(state.outcome)
        if state.outcome:
            seats_file.remove(self._folder(), state.save)

    def _keep(self) -> None:
        """Keep the seats with the save, so that players come back to them after the studio was closed."""
        if self.state is None or self.seating is None or self.seating.is_over:
            return
        try:
            seats_file.write(self._folder(), self.state.save, self.seating, self.port)
        except CardgenError as error:
            self.keep_problem = f"The seats are not kept with the save: {explain_one(error.diagnostics[0])}"
        else:
            self.keep_problem = ""

    async def _call(self, name: str, *arguments: Any) -> Any:
        self.prepare()
        assert self._engine
        return await self._engine.call(f"play.{name}", *arguments)


LOOPBACK = "127.0.0.1"
_MOST_BYTES = 8192
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class RefusalError(Exception):
    """A request that is refused, with the status and text of the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Exchange:
    """A request to the players' server, and its answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._headers = headers_of(scope)

    @property
    def address(self) -> str:
        """The address of the browser; this computer, which has 16 million of them, is one."""
        address = str((self._scope.get("client") or ("",))[0])
        return LOOPBACK if address.startswith("127.") else address

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._scope["server"][1])

    @property
    def method(self) -> str:
        """GET, POST, or another one."""
        return str(self._scope["method"])

    @property
    def path(self) -> str:
        """The path, without the query."""
        return str(self._scope["path"])

    def require_own_network(self) -> None:
        """Raise RefusalError unless the request comes from this network, to this computer by its address.

        A name in place of the address could be one that a stranger's server points to this computer.
        """
        if not _is_near(self.address):
            raise RefusalError(403, "This server answers the local network only.")
        host, port = self._scope["server"]
        names = {f"{host}:{port}"} | ({f"localhost:{port}"} if ipaddress.ip_address(host).is_loopback else set())
        if self._headers.get(b"host", "").lower() not in names:
            raise RefusalError(421, "Open the address that the studio shows.")
        origin = self._headers.get(b"origin")
        is_own = origin is not None and origin.lower() in {f"http://{each}" for each in names}
        if (origin is not None and not is_own) or not self._is_from_here():
            raise RefusalError(403, "This server does not answer requests from other websites.")
        if self.method == "POST" and not is_own:
            raise RefusalError(403, "This server answers its own pages only.")

    def _is_from_here(self) -> bool:
        """Return whether a browser says that its own pages, the user, or a link of the studio started the request.

        Another port of this computer is the 'same site', which is sent the cookies of seats; it can be anybody's.
        """
        site, mode = (self._headers.get(name, "") for name in (b"sec-fetch-site", b"sec-fetch-mode"))
        return site in ("", "none", "same-origin") or (site == "same-site" and mode == "navigate")

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, or ''."""
        try:
            morsel = SimpleCookie(self._headers.get(b"cookie", "")).get(name)
        except CookieError:
            return ""
        return morsel.value if morsel else ""

    async def json(self) -> Mapping[str, Any]:
        """Return the body of the request. Raises RefusalError unless it is a small map in JSON."""
        if self._headers.get(b"content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise RefusalError(415, "Send JSON.")
        body, is_more = b"", True
        while is_more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise RefusalError(400, "The request is incomplete.")
            body, is_more = body + message.get("body", b""), message.get("more_body", False)
            if len(body) > _MOST_BYTES:
                raise RefusalError(413, "The request is too large.")
        try:
            data = transcript.parse_strictly(body.decode())
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise RefusalError(400, "Send a map in JSON.")
        return data

    async def reply(self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """Answer the request."""
        await self.start(status, kind, {"Content-Length": str(len(body)), **(headers or {})})
        await self._send({"type": "http.response.body", "body": body})

    async def reply_json(self, data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer the request with JSON."""
        await self.reply(status, json.dumps(data).encode(), "application/json", headers)

    async def start(self, status: int, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """Begin an answer."""
        every = {**_HEADERS, "Content-Type": kind, **(headers or {})}
        raw = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in every.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def send_part(self, body: bytes) -> None:
        """Send a part of an answer that goes on."""
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def finish(self, body: bytes) -> None:
        """Send the last part of such an answer."""
        await self._send({"type": "http.response.body", "body": body})

    async def disconnected(self) -> None:
        """Wait until the browser closes the connection."""
        message: Message = {}
        while message.get("type") != "http.disconnect":
            message = await self._receive()


def _is_near(address: str) -> bool:
    """Return whether an address is this computer's, or of its local network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return parsed.is_loopback or parsed.is_private or parsed.is_link_local
