"""How a project is printed: its sheets, its sprue, and what makes up for its printer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.request import BAD_OPTION, Request, known, paper_name
from cardgen.project import Project, printers
from cardgen.project.paths import stays_in
from cardgen.sheet import arrangement
from cardgen.sheet.arrangement import BAD_SPRUE, Pattern
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import SheetSettings
from cardgen.sheet.registration import Misprint
from cardgen.units import PAPER_SIZES, size

SPRUES = "sprues"
# The layout in which pieces of all sizes share sheets.
PACKED = "packed"


@dataclass(frozen=True, slots=True)
class Printing:
    """The layout's name, the sheets, and the sprue where there is one; a sprue stands in place of the layout.

    `cut_list` is whether a page is to say how the sheets are cut.
    """

    layout: str
    sheet: SheetSettings
    pattern: Pattern | None = None
    cut_list: bool = True

    @property
    def single(self) -> bool:
        """True where each piece has a page of its own."""
        return self.layout == "single" and self.pattern is None

    @property
    def together(self) -> bool:
        """True where pieces of all kinds share sheets, and so a document."""
        return self.layout == PACKED or self.pattern is not None

    @property
    def name(self) -> str:
        """What tells files of this printing from others: the layout or the paper, and how it is used."""
        if self.pattern:
            return self.pattern.name
        return self.layout if self.single else paper_name(self.sheet.paper)


def printing(project: Project, request: Request) -> Printing:
    """How the project, whose settings are settled, is printed.

    Raises CardgenError for a sprue that is not there, is wrong or is for other paper, and for a printer that was not
    measured with this paper.
    """
    settings = project.settings
    pattern = _pattern(project, request) if settings.sprue is not None else None
    paper = pattern.sprue.paper if pattern else settings.paper
    sheet = SheetSettings(
        paper, settings.margin, settings.gap, settings.bleed, Backs(settings.backs), settings.back_bleed
    )
    found = Printing(settings.layout, sheet, pattern, settings.cut_list)
    return found if found.single else replace(found, sheet=_adjusted(sheet, project, request))


def _adjusted(sheet: SheetSettings, project: Project, request: Request) -> SheetSettings:
    place = Place("--printer") if request.printer is not None else project.place(("printer",))
    profile = printers.find(project.settings.printer, paper_name(sheet.paper), place)
    misprint = Misprint(**profile.model_dump())
    return replace(sheet, front_adjust=misprint.front(sheet.paper), back_adjust=misprint.back(sheet.paper, sheet.backs))


def _pattern(project: Project, request: Request) -> Pattern:
    """The sprue that is asked for: the project's own of that name, or a built-in one."""
    settings = project.settings
    place = Place("--sprue") if request.sprue is not None else project.place(("sprue",))
    files = sprues(project)
    folded = Backs(settings.backs) is Backs.GUTTERFOLD
    path = files[known(str(settings.sprue), files, "sprue", place)]
    found = arrangement.load(path, settings.bleed, folded=folded)
    if folded and found.sprue.bleed.bottom > found.sprue.paper.height / 2:
        message = f"the sprue '{found.name}' leaves no half of the sheet free, so it cannot be folded"
        raise CardgenError(Diagnostic(BAD_SPRUE, message, place, "choose other backs, or a sprue for gutterfold"))
    if request.paper is not None and size(request.paper, PAPER_SIZES) != found.sprue.paper:
        message = f"the sprue '{found.name}' is for {paper_name(found.sprue.paper)}, not for {request.paper}"
        raise CardgenError(Diagnostic(BAD_OPTION, message, Place("--paper"), "leave one of the two out"))
    return found


def listing() -> Iterator[tuple[str, str, str, str]]:
    """Name, paper, number of slots and description of each sprue of the project at hand and of the program."""
    for name, path in sorted(sprues(Project.find()).items()):
        found = arrangement.load(path, bleed=0)
        yield name, paper_name(found.sprue.paper), str(len(found.fits)), found.about


def sprues(project: Project) -> dict[str, Path]:
    """The files of all sprues by name; the project's own come before the built-in ones."""
    found: dict[str, Path] = {}
    for folder in project.folders(SPRUES):
        for path in sorted(folder.glob("*.yaml")):
            if stays_in(folder, path):
                found.setdefault(path.stem, path)
    return found
