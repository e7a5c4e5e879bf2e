"""Requests of builds: options over settings, and the resulting print setup."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words
from cardgen.language import parse_language
from cardgen.options import NONE, OPTIONS, Options
from cardgen.project import printers
from cardgen.project.files import display_path, require_inside
from cardgen.project.project import Project, Settings
from cardgen.runtime.workspace import Workspace
from cardgen.sheet.imposition import SheetSettings
from cardgen.sheet.leaf import Backs, Misregistration
from cardgen.text.captions import Captions, captions_of
from cardgen.units import PAPER_SIZES, Size, parse_size

if TYPE_CHECKING:
    from cardgen.runtime.workspace import Link
    from cardgen.sheet.sprue_file import LoadedSprue


# Called after every step of a build with the steps done, the total, and the name of the current card or file.
ProgressCallback = Callable[[int, int, str], None]


def no_progress(done: int, total: int, what: str) -> None:
    """Ignore the progress of a build."""


class BuildRequest(Options):
    """Options of a build, and what follows from them."""

    @property
    def processes(self) -> int:
        """The maximum number of processes.

        By default, this is the number of processors available to this process.
        """
        if self.jobs is not None:
            return self.jobs
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def workspace(self, cluster: Link | None = None) -> Workspace:
        """Return the workspace of the request, in its language. Raises CardgenError if it names several."""
        return Workspace(self.folder, cluster=cluster, language=require_one_language(self.language))

    def apply_to(self, project: Project) -> Project:
        """Return the project with the request's options as its settings.

        Raises CardgenError with all invalid options.
        """
        names = (name for name, option in OPTIONS.items() if option.setting)
        settings: dict[str, Any] = {}
        problems: list[Diagnostic] = []
        for name, value in ((name, getattr(self, name)) for name in names):
            try:
                settings |= {} if value is None else {name: setting_of(name, value)}
            except CardgenError as error:
                problems += error.diagnostics
        if problems:
            raise CardgenError(*problems)
        if self.layout is not None:
            settings.setdefault("sprue", None)
        return replace(project, settings=project.settings.model_copy(update=settings))


def require_one_language(words: Sequence[str]) -> str:
    """Return the tag of the language that an option names; '' for none. Raises CardgenError for several."""
    tags = named_languages(words, lambda: ("all",))
    if len(tags) > 1 or "all" in tags:
        place = Place("--language")
        raise CardgenError(Diagnostic(Code.BAD_OPTION, "choose one language", place, "run the command for each"))
    return next(iter(tags), "")


def named_languages(words: Sequence[str], all_languages: Callable[[], Iterable[str]]) -> tuple[str, ...]:
    """Return the tags of the languages that an option names; 'all' stands for all those of the project.

    Raises CardgenError for a word that is not a language.
    """
    tags: dict[str, None] = {}
    for word in words:
        try:
            tags |= dict.fromkeys(all_languages() if word == "all" else (parse_language(word),))
        except ValueError as error:
            raise CardgenError(Diagnostic(Code.BAD_OPTION, str(error), Place("--language"))) from None
    return tuple(tags)


def by_language(request: BuildRequest) -> list[BuildRequest]:
    """Return a request for each language of a request, with a folder of its own; the request itself if it names none.

    Raises CardgenError for what is not a language, and for a folder that is a link out of that of the request.
    """
    tags = named_languages(request.language, lambda: Project.find(request.folder).settings.languages)
    for folder in (request.output / tag for tag in tags):
        require_inside(request.output, folder, display_path(folder), "output folder")
    each = [request._replace(language=(tag,), output=request.output / tag) for tag in tags]
    return each or [request._replace(language=())]


def by_paper(request: BuildRequest) -> list[BuildRequest]:
    """Return a request for each paper of a request, whose names are in those of the files.

    Raises CardgenError for what is not a paper, before anything is built.
    """
    papers = dict.fromkeys(filter(None, map(str.strip, (request.paper or "").split(","))))
    if len(papers) < 2:
        return [request._replace(paper=next(iter(papers), request.paper))]
    sizes = {setting_of("paper", paper): paper for paper in papers}
    return [request._replace(paper=paper) for paper in sizes.values()]


def require_known(name: str, names: Collection[str], what: str, place: Place) -> str:
    """Return the name if it is known.

    Raises CardgenError, located at `place`, if it is not.
    """
    if name in names:
        return name
    advice = f"use {join_words(names)}"
    raise CardgenError(
        Diagnostic(Code.BAD_OPTION, f"unknown {what} '{name}'{did_you_mean(name, names)}", place, advice)
    )


def setting_of(name: str, value: Any) -> Any:
    """Return the value of a setting for that of the option with its name.

    Raises CardgenError with all its problems.
    """
    try:
        return getattr(Settings.model_validate({name: () if value == (NONE,) else value}), name)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        messages = (each.get("ctx", {}).get("error", f"'{each['input']}' is not valid") for each in errors)
        place = Place(OPTIONS[name].flag)
        raise CardgenError(*(Diagnostic(Code.BAD_OPTION, str(message), place) for message in messages)) from None


@dataclass(slots=True)
class ProgressCounter:
    """Counter of the steps of a build that reports to a callback."""

    callback: ProgressCallback = no_progress
    total: int = 0
    done: int = 0

    def step(self, what: str) -> None:
        """Count one step."""
        self.done += 1
        self.callback(self.done, max(self.total, self.done), what)


def paper_name(paper: Size) -> str:
    """Return a paper's name in file names: 'a4', or its size."""
    names = (name for name, each in PAPER_SIZES.items() if each == paper)
    return next(names, f"{paper.width:g}x{paper.height:g}mm")


SPRUES_FOLDER = "sprues"
# The layout that puts pieces of all sizes on the same sheets.
PACKED = "packed"


class PrintSetup(NamedTuple):
    """Layout, sheets, and sprue; a sprue replaces the layout.

    `cut_list` adds a page with the cuts of the sheets. `punches` are diameters in millimeters. `language` is the
    project's, and `captions` those in it.
    """

    layout: str
    sheet: SheetSettings
    sprue: LoadedSprue | None = None
    cut_list: bool = True
    punches: tuple[float, ...] = ()
    language: str = ""
    captions: Captions = Captions()

    @property
    def one_per_page(self) -> bool:
        """True if each piece has a page of its own."""
        return self.layout == "single" and self.sprue is None

    @property
    def mixes_kinds(self) -> bool:
        """True if pieces of all kinds share sheets, and thus a document."""
        return self.layout == PACKED or self.sprue is not None

    @property
    def file_suffix(self) -> str:
        """The part of file names that identifies the layout, sprue, or paper."""
        if self.sprue:
            return self.sprue.name
        return self.layout if self.one_per_page else paper_name(self.sheet.paper)


def print_setup(project: Project, request: BuildRequest) -> PrintSetup:
    """Return the print setup of a project with final settings.

    Raises CardgenError for a sprue that is unknown, invalid, or for another paper, and for a printer that is not
    calibrated for the paper.
    """
    settings = project.settings
    pattern = _load_sprue(project, request) if settings.sprue is not None else None
    paper = pattern.sprue.paper if pattern else settings.paper
    sheet = SheetSettings(
        paper, settings.margin, settings.gap, settings.bleed, Backs(settings.backs), settings.back_bleed
    )
    setup = PrintSetup(settings.layout, sheet, pattern, settings.cut_list, settings.punches, project.language)
    setup = setup._replace(captions=captions_of(project))
    return setup if setup.one_per_page else setup._replace(sheet=_apply_profile(sheet, project, request))


def _apply_profile(sheet: SheetSettings, project: Project, request: BuildRequest) -> SheetSettings:
    place = Place("--printer") if request.printer is not None else project.place(("printer",))
    profile = printers.find_profile(project.settings.printer, paper_name(sheet.paper), place)
    misprint = Misregistration(**profile.model_dump())
    return sheet._replace(
        front_correction=misprint.front_correction(sheet.paper),
        back_correction=misprint.back_correction(sheet.paper, sheet.backs),
    )


def _load_sprue(project: Project, request: BuildRequest) -> LoadedSprue:
    """Load the selected sprue, from the project or built-in."""
    from cardgen.sheet import sprue_file  # loaded here because most builds have no sprue

    settings = project.settings
    place = Place("--sprue") if request.sprue is not None else project.place(("sprue",))
    files = sprue_files(project)
    folded = Backs(settings.backs) is Backs.GUTTERFOLD
    path = files[require_known(str(settings.sprue), files, "sprue", place)]
    pattern = sprue_file.load(path, settings.bleed, folded=folded)
    if folded and pattern.sprue.bleed.bottom > pattern.sprue.paper.height / 2:
        message = f"the sprue '{pattern.name}' uses both halves of the sheet, so it cannot be folded"
        raise CardgenError(
            Diagnostic(Code.BAD_SPRUE, message, place, "use another setting for backs, or a sprue for gutterfold")
        )
    if request.paper is not None and parse_size(request.paper, PAPER_SIZES) != pattern.sprue.paper:
        message = f"the sprue '{pattern.name}' is for {paper_name(pattern.sprue.paper)}, not for {request.paper}"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--paper"), "remove one of the two options"))
    return pattern


def list_sprues(workspace: Workspace | None = None) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, paper, number of slots, and description of all sprues.

    These are the project's and the built-in ones.
    """
    from cardgen.sheet import sprue_file  # loaded here because only this command needs all of them

    for name, path in sorted(sprue_files(Project.open(workspace)).items()):
        pattern = sprue_file.load(path, bleed=0)
        yield name, paper_name(pattern.sprue.paper), str(len(pattern.formats)), pattern.about


def sprue_files(project: Project) -> dict[str, Path]:
    """Return the files of all sprues by name.

    The project's have priority over the built-in ones.
    """
    paths: dict[str, Path] = {}
    for folder in project.folders(SPRUES_FOLDER):
        for path in sorted(folder.glob("*.yaml")):
            paths.setdefault(path.stem, require_inside(folder, path, project.display_path(path)))
    return paths
