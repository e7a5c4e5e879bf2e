"""Calibration sheets for printers, and profiles from their readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import yaml

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.pdf import writer
from cardgen.print.options import BuildRequest, paper_name, require_known
from cardgen.project import Project, printers
from cardgen.project.printers import DEFAULT, Printer, PrinterProfile, require_printer_name
from cardgen.runtime import atomic_write
from cardgen.sheet import calibration
from cardgen.sheet.calibration import Readings
from cardgen.sheet.leaf import Backs, Misregistration, duplex_mode, pages_of
from cardgen.text.fonts import Fonts
from cardgen.units import Size

READING_NAMES = tuple(field.name for field in fields(Readings))
# Larger deviations of a printer, in millimeters, are probably typing errors.
_MAX_SHIFT, _MAX_RULE_ERROR = 15.0, 10.0
_DUPLEX_EDGES = tuple(str(backs) for backs in (Backs.LONG_EDGE, Backs.SHORT_EDGE))


@dataclass(frozen=True, slots=True)
class CalibrationTarget:
    """What to calibrate: printer ('office/manual'), paper, and duplex mode."""

    name: str
    paper: Size
    backs: Backs

    @property
    def title(self) -> str:
        """The target as displayed."""
        return f"{self.name}, {paper_name(self.paper).upper()}"

    @property
    def command(self) -> str:
        """The command that stores readings."""
        name = f'"{self.name}"' if " " in self.name else self.name
        return f"cardgen calibrate --printer {name} --paper {paper_name(self.paper)} --read"

    @property
    def misregistration(self) -> Misregistration:
        """The stored misregistration.

        Raises CardgenError if the printer is not calibrated.
        """
        profile = printers.find_profile(self.name, paper_name(self.paper), Place("--printer"))
        return Misregistration(**profile.model_dump())


def printer_setting(printer: str, tray: str = "") -> str:
    """Return the setting for a printer and one of its trays, such as 'office/manual'.

    Without a printer, it is the default one; without both, it is ''. Raises CardgenError if a name is not valid.
    """
    names = (printer or DEFAULT, tray) if tray else (printer,) if printer else ()
    for name in names:
        require_printer_name(name, Place("--printer"))
    return "/".join(names)


def calibration_target(printer: str | None, paper: str | None, backs: str | None) -> CalibrationTarget:
    """Return the target; None means the project's setting.

    Raises CardgenError for invalid names, and for an unknown paper.
    """
    if printer is not None:
        printers.parse_printer(printer, Place("--printer"))
    project = Project.find()
    settings = BuildRequest(paper=paper, printer=printer).apply_to(project).settings
    if printer is None:
        printers.parse_printer(settings.printer, project.place(("printer",)))
    edge = settings.backs if backs is None else require_known(backs, _DUPLEX_EDGES, "duplex mode", Place("--backs"))
    return CalibrationTarget(
        settings.printer, settings.paper, Backs(edge if edge in _DUPLEX_EDGES else Backs.LONG_EDGE)
    )


def write_sheet(target: CalibrationTarget, output: Path, *, proof: bool = False) -> Path:
    """Write the calibration sheet, and return its path.

    A `proof` is corrected with the stored profile. Raises CardgenError.
    """
    misregistration = target.misregistration if proof else Misregistration()
    adjust = (
        misregistration.front_correction(target.paper),
        misregistration.back_correction(target.paper, target.backs),
    )
    title = f"{'Proof' if proof else 'Calibration'}: {target.title}"
    try:
        leaf = calibration.calibration_leaf(target.paper, target.backs, title, target.command, adjust)
    except ValueError as error:
        raise CardgenError(Diagnostic(Code.BAD_PRINTER, str(error), Place("--paper"))) from None
    stem = re.sub(r"[^A-Za-z0-9.-]+", "-", target.name)
    path = output / f"calibration-{stem}-{paper_name(target.paper)}{'-proof' if proof else ''}.pdf"
    about = writer.DocumentInfo(title, duplex=duplex_mode([leaf]))
    atomic_write.write(path, writer.write(pages_of([leaf]), Fonts(), about))
    return path


def parse_readings(text: str) -> Readings:
    """Parse readings such as 'top=0.5 left=-0.25 across=99.8'.

    Missing readings are assumed to be exact. Raises CardgenError for anything else.
    """
    values: dict[str, float] = {}
    for part in re.split(r"[\s,;]+", text.strip()):
        name, _, number = part.partition("=")
        require_known(name, READING_NAMES, "reading", Place("--read"))
        values[name] = parse_reading(name, number)
    return Readings(**values)


def parse_reading(name: str, text: str) -> float:
    """Parse one reading.

    Raises CardgenError if it is not a number, or an implausible one.
    """
    try:
        number = float(text.replace("−", "-").removesuffix("mm"))
    except ValueError:
        raise _bad_reading(f"'{text}' is not a valid number; write for example {name}=0.25") from None
    expected, tolerance = (
        (calibration.RULE_LENGTH, _MAX_RULE_ERROR) if name in ("across", "along") else (0.0, _MAX_SHIFT)
    )
    if not abs(number - expected) <= tolerance:
        raise _bad_reading(
            f"{name} must be between {expected - tolerance:g} and {expected + tolerance:g} mm, not {text}"
        )
    return number


def _bad_reading(message: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--read")))


def store_profile(target: CalibrationTarget, readings: Readings) -> tuple[Path, PrinterProfile]:
    """Store readings as the printer's profile for this tray and paper.

    Other profiles are kept. Raises CardgenError if the profile file is invalid or cannot be written; it then stays
    unchanged.
    """
    printer, tray = printers.parse_printer(target.name, Place("--printer"))
    path = printers.profile_path(printer)
    trays: dict[str, dict[str, PrinterProfile]] = {}
    if path.is_file():
        trays = {name: dict(papers) for name, papers in printers.load_printer(path).trays.items()}
    rounded = {name: round(value, 5) for name, value in readings.misregistration(target.paper)._asdict().items()}
    profile = PrinterProfile(**rounded)
    trays.setdefault(tray, {})[paper_name(target.paper)] = profile
    atomic_write.write(path, _dump_printer(printer, Printer(trays=trays)).encode(), confined=False)
    return path, profile


def list_profiles() -> Iterator[tuple[str, str, str, str]]:
    """Yield printer, tray, paper, and figures of all profiles.

    Raises CardgenError for an invalid profile file.
    """
    for path in sorted(printers.profile_folder().glob("*.yaml")):
        for tray, papers in printers.load_printer(path).trays.items():
            for paper, profile in papers.items():
                yield path.stem, tray, paper, describe_profile(profile)


def describe_profile(profile: PrinterProfile) -> str:
    """Return the figures of a profile as displayed."""
    return (
        f"{profile.dx:+.2f} mm, {profile.dy:+.2f} mm, {profile.rotation:+.3f}°, "
        f"{profile.scale_x:.2%} x {profile.scale_y:.2%}"
    )


def _dump_printer(printer: str, content: Printer) -> str:
    head = (
        f"# Profile of the printer '{printer}' from 'cardgen calibrate', by tray and paper.\n"
        "# dx, dy (mm), and rotation (degrees, clockwise): position of the back, seen through the front.\n"
        "# scale_x, scale_y: printed length of a millimeter across and along the sheet.\n"
    )
    return head + yaml.safe_dump(content.model_dump(), sort_keys=True, allow_unicode=True)
