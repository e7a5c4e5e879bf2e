"""The jobs of the studio, and the folder for pictures of sheets that are in no project."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from cardgen.studio.jobs.job import Job, JobState
from cardgen.studio.jobs.job_request import PREVIEW, JobRequest

# Jobs to list; the sheets of older previews are removed.
_MOST_JOBS = 20


class JobList:
    """Jobs of all windows, the latest first; previews are not listed, but can be found by their number."""

    def __init__(self) -> None:
        self.on_change: set[Callable[[], None]] = set()
        self._jobs: dict[int, Job] = {}
        self._folder: Path | None = None

    @property
    def listed(self) -> tuple[Job, ...]:
        """The builds and exports, the latest first."""
        return tuple(job for job in reversed(self._jobs.values()) if job.request.sort != PREVIEW)

    def find(self, number: int) -> Job | None:
        """Return a job by its number."""
        return self._jobs.get(number)

    def start(self, title: str, request: JobRequest) -> Job:
        """Start a job."""
        job = Job(title, request)
        self._jobs[job.number] = job
        job.on_change.add(self._report)
        self._forget_oldest()
        self._report()
        return job

    def preview_folder(self) -> Path:
        """Return a new folder for the sheets of a preview, which the studio removes."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="cardgen-studio-")).resolve()
        return Path(tempfile.mkdtemp(dir=self._folder))

    def drop(self, job: Job) -> None:
        """Cancel a preview, and remove its sheets."""
        job.cancel()
        self._jobs.pop(job.number, None)
        if job.request.sort == PREVIEW:
            shutil.rmtree(job.request.output, ignore_errors=True)

    def close(self) -> None:
        """Cancel all jobs, and remove all sheets of previews."""
        for job in self._jobs.values():
            job.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _forget_oldest(self) -> None:
        ended = [job for job in self._jobs.values() if job.state is not JobState.RUNNING]
        for job in ended[: max(0, len(self._jobs) - _MOST_JOBS)]:
            self.drop(job)

    def _report(self) -> None:
        for listener in tuple(self.on_change):
            listener()
