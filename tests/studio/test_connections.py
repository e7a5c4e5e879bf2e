"""Connections of strangers: unfinished, slow, huge, and many."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from cardgen.studio.guard import Receive, Scope, Send

uvicorn = pytest.importorskip("uvicorn", reason="the studio's extra is not installed")
connections = pytest.importorskip("cardgen.studio.connections")
LIMITS = {"most": 40, "most_of_address": 30, "most_waiting": 20, "most_waiting_of_address": 10}
BIG = b"x" * (16 << 20)


async def _application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        await send({"type": "websocket.send", "text": "pong"})
        return
    if scope["path"] == "/body":
        while (await receive()).get("more_body"):
            pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await receive()
        await receive()
    await send({"type": "http.response.body", "body": BIG if scope["path"] == "/big" else b"done"})


class _Server:
    def __init__(self, port: int, limits: Any) -> None:
        self.port, self.limits = port, limits

    async def open(self, data: bytes, local: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(local, 0))
        writer.write(data)
        await writer.drain()
        return reader, writer

    async def get(self, path: str = "/", local: str = "127.0.0.1") -> bytes:
        reader, writer = await self.open(_request(path), local)
        async with asyncio.timeout(5):
            head = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        return head


def _request(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: h\r\n{more}\r\n".encode()


@contextlib.asynccontextmanager
async def _serving() -> AsyncIterator[_Server]:
    limits = connections.ConnectionLimits(**LIMITS)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        _application, log_level="critical", lifespan="off", http=limits.protocol, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield _Server(listener.getsockname()[1], limits)
    server.should_exit = True
    await task


def _run(journey: Callable[[_Server], Awaitable[None]]) -> None:
    async def run() -> None:
        async with _serving() as server:
            await journey(server)

    asyncio.run(run())


async def _is_closed(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(8):
            await reader.read()
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


UNFINISHED = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "headers without an end": b"GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n",
    "a body that does not come": b"POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n1",
    "a body that nobody reads": b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n1",
    "a chunk that does not come": b"POST /body HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
}


@pytest.mark.parametrize("case", UNFINISHED)
def test_a_hundred_unfinished_requests_keep_nobody_out(case: str) -> None:
    async def journey(server: _Server) -> None:
        held = [await server.open(UNFINISHED[case]) for _ in range(100)]
        assert (await server.get()).startswith(b"HTTP/1.1 200"), "from the same address"
        for _, writer in held:
            writer.close()

    _run(journey)


def test_a_burst_of_unfinished_requests_keeps_nobody_out() -> None:
    async def journey(server: _Server) -> None:
        for addresses in (["127.0.0.1"], [f"127.0.0.{number}" for number in range(2, 12)]):
            held = [
                socket.create_connection(("127.0.0.1", server.port), source_address=(address, 0))
                for address in addresses
                for _ in range(60 // len(addresses))
            ]  # all before the server runs again
            assert (await server.get()).startswith(b"HTTP/1.1 200"), addresses
            for each in held:
                each.close()

    _run(journey)


def test_whoever_waits_is_closed_for_too_many_of_all_only_if_there_are_too_many() -> None:
    async def journey(server: _Server) -> None:
        honest, writer = await server.open(b"", "127.0.0.9")
        addresses = ["127.0.0.1"] * LIMITS["most_waiting_of_address"] + ["127.0.0.2"] * 9
        held = [await server.open(b"", address) for address in addresses]
        held += [await server.open(b"", "127.0.0.1") for _ in range(20)]
        writer.write(_request("/"))
        assert (await asyncio.wait_for(honest.read(12), 5)) == b"HTTP/1.1 200"
        for _, each in (*held, (honest, writer)):
            each.close()

    _run(journey)


@pytest.mark.parametrize("case", UNFINISHED)
def test_an_unfinished_request_is_closed_in_time_even_if_it_goes_on(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.4)

    async def journey(server: _Server) -> None:
        reader, writer = await server.open(UNFINISHED[case])
        start = time.monotonic()

        async def drip() -> None:
            with contextlib.suppress(ConnectionError):
                while case != "nothing":
                    await asyncio.sleep(0.1)
                    writer.write(b"1" if "chunk" not in case else b"")
                    await writer.drain()

        dripping = asyncio.create_task(drip())
        assert await _is_closed(reader)
        assert time.monotonic() - start < 5
        dripping.cancel()
        writer.close()

    _run(journey)


def test_headers_are_limited() -> None:
    async def journey(server: _Server) -> None:
        for huge in (f"A: {'x' * 2_000_000}\r\n", "".join(f"A{number}: b\r\n" for number in range(200_000))):
            reader, writer = await server.open(b"")
            with contextlib.suppress(ConnectionError):
                writer.write(_request("/", huge))
                await writer.drain()
            answer = b""
            with contextlib.suppress(ConnectionError):
                answer = await asyncio.wait_for(reader.read(64), 5)
            assert not answer.startswith(b"HTTP/1.1 200")
            writer.close()
        assert (await server.get()).startswith(b"HTTP/1.1 200")

    _run(journey)


def test_newcomers_are_refused_and_windows_that_are_open_stay() -> None:
    async def journey(server: _Server) -> None:
        windows = [await server.open(_request("/stream")) for _ in range(LIMITS["most_of_address"])]
        for reader, _ in windows:
            await reader.readuntil(b"begun")
        late, writer = await server.open(_request("/"))
        assert await _is_closed(late)
        writer.close()
        assert (await server.get("/", "127.0.0.2")).startswith(b"HTTP/1.1 200"), "another address has room"
        others = [await server.open(_request("/stream"), f"127.0.0.{number}") for number in range(3, 13)]
        for reader, _ in others:
            await reader.readuntil(b"begun")
        late, writer = await server.open(_request("/"), "127.0.0.2")
        assert await _is_closed(late)
        writer.close()
        assert not [1 for reader, _ in (*windows, *others) if reader.at_eof()]
        for _, writer in (*windows, *others):
            writer.close()
        await asyncio.sleep(0.1)
        assert (await server.get()).startswith(b"HTTP/1.1 200"), "there is room again"

    _run(journey)


def test_a_browser_that_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.3)

    async def journey(server: _Server) -> None:
        loop = asyncio.get_running_loop()
        with socket.create_connection(("127.0.0.1", server.port)) as lazy:
            lazy.sendall(_request("/big"))
            for _ in range(100):
                await asyncio.sleep(0.05)
                if not server.limits._counts:
                    break
            assert not server.limits._counts
        reader, writer = await server.open(_request("/big", "Connection: close\r\n"))
        start = loop.time()
        assert len(await reader.read()) > len(BIG), "one that takes it, however late, gets it all"
        assert loop.time() - start < 10
        writer.close()

    _run(journey)


def test_a_connection_serves_several_requests_and_is_counted_once() -> None:
    async def journey(server: _Server) -> None:
        reader, writer = await server.open(_request("/") + _request("/"))
        for _ in range(2):
            await reader.readuntil(b"done")
        writer.write(_request("/"))
        await reader.readuntil(b"done")
        assert dict(server.limits._counts) == {"127.0.0.1": 1}
        writer.close()
        await asyncio.sleep(0.1)
        assert not server.limits._counts
        assert not server.limits._waiting

    _run(journey)


_UPGRADE = (
    f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n"
)
NO_HANDSHAKES = {
    "a body": _request("/", f"{_UPGRADE}Content-Length: 5\r\n"),
    "chunks": _request("/", f"{_UPGRADE}Transfer-Encoding: chunked\r\n"),
    "a long line": _request(f"/{'x' * 9000}", _UPGRADE),
    "many headers": _request("/", _UPGRADE + "".join(f"A{number}: b\r\n" for number in range(200))),
}


@pytest.mark.parametrize("case", NO_HANDSHAKES)
def test_a_websocket_whose_handshake_cannot_be_read_is_closed(case: str) -> None:
    pytest.importorskip("websockets")

    async def journey(server: _Server) -> None:
        reader, writer = await server.open(NO_HANDSHAKES[case])
        assert await _is_closed(reader)
        writer.close()
        await asyncio.sleep(0.1)
        assert not server.limits._counts
        assert not server.limits._waiting

    _run(journey)


def test_browsers_that_take_nothing_keep_nobody_out() -> None:
    async def journey(server: _Server) -> None:
        lazy = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(LIMITS["most_of_address"])]
        for each in lazy:
            each.sendall(_request("/big"))
        for _ in range(100):
            await asyncio.sleep(0.05)
            if server.limits._counts.total() <= LIMITS["most_waiting_of_address"]:
                break
        assert (await server.get()).startswith(b"HTTP/1.1 200"), "from the same address"
        for each in lazy:
            each.close()

    _run(journey)


def test_websockets_have_no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    pytest.importorskip("websockets")

    async def journey(server: _Server) -> None:
        reader, writer = await server.open(_request("/", _UPGRADE))
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.5)
        writer.write(b"\x81\x84\0\0\0\0ping")
        async with asyncio.timeout(8):
            assert await reader.readexactly(6) == b"\x81\x04pong"
        writer.close()

    _run(journey)


def test_connections_leave_room_for_other_files() -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        connections.make_room()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert hard == before[1]
    assert soft >= min(4096, hard if hard != resource.RLIM_INFINITY else 4096)


@pytest.mark.parametrize("logger", ["nicegui", "uvicorn.error", "asyncio"])
def test_what_is_asked_for_cannot_control_the_terminal(logger: str, capfd: pytest.CaptureFixture[str]) -> None:
    before = [*logging.getLogger().handlers]
    pytest.importorskip("uvicorn").Config(lambda: None, **connections.server_options(**LIMITS))
    try:
        logging.getLogger(logger).error("%s not found", "/\x1b]0;owned\x07")
    finally:
        logging.getLogger().handlers[:] = before
    assert capfd.readouterr().err == "/\\x1b]0;owned\\x07 not found\n"
