"""What a user asks for, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project import Project, Settings
from cardgen.shape.suggestion import did_you_mean, join_words
from cardgen.units import PAPER_SIZES, Size

BAD_OPTION = "CG520"
PRINT_DPI = 300

# Told after every step of a build: how many are done, how many there are, and what the step was about.
ProgressCallback = Callable[[int, int, str], None]


def no_progress(done: int, total: int, what: str) -> None:
    """The watcher of a build that nobody watches."""


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What to build; None leaves a thing to the project's settings or to the cards.

    `formats` are the sorts of files to write, `dpi` and `keep_bleed` are about those that hold one face each. `theme`
    and `qty` go over what the cards themselves say. `kit` asks for the pieces that are made from cards too, `warband`
    for all that one list of cards takes to the table, and nothing else. `cache` is whether artwork is kept for later
    builds. `jobs` is how many processes may work at once, None for as many as there are processors.
    """

    paths: tuple[Path, ...] = ()
    output: Path = Path("output")
    formats: tuple[str, ...] = ("pdf",)
    paper: str | None = None
    layout: str | None = None
    sprue: str | None = None
    printer: str | None = None
    theme: str | None = None
    bleed: str | None = None
    only: tuple[str, ...] = ()
    kit: bool = False
    warband: str | None = None
    qty: int | None = None
    backs: bool = True
    dpi: int = PRINT_DPI
    keep_bleed: bool = False
    cache: bool = True
    jobs: int | None = None

    @property
    def processes(self) -> int:
        """How many processes may work at once: without `jobs` as many as there are processors for this one."""
        if self.jobs is not None:
            return self.jobs
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def apply_to(self, project: Project) -> Project:
        """The project with what was asked for in place of its settings.

        Raises CardgenError with everything that is no size, no length and so on.
        """
        names = ("paper", "layout", "sprue", "printer", "theme", "bleed")
        all_options = {name: getattr(self, name) for name in names}
        options = {name: value for name, value in all_options.items() if value is not None}
        problems = [problem for name, value in options.items() for problem in option_problems(name, value)]
        if problems:
            raise CardgenError(*problems)
        settings = {name: getattr(Settings.model_validate({name: value}), name) for name, value in options.items()}
        if self.layout is not None:
            settings.setdefault("sprue", None)
        if not self.backs:
            settings["backs"] = "none"
        return replace(project, settings=project.settings.model_copy(update=settings))


def require_known(name: str, names: Collection[str], what: str, place: Place) -> str:
    """The word itself. Raises CardgenError, located at `place`, when none of the names is that."""
    if name in names:
        return name
    advice = f"write {join_words(names)}"
    raise CardgenError(Diagnostic(BAD_OPTION, f"there is no {what} '{name}'{did_you_mean(name, names)}", place, advice))


def option_problems(option: str, value: str) -> Iterator[Diagnostic]:
    """What is wrong with an option's value."""
    try:
        Settings.model_validate({option: value})
    except ValidationError as error:
        for each in error.errors(include_url=False):
            message = str(each.get("ctx", {}).get("error", f"'{value}' cannot be used"))
            yield Diagnostic(BAD_OPTION, message, Place(f"--{option}"))


@dataclass(slots=True)
class ProgressCounter:
    """Counts the steps of a build and tells its watcher."""

    callback: ProgressCallback = no_progress
    total: int = 0
    done: int = 0

    def step(self, what: str) -> None:
        """One more step is done."""
        self.done += 1
        self.callback(self.done, max(self.total, self.done), what)


def paper_name(paper: Size) -> str:
    """The name of a paper in file names: 'a4', or its sides in mm."""
    names = (name for name, each in PAPER_SIZES.items() if each == paper)
    return next(names, f"{paper.width:g}x{paper.height:g}mm")
