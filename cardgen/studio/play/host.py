"""The host of battles: the one that is played, its table, and everybody who watches it."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, Protocol

from cardgen.diagnostic import CardgenError
from cardgen.referee import transcript
from cardgen.referee.requests import Scoreboard
from cardgen.referee.transcript import Header
from cardgen.runtime.request_process import MOST_SECONDS, ProcessError
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

    async def call(self, name: str, *arguments: Any, seconds: float = MOST_SECONDS) -> Any:
        """Return the answer of a function, such as "play.reply". Raises CardgenError and ProcessError."""

    def close(self) -> None:
        """End it."""


# The number of one of several units of a name.
_NUMBER = re.compile(r" \d+\Z")
# Seconds that a picture or the odds of two cards may take; requests that wait, of all devices and of each.
_CARD_SECONDS, _MOST_WAITING, MOST_OF_ADDRESS = 30.0, 128, 8


class PublicCards:
    """The cards of a battle that everybody may see: those of the units that its scoreboard has shown.

    Each has a random name of 128 bits. A picture is drawn once its card is public, and odds are computed when somebody
    asks, each only once, in a process that is not that of the battle. `tell` is called when the first cards are known.
    `names` are the random names by the name of each unit, which no other has.
    """

    def __init__(self, engine: BattleEngine, header: Header | None, tell: Callable[[], None]) -> None:
        self._engine, self._header, self._tell = engine, header, tell
        self._fighters: Sequence[Sequence[str]] = ()
        self._board = Scoreboard("", ())
        # The side and name of each public card by its random name.
        self._cards: dict[str, tuple[int, str]] = {}
        self.names: dict[str, str] = {}
        self._answers: dict[tuple[str, ...], asyncio.Task[Any]] = {}
        self._waiting: Counter[str] = Counter()
        self._work = asyncio.create_task(self._open())

    def publish(self, board: Scoreboard) -> None:
        """Give a name to each card that a scoreboard shows for the first time, and draw it."""
        self._board = board
        for side, (each, fighters) in enumerate(zip(board.sides, self._fighters, strict=False)):
            for unit in each.units:
                card = next((name for name in (unit.name, _NUMBER.sub("", unit.name)) if name in fighters), None)
                if card:
                    name = next((name for name, known in self._cards.items() if known == (side, card)), "")
                    name = self.names[unit.name] = name or secrets.token_urlsafe(16)
                    self._cards[name] = (side, card)
        if self._work.done():
            self._work = asyncio.create_task(self._draw())

    async def picture(self, names: Sequence[str], address: str) -> bytes:
        """Return the picture of a card as PNG. Raises RefusalError, also without a picture."""
        picture = await self._answer("picture", names, address) if len(names) == 1 else b""
        if picture and isinstance(picture, bytes):
            return picture
        raise RefusalError(404, _NO_CARD)

    async def odds(self, names: Sequence[str], address: str) -> Mapping[str, Any]:
        """Return the odds of a card against one of another side. Raises RefusalError."""
        if len({self._cards.get(each, ("",))[0] for each in names}) != 2 or len(names) != 2:
            raise RefusalError(404, _NO_CARD)
        answer = await self._answer("odds", names, address)
        return {"problem": answer} if isinstance(answer, str) else asdict(answer)

    async def _open(self) -> None:
        with suppress(CardgenError, ProcessError):
            self._fighters = await self._engine.call("companion.fighters", self._header)
            self.publish(self._board)
            self._tell()
            await self._draw()

    async def _draw(self) -> None:
        """Draw the cards that have no picture yet, one after the other, so that odds need not wait for all."""
        while new := next((each for each in self._cards if ("picture", each) not in self._answers), None):
            await self._answer("picture", (new,), "")

    async def _answer(self, what: str, names: Sequence[str], address: str) -> Any:
        """Return an answer, or why there is none; all who ask for the same share it."""
        if not all(each in self._cards for each in names):
            raise RefusalError(404, _NO_CARD)
        answer = self._answers.get(key := (what, *names))
        if answer is None or not answer.done():
            if address and (self._waiting[address] >= MOST_OF_ADDRESS or self._waiting.total() >= _MOST_WAITING):
                raise RefusalError(429, "Too many requests; try again in a minute.")
            answer = self._answers.setdefault(key, answer or asyncio.create_task(self._ask(*key)))
            self._waiting[address] += 1
            answer.add_done_callback(lambda _: self._waiting.subtract((address,)))
        return await asyncio.shield(answer)

    async def _ask(self, what: str, *names: str) -> Any:
        cards = (self._cards[each] for each in names)
        try:
            return await self._engine.call(f"companion.{what}", self._header, *cards, seconds=_CARD_SECONDS)
        except CardgenError as error:
            return explain_one(error.diagnostics[0])
        except ProcessError:
            return "This takes too long."


class Host:
    """The battle that all windows share, at most one at a time.

    `make_engine` is called for the first battle, and `setup_engine` returns one that can answer before it. `folder`
    returns the folder of saves. `state`, `seating`, and `cards` are None without a battle. `problem` tells why it
    cannot go on, and `keep_problem` why its seats are not kept with its save. `port` is that of the players' server.
    `listeners` are called after each change; `revision` counts them.
    """

    def __init__(
        self,
        make_engine: Callable[[], BattleEngine],
        setup_engine: Callable[[], BattleEngine],
        folder: Callable[[], Path],
    ) -> None:
        self._make_engine, self._setup_engine, self._folder = make_engine, setup_engine, folder
        self._engine: BattleEngine | None = None
        self._companion: BattleEngine | None = None  # of pictures and odds
        self.cards: PublicCards | None = None
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
            self.state = self.seating = self.cards = None
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
            self._engine = self._companion = self.state = self.seating = self.cards = None
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
        return battle_view(self.state, self.seating, place, self.problem, self.cards.names if self.cards else {})

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
        """End the engines; the battle is saved."""
        for engine in filter(None, (self._engine, self._companion)):
            engine.close()

    def _sit_down(self, state: BattleState, seating: Seating) -> None:
        self.seating, self.problem = seating, ""
        self._companion = self._companion or self._make_engine()
        self.cards = PublicCards(self._companion, state.header, self.tell)
        self._show(state)
        self._keep()
        self.tell()

    def _show(self, state: BattleState) -> None:
        self.state = state
        if self.cards:
            self.cards.publish(state.scoreboard)
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
_NO_CARD = "There is no such card."
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
        await self.send_part(body, is_last=True)

    async def reply_json(self, data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer the request with JSON."""
        await self.reply(status, json.dumps(data).encode(), "application/json", headers)

    async def start(self, status: int, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """Begin an answer."""
        every = {**_HEADERS, "Content-Type": kind, **(headers or {})}
        raw = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in every.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def send_part(self, body: bytes, *, is_last: bool = False) -> None:
        """Send a part of an answer that goes on."""
        await self._send({"type": "http.response.body", "body": body, "more_body": not is_last})

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
