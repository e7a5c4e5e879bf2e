"""Windows of players without a browser: requests to the players' server, and everything that it sends them."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.runtime.request_process import ProcessError
from cardgen.studio.guard import Message
from cardgen.studio.play.battle import BattleDesk
from cardgen.studio.play.host import Host
from cardgen.studio.play.players_server import PlayersApp
from cardgen.studio.play.seats import BattleOrder

PORT, ADDRESS = 8123, "192.168.1.5"
VALUES = {"a": "the-ashen-oath", "b": "The Drowned Court", "missions": True, "turns": 1}
ORDER = BattleOrder("warniris", VALUES, seed="a")


class DirectEngine:
    """An engine in this process."""

    def __init__(self, root: Path) -> None:
        self.play = BattleDesk(root)
        self.companion: Any = None

    def start(self) -> None:
        """Nothing starts."""

    async def call(self, name: str, *arguments: Any, seconds: float = 0.0) -> Any:
        part, _, function = name.partition(".")
        if (called := getattr(self, part)) is None:
            raise ProcessError("this engine has no companion")
        return getattr(called, function)(*arguments)

    def close(self) -> None:
        """Close the save file."""
        self.play.leave()


class Reply(NamedTuple):
    """An answer of the server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


class Window:
    """A browser window, with its cookies, and all that it was sent."""

    def __init__(self, app: PlayersApp, client: str = "192.168.1.77", host: str = f"{ADDRESS}:{PORT}") -> None:
        self._app, self._client = app, client
        self.headers = {"host": host, "content-type": "application/json"}
        self.place = ""
        self.path = "/watch"
        self.received = b""
        self._closed = asyncio.Event()
        self._stream: asyncio.Task[Any] | None = None

    async def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Reply:
        """Send a request, and wait for the whole answer."""
        sent: list[Message] = []
        await self._app(self._scope(method, path, headers), self._sender(json.dumps(data).encode()), _collector(sent))
        fields = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        body = b"".join(each.get("body", b"") for each in sent[1:])
        self.received += body + repr(fields).encode()
        return Reply(sent[0]["status"], fields, body)

    async def post(self, path: str, data: Any, **headers: str) -> Reply:
        return await self.ask("POST", path, data, **{"origin": f"http://{self.headers['host']}", **headers})

    async def join(self, code: str, place: str) -> Reply:
        """Take a seat, and keep its cookie."""
        reply = await self.post("/join", {"code": code, "place": place})
        if reply.status == 200:
            self.place, self.path = place, reply.data["path"]
            own = reply.headers["set-cookie"].split(";")[0]
            self.headers["cookie"] = "; ".join(filter(None, (self.headers.get("cookie"), own)))
        return reply

    def watch(self) -> None:
        """Open the stream of states."""
        self._stream = asyncio.ensure_future(
            self._app(self._scope("GET", f"{self.path}/events", {}), self._wait, self._take)
        )

    async def close(self) -> None:
        """Close the stream, as a phone does that is put away."""
        self._closed.set()
        if self._stream:
            await self._stream

    @property
    def view(self) -> Any:
        """The latest state."""
        return json.loads(self.received.rpartition(b"data: ")[2].partition(b"\n\n")[0])

    async def _wait(self) -> Message:
        await self._closed.wait()
        return {"type": "http.disconnect"}

    async def _take(self, message: Message) -> None:
        self.received += message.get("body", b"")

    def _scope(self, method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in {**self.headers, **headers}.items()]
        server = (self.headers["host"].split(":")[0].replace("localhost", "127.0.0.1"), PORT)
        return {
            "type": "http",
            "method": method,
            "path": path,
            "headers": raw,
            "client": (self._client, 50000),
            "server": server,
        }

    def _sender(self, body: bytes) -> Any:
        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        return receive


def _collector(sent: list[Message]) -> Any:
    async def send(message: Message) -> None:
        sent.append(dict(message))

    return send


def seating_of(root: Path, url: str = "") -> tuple[Host, PlayersApp]:
    """Return a host and the players' server for a project of a game with battles."""
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    engine = DirectEngine(root)
    host = Host(lambda: engine, lambda: engine, lambda: root)
    return host, PlayersApp(host, lambda: url)


def random_value(question: Any, dice: random.Random) -> Any:
    """Return an answer that a page may send."""
    match question["kind"]:
        case "choose" | "seal":
            return dice.randrange(len(question["options"]))
        case "select":
            return [dice.randrange(len(question["options"]))] * dice.randrange(2)
        case "mark":
            return [dice.randint(question["low"], question["high"])]
    return dice.randint(question["low"], question["high"])


async def settle() -> None:
    """Let the server send what has changed."""
    for _ in range(8):
        await asyncio.sleep(0)
