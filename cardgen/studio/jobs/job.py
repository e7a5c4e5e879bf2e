"""Jobs as the studio's pages see them: their progress, log, and files."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from itertools import count

from cardgen.runtime.child_process import ENDED, ChildProcess
from cardgen.studio.jobs.job_request import JobFailure, JobProgress, JobReport, JobRequest, JobResult
from cardgen.studio.jobs.work import run

# Lines of the log to keep.
_MOST_LINES = 500
# Seconds in which a job must stop cleanly before it is killed.
_PATIENCE = 5.0
_NUMBERS = count(1)


class JobState(StrEnum):
    """How far a job is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job:
    """A job in a process of its own, which starts at once.

    Listeners are called on the event loop of the job after each change.
    """

    def __init__(self, title: str, request: JobRequest) -> None:
        self.title, self.request = title, request
        self.number = next(_NUMBERS)
        self.state = JobState.RUNNING
        self.progress = JobProgress(0, 0, "")
        self.log: deque[str] = deque(maxlen=_MOST_LINES)
        self.result = JobResult()
        self.problems: tuple[str, ...] = ()
        self.on_change: set[Callable[[], None]] = set()
        self.end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._was_cancelled = False
        self._process = ChildProcess(run, request)
        self._process.begin()
        threading.Thread(target=self._listen, name=f"job {self.number}", daemon=True).start()

    def cancel(self) -> None:
        """Stop the work; files that are not complete are removed."""
        if self.state is JobState.RUNNING:
            self._was_cancelled = True
            self._process.terminate()

    def close(self) -> None:
        """Stop the work, and wait until it has."""
        self.cancel()
        self._process.join(_PATIENCE)
        self._process.kill()

    def _listen(self) -> None:
        """Pass on the reports of the process until it ends."""
        while (report := self._process.receive()) is not ENDED:
            self._tell(report)
        self._process.close()
        self._tell(None)

    def _tell(self, report: JobReport | None) -> None:
        with suppress(RuntimeError):  # the studio is closed
            self._loop.call_soon_threadsafe(self._take, report)

    def _take(self, report: JobReport | None) -> None:
        match report:
            case str():
                self.log.append(report)
            case JobProgress():
                self.progress = report
            case JobResult():
                self.state, self.result = JobState.DONE, report
            case JobFailure():
                self.state, self.problems = JobState.FAILED, report.problems
            case None:
                self._finish()
        for listener in tuple(self.on_change):
            listener()

    def _finish(self) -> None:
        if self.state is JobState.RUNNING:
            self.state = JobState.CANCELLED if self._was_cancelled else JobState.FAILED
            self.problems = () if self._was_cancelled else ("the process of this job ended",)
        self.end.set()
