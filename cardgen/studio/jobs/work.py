"""Work of a job, in the job's process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.studio.jobs.job_request import (
    BUILD,
    EXPORT,
    PREVIEW,
    RANGES,
    JobFailure,
    JobFile,
    JobProgress,
    JobReport,
    JobRequest,
    JobResult,
)
from cardgen.studio.page_words import page_words

if TYPE_CHECKING:
    from cardgen.pipeline.options import BuildRequest, ProgressCallback
    from cardgen.runtime.child_process import ParentChannel

# Jobs give way to the processes that follow the author's keys.
_NICENESS = 10
# A PDF that is larger is not shown.
MOST_BYTES = 512 << 20
# Options of a build that do not change its files.
_MEANS = ("cache", "jobs", "cluster", "folder")


def run(channel: ParentChannel, request: JobRequest) -> None:
    """Do the work of a request, and report progress and the end; ends when nobody listens any more."""
    _prepare_process(request)
    with suppress(KeyboardInterrupt, OSError):  # cancelled, or nobody listens
        channel.send(outcome(request, channel.send))


def _prepare_process(request: JobRequest) -> None:
    """Make the process stop cleanly when it is told to; Ctrl-C is for the studio."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.chdir(request.root)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def outcome(request: JobRequest, report: Callable[[JobReport], None]) -> JobResult | JobFailure:
    """Do the work of a request in the folder of its project, and return its end."""
    from cardgen.runtime import activity_log

    activity_log.start(report)

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
    from cardgen.pipeline.build import builder
    from cardgen.pipeline.cache.build_manifest import BuildManifest

    asked = build_request(request)
    options = {name: value for name, value in asked._asdict().items() if name not in _MEANS}
    manifest = BuildManifest(options, asked.paths, asked.output)
    result = manifest.unchanged_result() or builder.build(asked, on_progress, manifest)
    problems = tuple(page_words(problem) for card in result.skipped for problem in card.problems)
    removed = tuple(path.as_posix() for path in result.removed)
    return JobResult(_files(result.files), removed, result.summary, problems)


def preview(request: JobRequest, on_progress: ProgressCallback) -> JobResult:
    """Build the sheets of a project into a folder for their pictures."""
    from cardgen.pipeline.build import builder

    result = builder.build(build_request(request), on_progress)
    problems = tuple(page_words(problem) for card in result.skipped for problem in card.problems)
    return JobResult(_files(result.files), (), result.summary, problems)


def export(request: JobRequest, on_progress: ProgressCallback) -> JobResult:
    """Export cards to a target, all files or none."""
    from cardgen.target.registry import TARGETS
    from cardgen.target.run import ExportRequest
    from cardgen.target.run import export as export_cards

    own = {option.name for target in TARGETS.values() for option in target.options} | {"dpi"}
    given = {name: value for name, value in request.options.items() if name in own and name != "upload"}
    asked = build_request(request, without=own)
    result = export_cards(ExportRequest(request.target, asked, _in_project(given)), on_progress)
    counts = {"cards": result.cards, "copies": result.copies, **result.outcome.counts}
    summary = ", ".join(f"{number} {noun}" for noun, number in counts.items() if number)
    removed = tuple(path.as_posix() for path in result.removed)
    notes = tuple(map(page_words, result.outcome.notes))
    return JobResult(_files(result.files), removed, summary, notes, page_words(result.outcome.next_step))


def build_request(request: JobRequest, without: Iterable[str] = ()) -> BuildRequest:
    """Return the request of a build with the options of a form.

    Raises CardgenError for a file outside the project, and for options that cannot be combined.
    """
    from cardgen.pipeline.options import BuildRequest

    _check_numbers(request.options)
    names = {*BuildRequest._fields} - {"output", *without}
    options = {name: value for name, value in request.options.items() if name in names}
    for name in ("paths", "formats", "only"):
        if name in options:
            options[name] = tuple(options[name])
    options = _in_project(options)
    if options.get("kit") and options.get("warband"):
        message = "a warband already has everything that it needs"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--kit"), "turn off one of the two options"))
    if "paths" in options:
        options["paths"] = tuple(Path(_inside(path)) for path in options["paths"])
    return BuildRequest(**options, output=Path(request.output))


def _check_numbers(options: Mapping[str, Any]) -> None:
    """Raise CardgenError for numbers out of their range, which browsers can send all the same."""
    for name, (least, most) in RANGES.items():
        if name in options and not least <= options[name] <= most:
            message = f"--{name} is a whole number from {least} to {most}"
            raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place(f"--{name}")))


def _in_project(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options whose files are in the project. Raises CardgenError for others."""
    return {name: _inside(value) if name == "profile" and value else value for name, value in options.items()}


def _inside(text: str) -> str:
    from cardgen.project.confinement import resolve_inside

    try:
        return resolve_inside(Path.cwd(), text, Path.cwd()).relative_to(Path.cwd().resolve()).as_posix()
    except ValueError as error:
        raise CardgenError(Diagnostic(Code.BAD_OPTION, str(error), Place("--profile"))) from None


def _files(paths: Iterable[Path]) -> tuple[JobFile, ...]:
    return tuple(JobFile(path.as_posix(), path.stat().st_size, _pages(path)) for path in paths)


def _pages(path: Path) -> int:
    if path.suffix != ".pdf":
        return 0
    from cardgen.export.png import count_pages
    from cardgen.runtime import regular_file

    return count_pages(regular_file.read(path, MOST_BYTES))
