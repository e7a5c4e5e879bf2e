"""Printers are measured: a sheet to print, and what was read from it, kept as a profile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import yaml

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import files, pdf
from cardgen.pipeline.formats import DUPLEX
from cardgen.pipeline.request import BAD_OPTION, Request, known, paper_name
from cardgen.project import Project, printers
from cardgen.project.printers import BAD_PROFILE, Printer, Profile
from cardgen.sheet import calibration
from cardgen.sheet.calibration import Readings
from cardgen.sheet.duplex import Backs
from cardgen.sheet.registration import Misprint
from cardgen.text.fonts import Fonts
from cardgen.units import Size

NAMES = tuple(field.name for field in fields(Readings))
# How far off a printer may be before it is more likely that a number was mistyped, in millimetres.
_FARTHEST_SHIFT, _FARTHEST_RULE = 15.0, 10.0
_TURNS = tuple(str(backs) for backs in (Backs.LONG_EDGE, Backs.SHORT_EDGE))


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured: the printer's setting ('office/manual'), the paper, and how it is turned over."""

    name: str
    paper: Size
    backs: Backs

    @property
    def title(self) -> str:
        """The subject, for people."""
        return f"{self.name}, {paper_name(self.paper).upper()}"

    @property
    def command(self) -> str:
        """What to type to keep what is read."""
        name = f'"{self.name}"' if " " in self.name else self.name
        return f"cardgen calibrate --printer {name} --paper {paper_name(self.paper)} --read"

    @property
    def misprint(self) -> Misprint:
        """What was measured before. Raises CardgenError when nothing was."""
        profile = printers.find(self.name, paper_name(self.paper), Place("--printer"))
        return Misprint(**profile.model_dump())


def subject(printer: str | None, paper: str | None, backs: str | None) -> Subject:
    """What is to be measured; None leaves a thing to the project's settings.

    Raises CardgenError for names that cannot be, and for an unknown paper.
    """
    project = Project.find()
    settings = Request(paper=paper, printer=printer).settle(project).settings
    printers.named(settings.printer, Place("--printer") if printer else project.place(("printer",)))
    turned = settings.backs if backs is None else known(backs, _TURNS, "way to turn the paper", Place("--backs"))
    return Subject(settings.printer, settings.paper, Backs(turned if turned in _TURNS else Backs.LONG_EDGE))


def sheet(of: Subject, output: Path, *, proof: bool = False) -> Path:
    """Write the calibration sheet, for a `proof` with the profile that was stored. Raises CardgenError."""
    misprint = of.misprint if proof else Misprint()
    adjust = (misprint.front(of.paper), misprint.back(of.paper, of.backs))
    title = f"{'Proof' if proof else 'Calibration'}: {of.title}"
    try:
        pages = calibration.pages(of.paper, of.backs, title, of.command, adjust)
    except ValueError as error:
        raise CardgenError(Diagnostic(BAD_PROFILE, str(error), Place("--paper"))) from None
    stem = re.sub(r"[^A-Za-z0-9.-]+", "-", of.name)
    path = output / f"calibration-{stem}-{paper_name(of.paper)}{'-proof' if proof else ''}.pdf"
    files.write(path, pdf.write(pages, Fonts(), pdf.About(title, duplex=DUPLEX[of.backs])))
    return path


def readings(text: str) -> Readings:
    """Readings from text such as 'top=0.5 left=-0.25 across=99.8'; what is left out is as it should be.

    Raises CardgenError for anything else.
    """
    found: dict[str, float] = {}
    for part in re.split(r"[\s,;]+", text.strip()):
        name, _, number = part.partition("=")
        known(name, NAMES, "reading", Place("--read"))
        found[name] = reading(name, number)
    return Readings(**found)


def reading(name: str, text: str) -> float:
    """One number. Raises CardgenError when it is none, or one that no printer comes to."""
    try:
        number = float(text.replace("−", "-").removesuffix("mm"))
    except ValueError:
        raise _wrong(f"'{text}' is no number; write {name}=0.25, for instance") from None
    should, farthest = (calibration.RULE, _FARTHEST_RULE) if name in ("across", "along") else (0.0, _FARTHEST_SHIFT)
    if not abs(number - should) <= farthest:
        raise _wrong(f"{name} is {text}, and should be within {farthest:g} mm of {should:g}; was it mistyped?")
    return number


def _wrong(message: str) -> CardgenError:
    return CardgenError(Diagnostic(BAD_OPTION, message, Place("--read")))


def store(of: Subject, read: Readings) -> tuple[Path, Profile]:
    """Keep what was read as the printer's profile for this tray and paper, beside those for others.

    Raises CardgenError when the file of profiles is wrong or cannot be written; then it is left as it is.
    """
    printer, tray = printers.named(of.name, Place("--printer"))
    path = printers.path_of(printer)
    trays: dict[str, dict[str, Profile]] = {}
    if path.is_file():
        trays = {name: dict(papers) for name, papers in printers.load(path).trays.items()}
    rounded = {name: round(value, 5) for name, value in asdict(read.misprint(of.paper)).items()}
    profile = Profile(**rounded)
    trays.setdefault(tray, {})[paper_name(of.paper)] = profile
    files.write(path, _dumped(printer, Printer(trays=trays)).encode())
    return path, profile


def profiles() -> Iterator[tuple[str, str, str, str]]:
    """Printer, tray, paper and figures of all that was measured. Raises CardgenError for a file that is wrong."""
    for path in sorted(printers.folder().glob("*.yaml")):
        for tray, papers in printers.load(path).trays.items():
            for paper, profile in papers.items():
                yield path.stem, tray, paper, told(profile)


def told(profile: Profile) -> str:
    """The figures of a profile, for people."""
    return (
        f"{profile.dx:+.2f} mm, {profile.dy:+.2f} mm, {profile.rotation:+.3f}°, "
        f"{profile.scale_x:.2%} x {profile.scale_y:.2%}"
    )


def _dumped(printer: str, content: Printer) -> str:
    head = (
        f"# What 'cardgen calibrate' measured on the printer '{printer}', by tray and paper.\n"
        "# dx, dy (mm) and rotation (degrees, clockwise): where the back lies, seen through the front.\n"
        "# scale_x, scale_y: how long a millimetre becomes across and along the sheet.\n"
    )
    return head + yaml.safe_dump(content.model_dump(), sort_keys=True, allow_unicode=True)
