"""The studio's server, for the browser of one user on this computer only, and the addresses of its pages."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from fastapi import FastAPI, Request
from nicegui import app, ui
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.connections import make_room, server_options
from cardgen.studio.guard import HOST, PARAMETER, Guard
from cardgen.studio.pages.cards_page import show_cards
from cardgen.studio.pages.edit_page import show_editor
from cardgen.studio.pages.play_page import show_play
from cardgen.studio.pages.print_page import output_file, printed_sheets, sheet_page, show_print
from cardgen.studio.pages.rules_page import show_rules
from cardgen.studio.pages.start_page import show_missing_project, show_start
from cardgen.studio.pages.table_page import show_table
from cardgen.studio.pages.template_page import show_template
from cardgen.studio.pages.window import FAVICON, allow_late_changes
from cardgen.studio.studio import Studio
from cardgen.studio.uploads import UploadError

_TOKEN_BYTES = 32
# All connections come from this computer, where other users may be, who have no token.
_LIMITS = {"most": 512, "most_of_address": 512, "most_waiting": 64, "most_waiting_of_address": 64}


class Address(NamedTuple):
    """Where the studio answers; the token lets its user in, the ticket once."""

    port: int
    token: str
    ticket: str

    def url(self, token: str) -> str:
        """Return the URL to open."""
        return f"http://{HOST}:{self.port}/?{PARAMETER}={token}"


def serve(root: Path, port: int, on_ready: Callable[[str, str, str], None], *, opens_network: bool = False) -> None:
    """Run the studio for a project until the user stops it; port 0 is any free one.

    Calls `on_ready` once browsers can open the studio: with its URL, with that of players on the local network, to
    which `opens_network` gives access, or '', and with a URL that other users may see, because it opens only once.
    Raises CardgenError if the port is taken.
    """
    with _listen(port) as listener:
        address = Address(listener.getsockname()[1], *(secrets.token_urlsafe(_TOKEN_BYTES) for _ in "12"))
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


def _run(studio: Studio, listener: socket.socket, address: Address, on_ready: Callable[[str, str, str], None]) -> None:
    make_room()

    @asynccontextmanager
    async def lifespan(_: Any) -> Any:
        await studio.start()
        players = studio.players.url if studio.players.is_open else ""
        on_ready(address.url(address.token), players, address.url(address.ticket))
        yield
        await studio.players.stop()
        studio.close()  # here too, because a signal that ends the server ends the process

    application = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    install(application, studio)
    guarded = Guard(application, address.port, address.token, tickets=(address.ticket,))
    config = uvicorn.Config(guarded, ws_max_size=4 << 20, **server_options(**_LIMITS))
    uvicorn.Server(config).run(sockets=[listener])


_SVG = "image/svg+xml"
# Seconds in which a page must begin, on a busy computer with a large project.
_PATIENCE = 60.0
_KEEP = {"Cache-Control": "private, max-age=86400, immutable"}


def install(application: FastAPI, studio: Studio) -> None:
    """Add the pages of a studio to an application."""
    _add_pictures(studio)
    _add_card_pages(studio)
    _add_project_pages(studio)
    allow_late_changes()
    app.config.quasar_config["loadingBar"]["skipHijack"] = True  # it has no name for screen readers, and it moves
    options: dict[str, Any] = {"tailwind": False, "gzip_middleware_factory": None, "show_welcome_message": False}
    ui.run_with(application, dark=None, favicon=FAVICON, language="en-US", reconnect_timeout=30.0, **options)


def _add_pictures(studio: Studio) -> None:
    @app.get("/picture/{name}")
    def picture(name: str) -> Response:
        content = studio.picture(name)
        return Response(content, media_type=_SVG, headers=_KEEP) if content else _gone("this picture is gone")

    @app.get("/face")
    async def face(key: str, side: str = "front", marks: str = "") -> Response:
        row = next((each for each in (*studio.state.cards, *studio.state.unread) if each.key == key), None)
        if row is None:
            return _gone("this card does not exist")
        with suppress(ProcessError):  # of a project that was left meanwhile
            drawn = await studio.draw(row, tuple(marks.split()), back=side == "back")
            return Response(drawn.svg, media_type=_SVG, headers=_KEEP) if drawn.svg else _gone(drawn.problem)
        return _gone("this card cannot be drawn now")

    @app.get("/thumbnail")
    async def thumbnail(file: str) -> Response:
        with suppress(ProcessError):
            small = await studio.drawing.call("thumbnails.picture", file)
            content = Response(small.content, media_type=small.media_type, headers=_KEEP)
            return content if small.content else _gone(small.problem)
        return _gone("this picture cannot be read now")

    @app.post("/upload")
    async def upload(request: Request) -> Response:
        try:
            return PlainTextResponse(await studio.uploads.receive(request.stream()))
        except (UploadError, ClientDisconnect) as error:
            return PlainTextResponse(f"{error}.", 413)

    @app.get("/sheet/{number}/{document}")
    async def sheet(number: int, document: int, page: int = 0, dpi: int = 96) -> Response:
        return await sheet_page(studio, number, document, page, dpi)

    @app.get("/sheets/{number}.pdf")
    def sheets_to_print(number: int) -> Response:
        return printed_sheets(studio, number)

    @app.get("/output/{path:path}")
    def output(path: str) -> Response:
        return output_file(studio, path)


def _add_card_pages(studio: Studio) -> None:
    @ui.page("/", response_timeout=_PATIENCE)
    async def cards() -> None:
        await (show_cards(studio) if studio.has_project else show_start(studio))

    @ui.page("/table", response_timeout=_PATIENCE)
    async def table(kind: str = "") -> None:
        await (show_table(studio, kind) if studio.has_project else show_missing_project(studio, "cards"))

    @ui.page("/edit", response_timeout=_PATIENCE)
    async def edit(file: str = "", card: str = "", line: int = 0, language: str = "", cell: str = "") -> None:
        await show_editor(studio, file, card, line, language, cell.rpartition(":")[0])

    @ui.page("/rules", response_timeout=_PATIENCE)
    async def rules(request: Request, card: str = "") -> None:
        others = request.query_params.getlist("with")
        await (show_rules(studio, card, others) if studio.has_project else show_missing_project(studio, "rules"))


def _add_project_pages(studio: Studio) -> None:
    @ui.page("/print", response_timeout=_PATIENCE)
    async def sheets(request: Request, part: str = "sheets") -> None:
        only = request.query_params.getlist("only")
        await (show_print(studio, part, only) if studio.has_project else show_missing_project(studio, "print"))

    @ui.page("/template", response_timeout=_PATIENCE)
    async def template(file: str = "", line: int = 0) -> None:
        await (show_template(studio, file, line) if studio.has_project else show_missing_project(studio, "templates"))

    @ui.page("/new", response_timeout=_PATIENCE)
    async def start() -> None:
        await show_start(studio)

    @ui.page("/play", response_timeout=_PATIENCE)
    async def play() -> None:
        await (show_play(studio) if studio.has_project else show_missing_project(studio, "play"))


def _gone(text: str) -> Response:
    return PlainTextResponse(text, 404, headers={"Cache-Control": "no-store"})
