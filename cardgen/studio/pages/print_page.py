"""The view in which cards are printed: sheets, exports, calibration of printers, and the files that result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.element import Element
from starlette.responses import FileResponse, PlainTextResponse, Response

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.studio.job import (
    BUILD,
    EXPORT,
    OUTPUT,
    PREVIEW,
    Job,
    JobRequest,
    JobState,
    file_address,
    job_data,
    output_path,
    sheet_documents,
    sheets_address,
    sheets_file,
)
from cardgen.studio.page_words import CHOICE, FieldChoice, OptionField, explain, read_values
from cardgen.studio.pages.elements import (
    OptionForm,
    Values,
    button_row,
    details,
    error_bar,
    faults_told,
    plain_button,
    show_data,
    title,
)
from cardgen.studio.pages.window import add_styles, connected_window, listen, page_frame, view_link
from cardgen.studio.studio import Studio
from cardgen.target.output import part_folder

_PARTS = {"sheets": "Sheets", "export": "Export", "calibrate": "Calibrate a printer"}


async def show_print(studio: Studio, part: str, only: Sequence[str] = ()) -> None:
    """Show one part of the view; `only` are the ids of cards to begin with."""
    await studio.ready.wait()
    part = part if part in _PARTS else "sheets"
    with page_frame(studio, "print"):
        add_styles("print")
        with ui.element("nav").classes("parts").props('aria-label="Print"'):
            for name, text in _PARTS.items():
                view_link(text, f"/print?part={name}", is_current=name == part)
        if part == "calibrate":
            await CalibrationView(studio).show()
            return
        try:
            form: Any = await studio.drawing.call("sheets.form", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            error_bar(explain(error))
            return
        view = SheetsView(studio, form, only) if part == "sheets" else ExportView(studio, form, only)
    if isinstance(view, SheetsView):
        async with connected_window():
            view.preview()


class CalibrationView:
    """The steps in one window."""

    _sheet: ui.element
    _proof: ui.element

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        title("Calibrate a printer")
        self._fault = error_bar().mark("calibration-problem")
        with ui.element("ol").classes("steps"):
            with _step("Say which printer, and write its sheet"):
                self._printer = OptionForm("Printer and paper", self._printer_changed)
                with button_row():
                    write = plain_button("Write the sheet", lambda: self._write(self._sheet, proof=False), "primary")
                    write.mark("write-sheet")
                self._sheet = ui.element("p")
            with _step("Print it on both sides at 100%, and hold it up to the light"):
                text = "Hold it with the printed instructions facing you. Turn off all scaling in the print dialog."
                ui.label(text).classes("option-help")
            with _step("Read the scales and rulers, in mm"):
                self._readings = OptionForm("Readings")
                with button_row():
                    plain_button("Store the readings", self._store, "primary").mark("store")
                self._stored = ui.label().props('role="status"').mark("stored")
            with _step("Print a proof: all scales should read 0"):
                with button_row():
                    plain_button("Write the proof", lambda: self._write(self._proof, proof=True)).mark("write-proof")
                self._proof = ui.element("p")
        with ui.element("section").classes("profiles").props('aria-label="Calibrated printers"'):
            title("Calibrated printers", 2)
            self._profiles = ui.element("ul").mark("profiles")

    async def show(self) -> None:
        """Show the fields of the steps, and the printers that are calibrated."""
        if printer := await self._call("printers.form"):
            self._printer.show(printer)
            self._readings.show(await self._call("printers.reading_form") or ())
            await self._show_profiles()

    async def _show_profiles(self) -> None:
        rows = await self._call("printers.profiles")
        if rows is None:
            return
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
        with faults_told(self._fault):
            return await self._studio.drawing.call(name, *arguments, priority=URGENT, **keywords)

    async def _write(self, place: ui.element, *, proof: bool) -> None:
        path = await self._call("printers.write_sheet", self._printer.values, proof=proof)
        place.clear()
        if path:
            with place:
                ui.link(f"Open {path}", file_address(path), new_tab=True)

    async def _store(self) -> None:
        stored = await self._call("printers.store", self._printer.values, self._readings.values)
        if stored:
            self._stored.text = f"{stored.title}: {stored.figures}; saved in {stored.file}"
            await self._show_profiles()


def _step(title: str) -> ui.element:
    step = ui.element("li")
    with step:
        ui.label(title).classes("step-title").props('role="heading" aria-level="2"')
    return step


# Seconds between updates of progress.
_BEAT = 0.25


class _JobBoard(Element, component="web/job_board.js"):  # type: ignore[call-arg]
    """Builds and exports with their files."""


class JobsOfPage:
    """The board with the jobs of all windows on a page."""

    def __init__(self, studio: Studio, on_change: Callable[[], None] = lambda: None) -> None:
        self._studio, self._on_change = studio, on_change
        self._is_stale = True
        self._board = _JobBoard()
        self._board.on("cancel", lambda event: self._cancel(event.args))
        self._board._props.update(jobs=[])
        listen(studio.jobs.on_change, self._mark)
        ui.timer(_BEAT, self._show)

    def _mark(self) -> None:
        self._is_stale = True

    def _show(self) -> None:
        if self._is_stale:
            self._is_stale = False
            show_data(self._board, jobs=[job_data(job) for job in self._studio.jobs.listed])
            self._on_change()

    def _cancel(self, number: object) -> None:
        job = self._studio.jobs.find(number) if isinstance(number, int) else None
        if job:
            job.cancel()


class _SheetPages(Element, component="web/sheet_view.js"):  # type: ignore[call-arg]
    """Pages of sheets."""


class SheetsView:
    """Sheets as they will lie on paper, and the files of a build."""

    def __init__(self, studio: Studio, form: Any, only: Sequence[str] = ()) -> None:
        self._studio, self._form = studio, form
        self._preview: Job | None = None
        self._offered: Job | None = None
        self._laid_out: Values = {}
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("print-form").props('aria-label="Options"'):
                title("Print")
                with button_row().classes("print-buttons"):
                    plain_button("Build", self._build).mark("build")
                    self._print = ui.link("Print", "", new_tab=True).classes("studio-button primary")
                    self._print.on("click", self._keep_choice)
                self._advice = ui.label().classes("option-help").props('role="status"')
                self._chosen = ui.label().classes("option-help").props('role="status"').mark("chosen")
                JobsOfPage(studio, self._show_preview)
                with details("Settings"):
                    self._cards = OptionForm("Cards", self._options_changed)
                    self._paper = OptionForm("Paper and layout", self._options_changed)
                    with details("More options"):
                        self._rare = OptionForm("More options", self._options_changed)
            with ui.element("div").classes("print-sheets"):
                self._fault = error_bar().mark("print-problem")
                self._sheets = _SheetPages()
                self._state = ui.label().classes("card-state").props('role="status"').mark("print-state")
        self._sheets._props.update(documents=[], busy=False, message="")
        values = studio.print_choices.options(form, {"only": only})
        self._cards.show(form.cards, values=values)
        self._paper.show(form.paper, values=values)
        self._rare.show(form.rare, values=values)
        listen(studio.on_change, lambda _: self.preview())
        ui.context.client.on_delete(self._drop)

    @property
    def _options(self) -> dict[str, Any]:
        return {**self._cards.values, **self._paper.values, **self._rare.values}

    def _options_changed(self, _: Values) -> None:
        """Lay out the sheets anew; a field that loses the focus sends its value again, also when *Print* is pressed."""
        if self._options != self._laid_out:
            self.preview()

    def preview(self) -> None:
        """Lay out the sheets anew; those of before stay until then."""
        self._drop()
        folder = self._studio.jobs.preview_folder()
        self._laid_out = self._options
        fields = (*self._form.cards, *self._form.paper, *self._form.rare)
        values = read_values(fields, self._laid_out)
        chosen = [each.label for each in fields if values.get(each.name, each.is_on) is not each.is_on]
        self._chosen.text = f"Chosen in the settings: {', '.join(chosen)}." if chosen else ""
        options = {**self._laid_out, "formats": ("pdf",)}
        request = JobRequest(PREVIEW, str(self._studio.root), str(folder), options)
        self._preview = self._studio.jobs.start("Sheets", request)
        self._fault.text = ""
        self._state.text = "Laying out …"
        self._print.set_visibility(False)
        show_data(self._sheets, busy=True)

    def _show_preview(self) -> None:
        job = self._preview
        if job is None:
            return
        if job.state is JobState.RUNNING:
            done = f" {job.progress.done} of {job.progress.total}" if job.progress.total else ""
            self._state.text = f"Laying out …{done}"
            return
        self._fault.text = "\n".join((*job.problems, *job.result.notes))
        # What the sheets do not show.
        number = len(self._studio.drafts)
        files = "1 file is" if number == 1 else f"{number} files are"
        reservation = f"· Unsaved changes of {files} not printed." if number else ""
        self._state.text = " ".join(filter(None, (job.result.summary, reservation)))
        if job.state is JobState.DONE:
            self._offer(job)
            show_data(self._sheets, documents=sheet_documents(job), busy=False, message="")
        elif job.state is JobState.FAILED:
            show_data(self._sheets, documents=[], busy=False, message="These sheets cannot be laid out.")

    def _offer(self, job: Job) -> None:
        """Offer one PDF of a preview once it is joined."""

        async def join() -> None:
            with suppress(ProcessError):
                advice = await self._studio.join_sheets(job)
                if job is self._preview:
                    self._print.props["href"] = sheets_address(job)
                    self._print.set_visibility(True)
                    self._advice.text = advice

        if job is not self._offered and sheet_documents(job):
            self._offered = job
            self._joining = asyncio.create_task(join())

    def _keep_choice(self) -> None:
        self._studio.print_choices.keep(self._form, self._options)

    def _build(self) -> None:
        self._studio.jobs.start("Build", JobRequest(BUILD, str(self._studio.root), OUTPUT, self._options))

    def _drop(self) -> None:
        if self._preview:
            self._studio.jobs.drop(self._preview)


class ExportView:
    """The form of an export, and its files."""

    def __init__(self, studio: Studio, form: Any, only: Sequence[str] = ()) -> None:
        self._studio = studio
        self._targets = {each.name: each for each in form.exports}
        self._form = form
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("print-form").props('aria-label="Options"'):
                title("Export")
                self._target = OptionForm("Program or service", self._show_target)
                self._about = ui.label().classes("option-help")
                self._own = OptionForm("Options of the target")
                self._cards = OptionForm("Cards")
                with button_row():
                    plain_button("Export", self._export, "primary").mark("export")
            with ui.element("div").classes("print-sheets"):
                JobsOfPage(studio)
        choices = tuple(FieldChoice(each.name, each.title) for each in form.exports)
        field = OptionField("target", "Target", CHOICE, choices=choices, is_required=True)
        self._target.show([field], values={"target": choices[0].value})
        self._cards.show(form.of_exports, values=read_values(form.of_exports, {"only": only}))
        self._show_target(self._target.values)

    def _show_target(self, values: Values) -> None:
        if (name := values.get("target", "")) in self._targets:
            self._about.text = self._targets[name].about
            self._own.show(self._targets[name].fields)

    def _export(self) -> None:
        name = self._target.values.get("target", "")
        if name not in self._targets:
            return
        options = {**self._cards.values, **self._own.values}
        folder = part_folder(Path(OUTPUT, name), options).as_posix()
        request = JobRequest(EXPORT, str(self._studio.root), folder, options, name)
        self._studio.jobs.start(f"Export: {self._targets[name].title}", request)


# Files that browsers show; they store all others.
_SHOWN = {".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg"}
_RESOLUTIONS = range(36, 301)
_NO_STORE = {"Cache-Control": "no-store"}


def output_file(studio: Studio, path: str) -> Response:
    """Return a file of the project's output folder, and of no other."""
    file = output_path(studio.root, path)
    if file is None:
        return _gone("this file is gone")
    kind = _SHOWN.get(file.suffix.lower())
    place = "inline" if kind else "attachment"
    names = {"filename": file.name, "content_disposition_type": place}
    return FileResponse(file, media_type=kind or "application/octet-stream", headers=_NO_STORE, **names)


def printed_sheets(studio: Studio, number: int) -> Response:
    """Return the PDF with all sheets of a preview."""
    job = studio.jobs.find(number)
    file = sheets_file(job) if job else None
    if file is None or not file.is_file():
        return _gone("these sheets are gone; print them again")
    name = f"{studio.root.name}.pdf"
    return FileResponse(
        file, media_type="application/pdf", headers=_NO_STORE, filename=name, content_disposition_type="inline"
    )


async def sheet_page(studio: Studio, number: int, document: int, page: int, dpi: int) -> Response:
    """Return a page of a preview as a picture."""
    job = studio.jobs.find(number)
    files = job.result.files if job else ()
    if not (0 <= document < len(files) and 0 <= page < files[document].pages and dpi in _RESOLUTIONS):
        return _gone("this sheet is gone")
    try:
        content = await studio.computing.call("sheets.page", files[document].path, page, dpi, priority=URGENT)
    except ProcessError as error:
        return _gone(str(error))
    return Response(content, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


def _gone(text: str) -> Response:
    return PlainTextResponse(text, 404, headers=_NO_STORE)
