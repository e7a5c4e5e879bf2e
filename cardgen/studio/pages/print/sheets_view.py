"""Sheets as they will lie on paper, with the options of builds."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.element import Element

from cardgen.studio.jobs.job import Job, JobState
from cardgen.studio.jobs.job_data import OUTPUT, sheet_documents
from cardgen.studio.jobs.job_request import BUILD, PREVIEW, JobRequest, build_options
from cardgen.studio.pages.print.job_board import JobsOfPage
from cardgen.studio.pages.shared.elements import button_row, details, error_bar, plain_button, show_data, title
from cardgen.studio.pages.shared.option_form import OptionForm
from cardgen.studio.pages.shared.window import listen
from cardgen.studio.studio import Studio


class _SheetPages(Element, component="sheet_view.js"):  # type: ignore[call-arg]
    """Pages of sheets."""


class SheetsView:
    """Sheets as they will lie on paper, and the files of a build."""

    def __init__(self, studio: Studio, form: Any) -> None:
        self._studio = studio
        self._preview: Job | None = None
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("print-form").props('aria-label="Options"'):
                title("Print")
                self._cards = OptionForm("Cards", lambda _: self.preview())
                self._paper = OptionForm("Paper and layout", lambda _: self.preview())
                with details("More options"):
                    self._rare = OptionForm("More options", lambda _: self.preview())
                with button_row():
                    plain_button("Build", self._build, "primary").mark("build")
            with ui.element("div").classes("print-sheets"):
                self._fault = error_bar().mark("print-problem")
                self._sheets = _SheetPages()
                self._state = ui.label().classes("card-state").props('role="status"').mark("print-state")
                JobsOfPage(studio, self._show_preview)
        self._fault.set_visibility(False)
        self._sheets._props.update(documents=[], busy=False, message="")
        self._cards.show(form.cards)
        self._paper.show(form.paper)
        self._rare.show(form.rare)
        listen(studio.on_change, self._files_changed)
        ui.context.client.on_delete(self._drop)

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
