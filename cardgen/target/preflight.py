"""Preflight of files for a print service: a PDF, a folder, or what a target has exported."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.preflight import Report, Requirements
from cardgen.project import Project
from cardgen.project.files import is_inside, require_named_inside
from cardgen.runtime.fingerprint import walk
from cardgen.target import profile
from cardgen.target.print.profile import PrintProfile
from cardgen.target.print.tgc import TgcProfile
from cardgen.validation.suggestion import did_you_mean, join_words

MOST_FILES = 5_000


def preflight(subject: str, service: str | None = None, output: Path | None = None) -> tuple[Report, str]:
    """Measure a file or folder, or the output of a target; return the report and the title of the service.

    `service` is the name of a profile; for a target's output, it is the target. Raises CardgenError for an unknown
    service, a missing service, and files that cannot be read.
    """
    project = Project.find()
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
    from cardgen.export.preflight import PICTURE_SUFFIXES, UnreadableFileError, set_findings
    from cardgen.target.isolation import Measurement

    report = Report()
    pictures: list[str] = []
    with Measurement(needs) as measurement:
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
            Diagnostic(Code.BAD_PREFLIGHT, message, Place(path.as_posix()), "name a folder with fewer files")
        )
    known = sorted(each for each in every if each.suffix.lower() in suffixes and each.is_file())
    if not known:
        message, advice = "no PDF and no pictures in this folder", "export the cards first, or name another folder"
        raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(path.as_posix()), advice))
    for each in known:
        if not is_inside(path, each):
            message = "the link points outside the folder"
            raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(each.as_posix()), "name the file itself"))
        yield each
