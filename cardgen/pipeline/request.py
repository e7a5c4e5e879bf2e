"""What a user asks for, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project import Project
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import SheetSettings
from cardgen.units import PAPER_SIZES, Size, size

UNKNOWN_PAPER = "CG520"

# Told after every step of a build: how many are done, how many there are, and what the step was about.
Watcher = Callable[[int, int, str], None]


def nobody(done: int, total: int, what: str) -> None:
    """The watcher of a build that nobody watches."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to build; None leaves a thing to the project's settings or to the cards."""

    paths: tuple[Path, ...] = ()
    output: Path = Path("output")
    paper: str | None = None
    only: tuple[str, ...] = ()
    qty: int | None = None
    backs: bool = True

    def sheet_settings(self, project: Project) -> SheetSettings:
        """How sheets are laid out. Raises CardgenError for a paper that does not exist."""
        given = project.settings
        try:
            paper = size(self.paper, PAPER_SIZES) if self.paper else given.paper
        except ValueError as error:
            raise CardgenError(Diagnostic(UNKNOWN_PAPER, str(error), Place("--paper"))) from None
        backs = Backs(given.backs) if self.backs else Backs.NONE
        return SheetSettings(paper, given.margin, given.gap, given.bleed, backs)


@dataclass(frozen=True, slots=True)
class Built:
    """What was built: the files that were written, and counts; `copies` counts every print of every card."""

    files: tuple[Path, ...]
    cards: int
    copies: int
    sheets: int
    seconds: float

    @property
    def summary(self) -> str:
        """One line for the end of a build."""
        counts = (
            _counted(len(self.files), "file"),
            _counted(self.cards, "card"),
            _counted(self.copies, "copy", "copies"),
            _counted(self.sheets, "sheet"),
        )
        return f"{', '.join(counts)} in {self.seconds:.1f} s"


@dataclass(slots=True)
class Tally:
    """Counts the steps of a build and tells its watcher."""

    watcher: Watcher
    total: int
    done: int = 0

    def step(self, what: str) -> None:
        """One more step is done."""
        self.done += 1
        self.watcher(self.done, max(self.total, self.done), what)


def paper_name(paper: Size) -> str:
    """The name of a paper in file names: 'a4', or its sides in mm."""
    known = (name for name, each in PAPER_SIZES.items() if each == paper)
    return next(known, f"{paper.width:g}x{paper.height:g}mm")


def _counted(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"
