"""The view in which cards are printed: sheets, exports, and the calibration of printers."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.page_words import explain
from cardgen.studio.pages.print.calibration import show_calibration
from cardgen.studio.pages.print.export_view import ExportView
from cardgen.studio.pages.print.sheets_view import SheetsView
from cardgen.studio.pages.shared.elements import error_bar
from cardgen.studio.pages.shared.frame import add_styles, page_frame, view_link
from cardgen.studio.pages.shared.window import connected_window
from cardgen.studio.studio import Studio

_PARTS = {"sheets": "Sheets", "export": "Export", "calibrate": "Calibrate a printer"}


async def show_print(studio: Studio, part: str) -> None:
    """Show one part of the view."""
    await studio.ready.wait()
    part = part if part in _PARTS else "sheets"
    with page_frame(studio, "print"):
        add_styles("print/print")
        with ui.element("nav").classes("parts").props('aria-label="Print"'):
            for name, text in _PARTS.items():
                view_link(text, f"/print?part={name}", is_current=name == part)
        if part == "calibrate":
            await show_calibration(studio)
            return
        try:
            form: Any = await studio.drawing.call("sheets.form", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            error_bar(explain(error))
            return
        view = SheetsView(studio, form) if part == "sheets" else ExportView(studio, form)
    if isinstance(view, SheetsView):
        async with connected_window():
            view.preview()
