"""The board of builds and exports, with their progress and files."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui
from nicegui.element import Element

from cardgen.studio.jobs.job_data import job_data
from cardgen.studio.pages.shared.elements import show_data
from cardgen.studio.pages.shared.window import listen
from cardgen.studio.studio import Studio

# Seconds between updates of progress.
_BEAT = 0.25


class _JobBoard(Element, component="job_board.js"):  # type: ignore[call-arg]
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
