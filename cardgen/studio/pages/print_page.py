"""The view in which cards are printed: sheets, exports, and the calibration of printers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.jobs.job import Job, JobState
from cardgen.studio.jobs.job_data import OUTPUT, job_data, sheet_documents
from cardgen.studio.jobs.job_request import BUILD, EXPORT, PREVIEW, JobRequest, build_options
from cardgen.studio.option_fields import CHOICE, FieldChoice, OptionField
from cardgen.studio.pages.calibration import show_calibration
from cardgen.studio.pages.frame import add_styles, page_frame, plain_button
from cardgen.studio.pages.widgets import JobBoard, OptionForm, SheetView, Values, show_data
from cardgen.studio.studio import Studio
from cardgen.target.output_folder import part_folder

# Seconds between updates of progress.
_BEAT = 0.25
_PARTS = {"sheets": "Sheets", "export": "Export", "calibrate": "Calibrate a printer"}


async def show_print(studio: Studio, part: str) -> None:
    """Show one part of the view."""
    await studio.ready.wait()
    part = part if part in _PARTS else "sheets"
    with page_frame(studio, "print"):
        add_styles("option_form", "print_page")
        with ui.element("nav").classes("parts").props('aria-label="Print"'):
            for name, title in _PARTS.items():
                link = ui.link(title, f"/print?part={name}").classes("studio-view")
                if name == part:
                    link.props('aria-current="page"')
        if part == "calibrate":
            await show_calibration(studio)
            return
        try:
            form = await studio.drawing.call("sheets.form", priority=URGENT)
        except (CardgenError, ProcessError) as error:
            ui.label(str(error)).classes("bar error").props('role="alert"')
            return
        view = PrintView(studio, form) if part == "sheets" else ExportView(studio, form)
    if isinstance(view, PrintView):
        client = ui.context.client
        await client.connected()
        with client:
            view.preview()


class JobsOfPage:
    """The board with the jobs of all windows on a page."""

    def __init__(self, studio: Studio, on_change: Callable[[], None] = lambda: None) -> None:
        self._studio, self._on_change = studio, on_change
        self._is_stale = True
        self._board = JobBoard()
        self._board.on("cancel", lambda event: self._cancel(event.args))
        self._board._props.update(jobs=[])
        studio.jobs.on_change.add(self._mark)
        ui.timer(_BEAT, self._show)
        ui.context.client.on_delete(lambda: studio.jobs.on_change.discard(self._mark))

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


class PrintView:
    """Sheets as they will lie on paper, and the files of a build."""

    def __init__(self, studio: Studio, form: Any) -> None:
        self._studio = studio
        self._preview: Job | None = None
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("print-form").props('aria-label="Options"'):
                ui.label("Print").classes("studio-title").props('role="heading" aria-level="1"')
                self._cards = OptionForm("Cards", lambda _: self.preview())
                self._paper = OptionForm("Paper and layout", lambda _: self.preview())
                with ui.element("details"):
                    with ui.element("summary"):
                        ui.label("More options")
                    self._rare = OptionForm("More options", lambda _: self.preview())
                with ui.element("div").classes("studio-row"):
                    plain_button("Build", self._build, "primary").mark("build")
            with ui.element("div").classes("print-sheets"):
                self._fault = ui.label().classes("bar error").props('role="alert"').mark("print-problem")
                self._sheets = SheetView()
                self._state = ui.label().classes("card-state").props('role="status"').mark("print-state")
                JobsOfPage(studio, self._show_preview)
        self._fault.set_visibility(False)
        self._sheets._props.update(documents=[], busy=False, message="")
        self._cards.show(form.cards)
        self._paper.show(form.paper)
        self._rare.show(form.rare)
        studio.on_change.add(self._files_changed)
        ui.context.client.on_delete(self._close)

    @property
    def _options(self) -> dict[str, Any]:
        return build_options({**self._cards.values, **self._paper.values, **self._rare.values})

    def preview(self) -> None:
        """Lay out the sheets anew; those of before stay until then."""
        self._drop()
        folder = self._studio.jobs.preview_folder()
        options = {**self._options, "formats": ["pdf"]}
        request = JobRequest(PREVIEW, str(self._studio.root), str(folder), options)
        self._preview = self._studio.jobs.start("Sheets", request)
        self._fault.set_visibility(False)
        self._state.text = "Laying out …"
        show_data(self._sheets, busy=True)

    def _show_preview(self) -> None:
        job = self._preview
        if job is None:
            return
        if job.state is JobState.RUNNING:
            done = f" {job.progress.done} of {job.progress.total}" if job.progress.total else ""
            self._state.text = f"Laying out …{done}"
            return
        self._fault.text = "\n".join(job.problems)
        self._fault.set_visibility(bool(job.problems))
        self._state.text = " ".join(filter(None, (job.result.summary, self._reservation)))
        if job.state is JobState.DONE:
            show_data(self._sheets, documents=sheet_documents(job), busy=False, message="")
        elif job.state is JobState.FAILED:
            show_data(self._sheets, documents=[], busy=False, message="These sheets cannot be laid out.")

    @property
    def _reservation(self) -> str:
        """What the sheets do not show."""
        number = len(self._studio.drafts)
        files = "1 file is" if number == 1 else f"{number} files are"
        return f"· Unsaved changes of {files} not printed." if number else ""

    def _build(self) -> None:
        self._studio.jobs.start("Build", JobRequest(BUILD, str(self._studio.root), OUTPUT, self._options))

    def _files_changed(self, _: tuple[str, ...]) -> None:
        self.preview()

    def _drop(self) -> None:
        if self._preview:
            self._studio.jobs.drop(self._preview)

    def _close(self) -> None:
        self._studio.on_change.discard(self._files_changed)
        self._drop()


class ExportView:
    """Exports for digital tables, print services, and cutters."""

    def __init__(self, studio: Studio, form: Any) -> None:
        self._studio = studio
        self._targets = {each.name: each for each in form.exports}
        self._form = form
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("print-form").props('aria-label="Options"'):
                ui.label("Export").classes("studio-title").props('role="heading" aria-level="1"')
                self._target = OptionForm("Program or service", self._target_changed)
                self._about = ui.label().classes("option-help")
                self._own = OptionForm("Options of the target", lambda _: None)
                self._cards = OptionForm("Cards", lambda _: None)
                with ui.element("div").classes("studio-row"):
                    plain_button("Export", self._export, "primary").mark("export")
            with ui.element("div").classes("print-sheets"):
                JobsOfPage(studio)
        choices = tuple(FieldChoice(each.name, each.title) for each in form.exports)
        field = OptionField("target", "Target", CHOICE, choices=choices, is_required=True)
        self._target.show([field], values={"target": choices[0].value})
        themes = [each for each in form.paper if each.name in ("theme", "no_backs")]
        self._cards.show((*form.cards, *themes, *(each for each in form.rare if each.name == "changed_since")))
        self._show_target(choices[0].value)

    def _target_changed(self, values: Values) -> None:
        self._show_target(values.get("target", ""))

    def _show_target(self, name: str) -> None:
        if name in self._targets:
            self._about.text = self._targets[name].about
            self._own.show(self._targets[name].fields)

    def _export(self) -> None:
        name = self._target.values.get("target", "")
        if name not in self._targets:
            return
        options = build_options({**self._cards.values, **self._own.values})
        folder = part_folder(Path(OUTPUT, name), options).as_posix()
        request = JobRequest(EXPORT, str(self._studio.root), folder, options, name)
        self._studio.jobs.start(f"Export: {self._targets[name].title}", request)
