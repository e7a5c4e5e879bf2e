"""Jobs: builds, exports, and other long work that the studio runs, lists, and cancels."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.options import OPTIONS, SKIP, WORDS, content_of, mistakes
from cardgen.project.files import resolve_visible
from cardgen.runtime.child_process import ENDED, ChildProcess
from cardgen.studio.page_words import page_words
from cardgen.units import file_size

if TYPE_CHECKING:
    from cardgen.print.build_manifest import SkippedCard
    from cardgen.print.request import BuildRequest, ProgressCallback
    from cardgen.runtime.child_process import ParentChannel


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
                if self.state is JobState.RUNNING:
                    self.state = JobState.CANCELLED if self._was_cancelled else JobState.FAILED
                    self.problems = () if self._was_cancelled else ("the process of this job ended",)
                self.end.set()
        for listener in tuple(self.on_change):
            listener()


OUTPUT = "output"
# Files of a folder to list by name.
_MOST_FILES = 12


def job_data(job: Job) -> dict[str, Any]:
    """Return what the browser shows of a job."""
    return {
        "number": job.number,
        "title": job.title,
        "state": str(job.state),
        "done": job.progress.done,
        "total": job.progress.total,
        "what": job.progress.what,
        "summary": job.result.summary,
        "problems": list(job.problems),
        "notes": [*job.result.notes, *(f"removed {path}" for path in job.result.removed)],
        "next": job.result.next_step,
        "folders": list(_folders(job.result.files)),
        "log": list(job.log),
    }


def output_path(root: Path, path: str) -> Path | None:
    """Return the file of a path in the output folder of a project, or None if there is none, or it is hidden."""
    try:
        resolve_visible(root, f"{OUTPUT}/{path}")  # the folder may be a link, such as one to '.git'
        file = resolve_visible(root / OUTPUT, path)
        return file if file.is_file() else None
    except (OSError, ValueError):  # such as a name that is too long
        return None


def file_address(path: str) -> str:
    """Return the address of a file in the output folder."""
    return "/" + quote(path)


def _folders(files: Iterable[JobFile]) -> Iterable[dict[str, Any]]:
    by_folder: dict[str, list[JobFile]] = {}
    for file in files:
        by_folder.setdefault(str(PurePosixPath(file.path).parent), []).append(file)
    for folder, every in by_folder.items():
        size = file_size(sum(file.size for file in every))
        yield {
            "name": folder,
            "count": len(every),
            "size": size,
            "files": [_file(each) for each in every[:_MOST_FILES]],
        }


def _file(file: JobFile) -> dict[str, Any]:
    name = PurePosixPath(file.path).name
    return {"name": name, "address": file_address(file.path), "size": file_size(file.size), "pages": file.pages}


def sheet_documents(job: Job) -> list[dict[str, Any]]:
    """Return the documents of a preview as they are printed, with the addresses of their pages."""
    files, pages = job.result.files, f"/sheet/{job.number}/"
    return [
        {"name": PurePosixPath(each.path).stem, "pages": each.pages, "address": f"{pages}{files.index(each)}"}
        for each in printed_files(job)
    ]


def printed_files(job: Job) -> list[JobFile]:
    """Return the documents of a preview, the one with the most different cards first."""
    return sorted((file for file in job.result.files if file.pages), key=lambda file: -file.variety)


def sheets_file(job: Job) -> Path:
    """Return the file of all sheets of a preview, once they are joined."""
    return Path(job.request.output) / "sheets-to-print.pdf"


def sheets_address(job: Job) -> str:
    """Return the address of that file."""
    return f"/sheets/{job.number}.pdf"


# What a job does: write files of a build or an export, or show the sheets of a build without writing to the project.
BUILD, PREVIEW, EXPORT = "build", "preview", "export"


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A job for the project in `root`: its options by the names of the command line, and the folder for its files.

    `target` is that of an export.
    """

    sort: str
    root: str
    output: str
    options: Mapping[str, Any] = field(default_factory=dict)
    target: str = ""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Steps that are complete, and the name of the latest."""

    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True)
class JobFile:
    """A file of a job; `pages` is 0 unless it is a PDF, and `variety` counts the different cards with rules on it."""

    path: str
    size: int
    pages: int = 0
    variety: int = 0


@dataclass(frozen=True, slots=True)
class JobResult:
    """The files of a job, and what the command line would print about them."""

    files: tuple[JobFile, ...] = ()
    removed: tuple[str, ...] = ()
    summary: str = ""
    notes: tuple[str, ...] = ()
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a job wrote nothing: one text for each problem, with its place and what to do."""

    problems: tuple[str, ...]


JobReport = str | JobProgress | JobResult | JobFailure


# Jobs give way to the processes that follow the author's keys; previews are what the author waits for.
_NICENESS = 10
# A PDF that is larger is not shown.
MOST_BYTES = 512 << 20


def run(channel: ParentChannel, request: JobRequest) -> None:
    """Do the work of a request, and report progress and the end; ends when nobody listens any more."""
    # Stop the process cleanly on SIGTERM; Ctrl-C is for the studio.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A preview is dropped with its folder, so it may end at once; an exception inside of a library would be printed.
    signal.signal(signal.SIGTERM, signal.SIG_DFL if request.sort == PREVIEW else signal.default_int_handler)
    os.chdir(request.root)
    if hasattr(os, "nice") and request.sort != PREVIEW:
        os.nice(_NICENESS)
    with suppress(KeyboardInterrupt, OSError):  # cancelled, or nobody listens
        channel.send(outcome(request, channel.send))


def outcome(request: JobRequest, report: Callable[[JobReport], None]) -> JobResult | JobFailure:
    """Do the work of a request in the folder of its project, and return its end."""
    from cardgen.diagnostic import start_log

    start_log(report)

    def progress(done: int, total: int, what: str) -> None:
        report(JobProgress(done, total, what))

    try:
        return {BUILD: build, PREVIEW: preview, EXPORT: export}[request.sort](request, progress)
    except CardgenError as error:
        return JobFailure(tuple(_problem(each) for each in error.diagnostics))


def _problem(diagnostic: Diagnostic) -> str:
    """Return a problem with its place, unless that is an option of the command line, and its help."""
    place = "" if diagnostic.place.file.startswith("--") else f"{diagnostic.place}: "
    return page_words(f"{place}{diagnostic.message}" + (f" ({diagnostic.help})" if diagnostic.help else ""))


def build(request: JobRequest, on_progress: ProgressCallback) -> JobResult:
    """Build the files of a project, or none; nothing is done if nothing has changed."""
    from cardgen.builds import builder
    from cardgen.print.build_manifest import BuildManifest

    asked = build_request(request)
    manifest = BuildManifest(content_of(asked), asked.paths, asked.output)
    result = manifest.unchanged_result() or builder.build(asked, on_progress, manifest)
    removed = tuple(path.as_posix() for path in result.removed)
    return JobResult(_files(result.files), removed, result.summary, _left_out(result.skipped))


def preview(request: JobRequest, on_progress: ProgressCallback) -> JobResult:
    """Build the sheets of a project into a folder for their pictures."""
    from cardgen.builds import builder

    result = builder.build(build_request(request), on_progress)
    return JobResult(_files(result.files, result.variety), (), result.summary, _left_out(result.skipped))


def _left_out(cards: Iterable[SkippedCard]) -> tuple[str, ...]:
    """Return the problems of the cards that are not printed, each with the names of the cards."""
    from cardgen.print.build_manifest import problem_lines

    return tuple(
        f"{', '.join(names)}: {page_words(problem)}" if all(names) else page_words(problem)
        for names, problem in problem_lines(cards)
    )


def export(request: JobRequest, on_progress: ProgressCallback) -> JobResult:
    """Export cards to a target, all files or none."""
    from cardgen.target.job import ExportRequest
    from cardgen.target.proof import export_proved
    from cardgen.target.registry import TARGETS

    own = {option.name for target in TARGETS.values() for option in target.options}
    own |= {name for name, option in OPTIONS.items() if option.of_profile}
    given = {name: value for name, value in request.options.items() if name in own and name != "upload"}
    asked = build_request(request, without=own)
    result = export_proved(ExportRequest(request.target, asked, _in_project(given)), on_progress)
    counts = {"cards": result.cards, "copies": result.copies, **result.outcome.counts}
    summary = ", ".join(f"{number} {noun}" for noun, number in counts.items() if number)
    removed = tuple(path.as_posix() for path in result.removed)
    notes = (*_left_out(result.skipped), *map(page_words, result.outcome.notes))
    return JobResult(_files(result.files), removed, summary, notes, page_words(result.outcome.next_step))


def build_request(request: JobRequest, without: Iterable[str] = ()) -> BuildRequest:
    """Return the request of a build with the options of a form.

    Raises CardgenError for a file outside the project, and for options that cannot be combined.
    """
    from cardgen.print.request import BuildRequest

    for name, option in OPTIONS.items():
        if option.limits and name in request.options:
            low, high = option.limits
            if not low <= request.options[name] <= high:  # which browsers can send all the same
                message = f"{option.flag} is a whole number from {low} to {high}"
                raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place(option.flag)))
    names = {*BuildRequest._fields} - {"output", *without}
    options = {name: value for name, value in request.options.items() if name in names}
    for name in options.keys() & {"paths", *(name for name, option in OPTIONS.items() if option.sort == WORDS)}:
        options[name] = tuple(options[name])
    options = _in_project(options)
    for name, message, advice in mistakes(options, lambda name: OPTIONS[name].flag):
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place(OPTIONS[name].flag), advice))
    if "paths" in options:
        options["paths"] = tuple(Path(_inside(path)) for path in options["paths"])
    return BuildRequest(**{"keep_going": SKIP, **options}, output=Path(request.output))


def _in_project(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options whose files are in the project. Raises CardgenError for others."""
    return {name: _inside(value) if name == "profile" and value else value for name, value in options.items()}


def _inside(text: str) -> str:
    from cardgen.project.files import resolve_inside

    try:
        return resolve_inside(Path.cwd(), text, Path.cwd()).relative_to(Path.cwd().resolve()).as_posix()
    except ValueError as error:
        raise CardgenError(Diagnostic(Code.BAD_OPTION, str(error), Place("--profile"))) from None


def _files(paths: Iterable[Path], variety: Mapping[Path, int] = MappingProxyType({})) -> tuple[JobFile, ...]:
    return tuple(JobFile(path.as_posix(), path.stat().st_size, _pages(path), variety.get(path, 0)) for path in paths)


def _pages(path: Path) -> int:
    if path.suffix != ".pdf":
        return 0
    from cardgen.export.svg import count_pages
    from cardgen.runtime import regular_file

    return count_pages(regular_file.read(path, MOST_BYTES))


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
        ended = [each for each in self._jobs.values() if each.state is not JobState.RUNNING]
        for each in ended[: max(0, len(self._jobs) - _MOST_JOBS)]:
            self.drop(each)
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

    def _report(self) -> None:
        for listener in tuple(self.on_change):
            listener()
