"""The studio's server: one process for the browser of one user, on this computer only."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime.extras import install_advice
from cardgen.studio.guard import HOST, PARAMETER, Guard
from cardgen.studio.studio import Studio

_TOKEN_BYTES = 32
# All connections come from this computer, where other users may be, who have no token.
_LIMITS = {"most": 512, "most_of_address": 512, "most_waiting": 64, "most_waiting_of_address": 64}


class Address(NamedTuple):
    """Where the studio answers; the token lets its user in."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """The URL to open."""
        return f"http://{HOST}:{self.port}/?{PARAMETER}={self.token}"


def serve(root: Path, port: int, on_ready: Callable[[str, str], None], *, opens_network: bool = False) -> None:
    """Run the studio for a project until the user stops it; port 0 is any free one.

    Calls `on_ready` with the URL once browsers can open it, and with that of players on the local network, to which
    `opens_network` gives access, or ''. Raises CardgenError if the port is taken, or NiceGUI is not installed.
    """
    with _listen(port) as listener:
        address = Address(listener.getsockname()[1], secrets.token_urlsafe(_TOKEN_BYTES))
        studio = Studio(root, opens_network=opens_network)  # its engines begin while the server loads
        try:
            _run(studio, listener, address, on_ready)
        finally:
            studio.close()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # connections wait until the server is ready
    except OSError as error:
        listener.close()
        message = f"cannot listen on port {port}: {error.strerror}"
        raise CardgenError(Diagnostic(Code.NO_STUDIO, message, Place("--port"), "choose another port")) from None
    return listener


def _run(studio: Studio, listener: socket.socket, address: Address, on_ready: Callable[[str, str], None]) -> None:
    # NiceGUI and its server take half a second to load, while the engines read the project.
    os.environ.setdefault("NICEGUI_STORAGE_PATH", os.devnull)  # the studio stores nothing outside the project
    try:
        import uvicorn
        from fastapi import FastAPI

        from cardgen.studio.connections import make_room, server_options
        from cardgen.studio.pages.routes import install
    except ImportError as error:
        message = f"the studio needs {error.name}, which is not installed"
        advice = install_advice("studio")
        raise CardgenError(Diagnostic(Code.NO_STUDIO, message, Place("studio"), advice)) from None

    make_room()

    @asynccontextmanager
    async def lifespan(_: Any) -> Any:
        await studio.start()
        on_ready(address.url, studio.players.url if studio.players.is_open else "")
        yield
        await studio.players.stop()
        studio.close()  # here too, because a signal that ends the server ends the process

    application = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    install(application, studio)
    guarded = Guard(application, address.port, address.token)
    config = uvicorn.Config(guarded, ws_max_size=4 << 20, **server_options(**_LIMITS))
    uvicorn.Server(config).run(sockets=[listener])
