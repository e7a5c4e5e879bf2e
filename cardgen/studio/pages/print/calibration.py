"""Calibration of a printer, step by step."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.jobs.job_data import file_address
from cardgen.studio.page_words import explain
from cardgen.studio.pages.shared.elements import button_row, error_bar, plain_button, title
from cardgen.studio.pages.shared.option_form import OptionForm, Values
from cardgen.studio.studio import Studio


async def show_calibration(studio: Studio) -> None:
    """Show the steps, and the printers that are calibrated."""
    view = CalibrationView(studio)
    try:
        view.show_forms(
            await studio.drawing.call("printers.form", priority=URGENT),
            await studio.drawing.call("printers.reading_form", priority=URGENT),
        )
        await view.show_profiles()
    except (CardgenError, ProcessError) as error:
        view.show_fault(error)


class CalibrationView:
    """The steps in one window."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        title("Calibrate a printer")
        self._fault = error_bar().mark("calibration-problem")
        with ui.element("ol").classes("steps"):
            with _step("Say which printer, and write its sheet"):
                self._printer = OptionForm("Printer and paper", self._printer_changed)
                with button_row():
                    plain_button("Write the sheet", self._write_sheet, "primary").mark("write-sheet")
                self._sheet = ui.element("p")
            with _step("Print it on both sides at 100 %, and hold it up to the light"):
                text = "Hold it with the printed instructions facing you. Turn off all scaling in the print dialog."
                ui.label(text).classes("option-help")
            with _step("Read the scales and rulers, in mm"):
                self._readings = OptionForm("Readings")
                with button_row():
                    plain_button("Store the readings", self._store, "primary").mark("store")
                self._stored = ui.label().props('role="status"').mark("stored")
            with _step("Print a proof: all scales should read 0"):
                with button_row():
                    plain_button("Write the proof", self._write_proof).mark("write-proof")
                self._proof = ui.element("p")
        with ui.element("section").classes("profiles").props('aria-label="Calibrated printers"'):
            title("Calibrated printers", 2)
            self._profiles = ui.element("ul").mark("profiles")
        self._fault.set_visibility(False)

    def show_forms(self, printer: Any, readings: Any) -> None:
        """Show the fields of the steps."""
        self._printer.show(printer)
        self._readings.show(readings)

    def show_fault(self, error: Exception) -> None:
        """Show why a step failed."""
        self._fault.text = explain(error)
        self._fault.set_visibility(True)

    async def show_profiles(self) -> None:
        """List the printers that are calibrated."""
        rows = await self._studio.drawing.call("printers.profiles", priority=URGENT)
        self._profiles.clear()
        with self._profiles:
            for printer, tray, paper, figures in rows:
                name = printer if tray == "default" else f"{printer}/{tray}"
                with ui.element("li"):
                    ui.label(f"{name}, {paper.upper()}: {figures}")
            if not rows:
                with ui.element("li"):
                    ui.label("No printer has been calibrated.")

    def _printer_changed(self, _: Values) -> None:
        self._stored.text = ""
        self._sheet.clear()
        self._proof.clear()

    async def _call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Return an answer of the engine, or None after showing why there is none."""
        self._fault.set_visibility(False)
        try:
            return await self._studio.drawing.call(name, *arguments, priority=URGENT, **keywords)
        except (CardgenError, ProcessError) as error:
            self.show_fault(error)
            return None

    async def _write_sheet(self) -> None:
        self._link(self._sheet, await self._call("printers.write_sheet", self._printer.values))

    async def _write_proof(self) -> None:
        self._link(self._proof, await self._call("printers.write_sheet", self._printer.values, proof=True))

    def _link(self, place: ui.element, path: str | None) -> None:
        place.clear()
        if path:
            with place:
                ui.link(f"Open {path}", file_address(path), new_tab=True)

    async def _store(self) -> None:
        stored = await self._call("printers.store", self._printer.values, self._readings.values)
        if stored:
            self._stored.text = f"{stored.title}: {stored.figures}; saved in {stored.file}"
            await self.show_profiles()


def _step(title: str) -> ui.element:
    step = ui.element("li")
    with step:
        ui.label(title).classes("step-title").props('role="heading" aria-level="2"')
    return step
