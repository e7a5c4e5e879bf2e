"""The pages of the studio, and the pictures on them."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from nicegui import app, ui
from starlette.responses import PlainTextResponse, Response

from cardgen.studio.pages.cards_page import show_cards
from cardgen.studio.pages.edit_page import show_editor
from cardgen.studio.pages.frame import FAVICON
from cardgen.studio.studio import Studio

_SVG = "image/svg+xml"
_KEEP = {"Cache-Control": "private, max-age=86400, immutable"}


def install(application: FastAPI, studio: Studio) -> None:
    """Add the pages of a studio to an application."""

    @app.get("/picture/{name}")
    def picture(name: str) -> Response:
        content = studio.picture(name)
        return Response(content, media_type=_SVG, headers=_KEEP) if content else _gone("this picture is gone")

    @app.get("/face")
    async def face(key: str, side: str = "front", marks: str = "") -> Response:
        row = studio.card(key)
        if row is None:
            return _gone("there is no such card")
        drawn = await studio.draw(row, tuple(marks.split()), back=side == "back")
        return Response(drawn.svg, media_type=_SVG, headers=_KEEP) if drawn.svg else _gone(drawn.problem)

    @ui.page("/", title=f"Cards · {studio.root.name} · cardgen studio")
    async def cards() -> None:
        await show_cards(studio)

    @ui.page("/edit", title=f"Edit · {studio.root.name} · cardgen studio")
    async def edit(file: str = "", card: str = "") -> None:
        await show_editor(studio, file, card)

    app.config.quasar_config["loadingBar"]["skipHijack"] = True  # it has no name for screen readers, and it moves
    options: dict[str, Any] = {"tailwind": False, "gzip_middleware_factory": None, "show_welcome_message": False}
    ui.run_with(application, dark=None, favicon=FAVICON, language="en-US", reconnect_timeout=30.0, **options)


def _gone(text: str) -> Response:
    return PlainTextResponse(text, 404, headers={"Cache-Control": "no-store"})
