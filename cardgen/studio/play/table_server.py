"""The players' server: on this computer only, or on the local network if the user wants it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.studio.play.exchange import LOOPBACK
from cardgen.studio.play.host import Host
from cardgen.studio.play.table_app import TableApp

EVERYWHERE = "0.0.0.0"
# Connections of all devices and of each, and those that wait for a complete request. A household of spectators behind
# one address fits, and the players of that address still find room; see MOST_WATCHERS.
_LIMITS = {"most": 512, "most_of_address": 160, "most_waiting": 128, "most_waiting_of_address": 16}
# An address to which nothing is sent; the system only says from which address it would be.
_ELSEWHERE = ("192.0.2.1", 9)


class TableServer:
    """A server with the pages of players; `is_open` tells whether other devices can reach it.

    It starts with the first battle, or at once with `opens_first`, to which other devices then have access.
    """

    def __init__(self, host: Host, *, opens_first: bool = False) -> None:
        self._opens_first = opens_first
        self._app = TableApp(host, lambda: self.url if self.is_open else "")
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


def _server(app: TableApp) -> Any:
    """Return a server that leaves signals to the studio's own."""
    import uvicorn  # loaded here because it is an extra

    from cardgen.studio.access.connections import server_options

    class _Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config = uvicorn.Config(app, lifespan="off", ws="none", **server_options(**_LIMITS))
    return _Server(config)
