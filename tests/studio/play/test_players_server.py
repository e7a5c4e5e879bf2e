"""The players' server on real sockets: crowds that watch, strangers that stall, and players who come back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.studio.play.host import Host
from cardgen.studio.play.players_server import PlayersServer
from cardgen.studio.play.seats import MOST_TRIES, SCREEN
from tests.studio.play.windows import ORDER, DirectEngine

pytest.importorskip("uvicorn", reason="the studio's extra is not installed")
CROWD = 100


class Phone:
    """A browser with cookies, on a real socket."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._port, self._address = port, address
        self.cookie, self.path, self.headers = "", "/watch", ""
        self.views: list[Any] = []
        self._stream: asyncio.Task[None] | None = None
        self.is_open = False

    async def ask(self, method: str, path: str, data: Any = None) -> tuple[int, Any]:
        """Send a request; return the status of the answer, and its data."""
        reader, writer = await self._send(method, path, data)
        async with asyncio.timeout(10):
            status, headers = await _head(reader)
            body = await reader.read(int(headers.get("content-length", 0)))
        writer.close()
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].split(";")[0]
        return status, json.loads(body) if headers.get("content-type") == "application/json" else body

    async def join(self, code: str, place: str) -> None:
        status, data = await self.ask("POST", "/join", {"code": code, "place": place})
        assert status == 200, data
        self.path = data["path"]

    async def watch(self) -> None:
        """Open the stream of states."""
        reader, writer = await self._send("GET", f"{self.path}/events")
        status, _ = await _head(reader)
        assert status == 200
        self.is_open = True
        self._stream = asyncio.create_task(self._read(reader, writer))

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                if line.startswith(b"data: {"):
                    self.views.append(json.loads(line[6:]))
        except ConnectionError:
            pass
        finally:
            self.is_open = False
            writer.close()

    def close(self) -> None:
        if self._stream:
            self._stream.cancel()

    async def _send(
        self, method: str, path: str, data: Any = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, body = f"127.0.0.1:{self._port}", b"" if data is None else json.dumps(data).encode()
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self._port, limit=1 << 20, local_addr=(self._address, 0)
        )
        head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {self.cookie}\r\n"
        length = f"{self.headers}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}{length}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        return reader, writer


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = (line.split(": ", 1) for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value for name, value in fields}


@contextlib.asynccontextmanager
async def _evening(root: Path) -> AsyncIterator[tuple[Host, PlayersServer]]:
    """A host and a server, as the studio has them."""
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    engine = DirectEngine(root)
    host = Host(lambda: engine, lambda: engine, lambda: root)
    server = PlayersServer(host)
    try:
        yield host, server
    finally:
        await server.stop()
        host.close()


def _run(root: Path, journey: Callable[[Host, PlayersServer], Awaitable[None]]) -> None:
    async def run() -> None:
        async with _evening(root) as (host, server):
            await server.ensure()
            await host.begin(ORDER)
            await journey(host, server)

    asyncio.run(run())


async def _players(host: Host, port: int) -> list[Phone]:
    assert host.seating
    phones = [Phone(port), Phone(port)]
    for phone, place in zip(phones, ("1", "2"), strict=True):
        await phone.join(host.seating.code, place)
        await phone.watch()
    return phones


async def _wait(condition: Callable[[], bool], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


async def _round(host: Host, players: list[Phone]) -> float:
    """Answer a question from the phone that is asked; return the seconds until both phones show what comes next."""
    state = host.state
    assert state
    await _wait(lambda: all(each.views and each.views[-1]["step"] == state.step for each in players))
    phone = next(each for each in players if each.views[-1]["question"]["mine"])
    question, start = phone.views[-1]["question"], time.perf_counter()
    value: Any = {"select": [], "mark": [question["low"]]}.get(question["kind"], 0)
    value = question["low"] if question["kind"] in ("measure", "die") else value
    status, data = await phone.ask("POST", f"{phone.path}/reply", {"step": state.step, "value": value})
    assert status == 200, data
    await _wait(lambda: all(each.views[-1]["step"] != state.step for each in players))
    return time.perf_counter() - start


UNFINISHED = {
    "headers": b"GET / HTTP/1.1\r\nHost: x\r\nA: ",
    "bodies": b"POST /join HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
    b"Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
}


@pytest.mark.parametrize("case", UNFINISHED)
def test_a_hundred_unfinished_requests_do_not_stop_a_battle(case: str, tmp_path: Path) -> None:
    async def journey(host: Host, server: PlayersServer) -> None:
        players = await _players(host, server.port)
        text = UNFINISHED[case].replace(b"%d", str(server.port).encode())
        held = []
        for _ in range(CROWD):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(text)
            held.append(writer)
        await asyncio.sleep(0.1)
        for _ in range(4):
            assert await _round(host, players) < 5
        assert all(each.is_open for each in players)
        late = Phone(server.port)
        await late.watch()
        await _wait(lambda: bool(late.views))
        for each in (*players, late):
            each.close()
        for writer in held:
            writer.close()

    _run(tmp_path, journey)


def test_a_hundred_phones_watch_and_do_not_slow_the_players(tmp_path: Path) -> None:
    async def journey(host: Host, server: PlayersServer) -> None:
        players = await _players(host, server.port)
        alone = statistics.median([await _round(host, players) for _ in range(5)])
        crowd = [Phone(server.port) for _ in range(CROWD)]
        for phone in crowd:
            await phone.watch()
        screen = Phone(server.port)
        assert host.seating
        await screen.join(host.seating.code, SCREEN)
        await screen.watch()
        await _wait(lambda: all(each.views for each in (*crowd, screen)))
        count = len(crowd[0].views)
        together = statistics.median([await _round(host, players) for _ in range(5)])
        assert together < alone + 0.5, (alone, together)
        state = host.state
        assert state
        await _wait(lambda: all(each.views[-1]["step"] == state.step for each in (*crowd, screen)))
        assert all(each.is_open for each in (*players, *crowd, screen))
        assert all(len(each.views) <= count + 12 for each in crowd), "nothing is sent twice"
        assert not [view for each in crowd for view in each.views if view["code"] or "secrets" in view]
        assert screen.views[-1]["code"] == host.seating.code
        assert host.seating.watcher_count == CROWD + 1
        for each in (*players, *crowd, screen):
            each.close()
        await _wait(lambda: host.seating is not None and host.seating.watcher_count == 0)

    _run(tmp_path, journey)


def test_after_a_restart_port_code_and_seats_are_the_same(tmp_path: Path) -> None:
    async def run() -> None:
        async with _evening(tmp_path) as (host, server):
            await server.ensure()
            await host.begin(ORDER)
            port, phones = server.port, await _players(host, server.port)
            await _round(host, phones)
            assert host.seating
            code, step = host.seating.code, host.state.step  # type: ignore[union-attr]
            for phone in phones:
                phone.close()
        async with _evening(tmp_path) as (host, server):
            await server.begin()
            await server.start(is_open=False)  # as with --lan, at any port, before the battle is resumed
            await server.ensure(host.kept_port("battle.jsonl"))
            assert server.port == port
            await host.resume("battle.jsonl")
            assert host.seating
            assert host.seating.code == code
            for phone in phones:
                phone.views.clear()
                await phone.watch()
            await _wait(lambda: all(each.views for each in phones))
            assert {each.views[-1]["step"] for each in phones} == {step}
            await _round(host, phones)
            for phone in phones:
                phone.close()

    asyncio.run(run())


def test_a_port_that_somebody_else_has_is_replaced(tmp_path: Path) -> None:
    async def run() -> None:
        async with _evening(tmp_path) as (_, first), _evening(tmp_path) as (host, second):
            await first.ensure()
            await second.ensure(first.port)
            assert second.port not in (0, first.port)
            assert host.port == second.port

    asyncio.run(run())


def test_an_address_in_a_header_is_not_believed(tmp_path: Path) -> None:
    """Wrong codes count for the address that they come from, and those of this computer are one."""

    async def journey(host: Host, server: PlayersServer) -> None:
        statuses = []
        for number in range(20):
            phone = Phone(server.port, f"127.0.0.{number + 1}")
            phone.headers = f"X-Forwarded-For: 192.168.1.{number}\r\nForwarded: for=192.168.1.{number}\r\n"
            statuses.append((await phone.ask("POST", "/join", {"code": "AAAAAA", "place": "1"}))[0])
        assert statuses == [403] * MOST_TRIES + [429] * (20 - MOST_TRIES)

    _run(tmp_path, journey)
