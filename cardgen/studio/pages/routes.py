"""The addresses of the studio's pages, and of the pictures and files on them."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from nicegui import app, ui
from starlette.responses import PlainTextResponse, Response

from cardgen.studio.pages.cards_page import show_cards
from cardgen.studio.pages.edit_page import show_editor
from cardgen.studio.pages.play_page import show_play
from cardgen.studio.pages.print_page import output_file, sheet_page, show_print
from cardgen.studio.pages.rules_page import show_rules
from cardgen.studio.pages.start_page import show_missing_project, show_start
from cardgen.studio.pages.template_page import show_template
from cardgen.studio.pages.window import FAVICON, allow_late_changes
from cardgen.studio.studio import Studio

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
        row = studio.shown_card(key)
        if row is None:
            return _gone("this card does not exist")
        drawn = await studio.draw(row, tuple(marks.split()), back=side == "back")
        return Response(drawn.svg, media_type=_SVG, headers=_KEEP) if drawn.svg else _gone(drawn.problem)

    @app.get("/thumbnail")
    async def thumbnail(file: str) -> Response:
        small = await studio.drawing.call("thumbnails.picture", file)
        return (
            Response(small.content, media_type=small.media_type, headers=_KEEP)
            if small.content
            else _gone(small.problem)
        )

    @app.get("/sheet/{number}/{document}")
    async def sheet(number: int, document: int, page: int = 0, dpi: int = 96) -> Response:
        return await sheet_page(studio, number, document, page, dpi)

    @app.get("/output/{path:path}")
    def output(path: str) -> Response:
        return output_file(studio, path)


def _add_card_pages(studio: Studio) -> None:
    @ui.page("/", response_timeout=_PATIENCE)
    async def cards() -> None:
        await (show_cards(studio) if studio.has_project else show_start(studio))

    @ui.page("/edit", response_timeout=_PATIENCE)
    async def edit(file: str = "", card: str = "", line: int = 0) -> None:
        await show_editor(studio, file, card, line)

    @ui.page("/rules", response_timeout=_PATIENCE)
    async def rules(card: str = "") -> None:
        await (show_rules(studio, card) if studio.has_project else show_missing_project(studio, "rules"))


def _add_project_pages(studio: Studio) -> None:
    @ui.page("/print", response_timeout=_PATIENCE)
    async def sheets(part: str = "sheets") -> None:
        await (show_print(studio, part) if studio.has_project else show_missing_project(studio, "print"))

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
