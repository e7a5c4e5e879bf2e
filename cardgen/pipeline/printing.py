"""How a project is printed: its sheets, its sprue, and what makes up for its printer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.request import BAD_OPTION, BuildRequest, paper_name, require_known
from cardgen.project import Project, printers
from cardgen.project.paths import is_inside
from cardgen.sheet import arrangement
from cardgen.sheet.arrangement import BAD_SPRUE, LoadedSprue
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import SheetSettings
from cardgen.sheet.registration import Misregistration
from cardgen.units import PAPER_SIZES, parse_size

SPRUES_FOLDER = "sprues"
# The layout in which pieces of all sizes share sheets.
PACKED = "packed"


@dataclass(frozen=True, slots=True)
class PrintSetup:
    """The layout's name, the sheets, and the sprue where there is one; a sprue stands in place of the layout.

    `cut_list` is whether a page is to say how the sheets are cut.
    """

    layout: str
    sheet: SheetSettings
    sprue: LoadedSprue | None = None
    cut_list: bool = True

    @property
    def one_per_page(self) -> bool:
        """True where each piece has a page of its own."""
        return self.layout == "single" and self.sprue is None

    @property
    def mixes_kinds(self) -> bool:
        """True where pieces of all kinds share sheets, and so a document."""
        return self.layout == PACKED or self.sprue is not None

    @property
    def file_suffix(self) -> str:
        """What tells files of this printing from others: the layout or the paper, and how it is used."""
        if self.sprue:
            return self.sprue.name
        return self.layout if self.one_per_page else paper_name(self.sheet.paper)


def print_setup(project: Project, request: BuildRequest) -> PrintSetup:
    """How the project, whose settings are settled, is printed.

    Raises CardgenError for a sprue that is not there, is wrong or is for other paper, and for a printer that was not
    measured with this paper.
    """
    settings = project.settings
    pattern = _load_sprue(project, request) if settings.sprue is not None else None
    paper = pattern.sprue.paper if pattern else settings.paper
    sheet = SheetSettings(
        paper, settings.margin, settings.gap, settings.bleed, Backs(settings.backs), settings.back_bleed
    )
    setup = PrintSetup(settings.layout, sheet, pattern, settings.cut_list)
    return setup if setup.one_per_page else replace(setup, sheet=_apply_profile(sheet, project, request))


def _apply_profile(sheet: SheetSettings, project: Project, request: BuildRequest) -> SheetSettings:
    place = Place("--printer") if request.printer is not None else project.place(("printer",))
    profile = printers.find_profile(project.settings.printer, paper_name(sheet.paper), place)
    misprint = Misregistration(**profile.model_dump())
    return replace(
        sheet,
        front_correction=misprint.front_correction(sheet.paper),
        back_correction=misprint.back_correction(sheet.paper, sheet.backs),
    )


def _load_sprue(project: Project, request: BuildRequest) -> LoadedSprue:
    """The sprue that is asked for: the project's own of that name, or a built-in one."""
    settings = project.settings
    place = Place("--sprue") if request.sprue is not None else project.place(("sprue",))
    files = sprue_files(project)
    folded = Backs(settings.backs) is Backs.GUTTERFOLD
    path = files[require_known(str(settings.sprue), files, "sprue", place)]
    pattern = arrangement.load(path, settings.bleed, folded=folded)
    if folded and pattern.sprue.bleed.bottom > pattern.sprue.paper.height / 2:
        message = f"the sprue '{pattern.name}' leaves no half of the sheet free, so it cannot be folded"
        raise CardgenError(Diagnostic(BAD_SPRUE, message, place, "choose other backs, or a sprue for gutterfold"))
    if request.paper is not None and parse_size(request.paper, PAPER_SIZES) != pattern.sprue.paper:
        message = f"the sprue '{pattern.name}' is for {paper_name(pattern.sprue.paper)}, not for {request.paper}"
        raise CardgenError(Diagnostic(BAD_OPTION, message, Place("--paper"), "leave one of the two out"))
    return pattern


def list_sprues() -> Iterator[tuple[str, str, str, str]]:
    """Name, paper, number of slots and description of each sprue of the project at hand and of the program."""
    for name, path in sorted(sprue_files(Project.find()).items()):
        pattern = arrangement.load(path, bleed=0)
        yield name, paper_name(pattern.sprue.paper), str(len(pattern.formats)), pattern.about


def sprue_files(project: Project) -> dict[str, Path]:
    """The files of all sprues by name; the project's own come before the built-in ones."""
    paths: dict[str, Path] = {}
    for folder in project.folders(SPRUES_FOLDER):
        for path in sorted(folder.glob("*.yaml")):
            if is_inside(folder, path):
                paths.setdefault(path.stem, path)
    return paths
