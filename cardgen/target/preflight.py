"""Preflight of files for a print service: a PDF, a folder, or what a target has exported."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words
from cardgen.export.page_objects import UnreadableFileError
from cardgen.export.preflight import (
    PICTURE_SUFFIXES,
    Finding,
    Report,
    Requirements,
    picture_findings,
    preflight_document,
)
from cardgen.export.proof import Prover, compare
from cardgen.project.files import require_named_inside
from cardgen.project.project import Project
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import walk
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError, free_memory
from cardgen.runtime.processes import can_fork
from cardgen.runtime.regular_file import is_inside
from cardgen.runtime.workspace import Workspace
from cardgen.target import profile
from cardgen.target.print.pieces import PrintProfile
from cardgen.target.print.tgc import TgcProfile

MOST_FILES = 5_000
# What a proof finds that spoils pieces, whatever they are printed on.
OF_PIECES = frozenset({"back", "mark", "missing", "position", "trim"})


def preflight(
    subject: str, service: str | None = None, output: Path | None = None, workspace: Workspace | None = None
) -> tuple[Report, str]:
    """Measure a file or folder, or the output of a target; return the report and the title of the service.

    `service` is the name of a profile; for a target's output, it is the target. Raises CardgenError for an unknown
    service, a missing service, and files that cannot be read.
    """
    project = Project.open(workspace)
    files = profile.profile_files(project)
    path = Path(subject)
    if subject in files:
        service = service or subject
        if not path.exists():
            path = output or Path("output") / subject
    if service is None:
        advice = f"add --service with one of {join_words(files)}"
        raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, "which service is the file for?", Place(subject), advice))
    if service not in files:
        message = f"unknown service '{service}'{did_you_mean(service, files)}"
        raise CardgenError(Diagnostic(Code.BAD_SERVICE, message, Place("--service"), f"use {join_words(files)}"))
    needs = _requirements(profile.load_profile(files[service]), service)
    if subject in files and not path.exists():
        message = f"nothing has been exported for {subject} yet: the folder does not exist"
        advice = f"run 'cardgen export {subject}' first; to measure a selection, pass its folder with -o"
        raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(path.as_posix()), advice))
    require_named_inside(project.root, path, project.display_path(path))
    return _measure(path, needs), needs.title


def _requirements(service: Any, name: str) -> Requirements:
    if not isinstance(service, PrintProfile):
        message = f"'{name}' is not a print service, so there is nothing to measure"
        raise CardgenError(
            Diagnostic(Code.BAD_PREFLIGHT, message, Place("--service"), "use a service such as press or mpc")
        )
    pixels = frozenset((deck.width, deck.height) for deck in service.decks) if isinstance(service, TgcProfile) else ()
    return Requirements(
        service.title,
        service.sizes,
        pixels,
        service.bleed or 0.0,
        service.safe,
        service.page_order,
        service.standard,
        service.ink_limit / 100,
        service.most_cards,
        service.smallest_type,
        service.min_dpi,
    )


def _measure(path: Path, needs: Requirements) -> Report:
    # loaded here because pikepdf and pdfium are slow to load
    from cardgen.export.preflight import set_findings

    report = Report()
    pictures: list[str] = []
    with Measurement(partial(_measure_file, needs)) as measurement:
        for file in _files(path, PICTURE_SUFFIXES | {".pdf"}):
            name = file.as_posix()
            try:
                findings, pages = measurement.measure(file)
            except UnreadableFileError as error:
                raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, str(error), Place(name))) from None
            if file.suffix.lower() in PICTURE_SUFFIXES:
                pictures.append(name)
            report.findings += [finding._replace(file=name) for finding in findings]
            report.pages += pages
            report.files += 1
    report.findings += set_findings(pictures, needs)
    return report


def _files(path: Path, suffixes: frozenset[str]) -> Iterator[Path]:
    """Yield the files to measure, in order. Raises CardgenError if there are none."""
    if not path.is_dir():
        yield path
        return
    every = [Path(entry.path) for entry in islice(walk(str(path), hidden=True), MOST_FILES + 1)]
    if len(every) > MOST_FILES:
        message = f"more than {MOST_FILES:,} files in this folder"
        raise CardgenError(
            Diagnostic(Code.BAD_PREFLIGHT, message, Place(path.as_posix()), "pass a folder with fewer files")
        )
    known = sorted(each for each in every if each.suffix.lower() in suffixes and each.is_file())
    if not known:
        message, advice = "no PDF and no pictures in this folder", "export the cards first, or pass another folder"
        raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(path.as_posix()), advice))
    for each in known:
        if not is_inside(path, each):
            message = "the link points outside the folder"
            raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(each.as_posix()), "pass the file itself"))
        yield each


# Measurement of files in a process of its own, within limits of time and memory.

# The CPU time for a file and for all of them, and the memory beyond what the program uses.
TIME_LIMIT = 120.0
TOTAL_TIME_LIMIT = 600.0
MEMORY_LIMIT = 2 * 2**30
_MAX_BYTES = 512 * 2**20


P = ParamSpec("P")
T = TypeVar("T")


class Measurement(Generic[P, T]):
    """Calls of a function that reads strangers' files, where possible in one fork for all of them.

    Streams of a few kilobytes can expand to terabytes, inside libraries that have no limit.
    """

    def __init__(self, function: Callable[P, T]) -> None:
        self._function = function
        self._fork: LimitedFork[P, tuple[T, float]] | None = None
        self._seconds = 0.0

    def __enter__(self) -> Measurement[P, T]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._fork is not None:
            self._fork.close()

    def measure(self, *arguments: P.args, **keywords: P.kwargs) -> T:
        """Return the result of the function.

        Raises UnreadableFileError as the function does, and if a limit is exceeded.
        """
        if self._seconds > TOTAL_TIME_LIMIT:
            raise UnreadableFileError(f"measuring all files takes longer than {TOTAL_TIME_LIMIT:g} seconds")
        result, seconds = self._call(*arguments, **keywords)
        self._seconds += seconds
        return result

    def _call(self, *arguments: P.args, **keywords: P.kwargs) -> tuple[T, float]:
        if not can_fork():
            return self._timed(*arguments, **keywords)
        try:
            if self._fork is None:
                self._fork = LimitedFork(self._in_fork, TIME_LIMIT, MEMORY_LIMIT, (UnreadableFileError,))
            return self._fork.call(*arguments, **keywords)
        except ResourceLimitError as error:
            raise UnreadableFileError(_limit_message(error.resource)) from None
        except RuntimeError as error:  # any other exception of the libraries, with its name
            raise UnreadableFileError(f"the file cannot be measured ({error})") from None
        except OSError as error:
            message = f"the file cannot be measured in a process of its own: {error.strerror or error}"
            raise UnreadableFileError(message) from None

    def _timed(self, *arguments: P.args, **keywords: P.kwargs) -> tuple[T, float]:
        """Return the result, and the CPU time that it took."""
        started = time.process_time()
        return self._function(*arguments, **keywords), time.process_time() - started

    def _in_fork(self, *arguments: P.args, **keywords: P.kwargs) -> tuple[T, float]:
        try:
            return self._timed(*arguments, **keywords)
        except UnreadableFileError as error:
            # The libraries call a file broken when they have no memory for it.
            if free_memory() > MEMORY_LIMIT // 2:
                raise
            raise UnreadableFileError(f"{error}, or {_limit_message('memory')}") from None


def _measure_file(needs: Requirements, path: Path) -> tuple[list[Finding], int]:
    """Return the findings of a PDF or picture, and the number of its pages."""
    content = read_file(path)
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return [each._replace(card=path.stem) for each in picture_findings(content, needs)], 0
    findings, pages = preflight_document(content, needs)
    if all(finding.check != "sheet" for finding in findings):
        findings += _pieces_findings(content)
    return findings, pages


def _pieces_findings(content: bytes) -> Iterator[Finding]:
    """Yield what a proof finds of the pieces as they are once cut, but for what a service has limits of its own for."""
    prover = Prover(content, None, None)
    sheets = [prover.sheet(index, pictures=False) for index in range(prover.count)]
    found = [finding for sheet in sheets for finding in sheet.findings]
    found += compare([piece for sheet in sheets for piece in sheet.pieces])
    yield from (finding for finding in found if finding.check in OF_PIECES)


def read_file(path: Path) -> bytes:
    """Return the content of a file to measure. Raises UnreadableFileError if it cannot be read, or is too large."""
    try:
        return regular_file.read(path, _MAX_BYTES)
    except regular_file.FileTooLargeError:
        message = f"the file is larger than {_MAX_BYTES // 2**20} MiB"
    except OSError as error:
        message = f"the file cannot be read: {error.strerror or error}"
    raise UnreadableFileError(message)


def _limit_message(resource: str) -> str:
    if resource == "time":
        return f"measuring the file takes longer than {TIME_LIMIT:g} seconds"
    if resource == "memory":
        return f"measuring the file takes more than {MEMORY_LIMIT // 2**20} MiB of memory"
    return "the file cannot be measured; reading it ended the process"


def as_data(report: Report) -> dict[str, object]:
    """Return a report as plain data for JSON."""
    findings = findings_as_data(report.findings)
    return {"files": report.files, "pages": report.pages, "errors": report.errors, "findings": findings}


def findings_as_data(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Return findings as plain data for JSON."""
    return [{**finding._asdict(), "box": finding.box._asdict() if finding.box else None} for finding in findings]
