"""Calibration sheets for printers, and profiles from their readings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pdf import writer
from cardgen.print.request import BuildRequest, paper_name, require_known
from cardgen.project import printers
from cardgen.project.printers import DEFAULT, Printer, PrinterProfile, require_printer_name
from cardgen.project.project import Project
from cardgen.runtime import atomic_write
from cardgen.runtime.workspace import Workspace
from cardgen.sheet.leaf import (
    Backs,
    DuplexMode,
    Label,
    Leaf,
    Misregistration,
    Outline,
    PaperMark,
    Side,
    Stroke,
    back_stroke,
    duplex_mode,
    pages_of,
    whole_page,
)
from cardgen.text.fonts import Fonts
from cardgen.units import IDENTITY, Box, Matrix, Shape, Size

# Calibration sheet: duplex verniers to read against the light, and two rulers.
# A vernier has lines on the front and, slightly farther apart, lines on the back. The pair of lines that coincide shows
# the offset between back and front: each line further from zero adds a quarter of a millimeter.

VERNIER_STEP = 0.25
RULE_LENGTH = 100.0
# Lines on each side of zero, and their distance on the front in millimeters. The distance exceeds the range of the
# scale, so that no line can coincide with its neighbor's counterpart.
_LINES_PER_SIDE = 10
_PITCH = 6.0
_LINE_LENGTH = 4.0
_ZERO_EXTRA = 2.0
_INSET = 18.0
_LABELLED = 2
_TEXT = 8.0
_SMALL = 5.0
_LEADING = 4.2


@dataclass(frozen=True, slots=True)
class Readings:
    """Readings of a sheet, in millimeters: four verniers and two rulers."""

    top: float = 0.0
    bottom: float = 0.0
    left: float = 0.0
    right: float = 0.0
    across: float = RULE_LENGTH
    along: float = RULE_LENGTH

    def misregistration(self, paper: Size) -> Misregistration:
        """Return the printer's misregistration for a paper size.

        Shifts are the means of opposite verniers. The rotation is their difference divided by their distance, weighted
        so that the longer distance counts more.
        """
        height, width = paper.height - 2 * _INSET, paper.width - 2 * _INSET
        turn = ((self.top - self.bottom) * height + (self.right - self.left) * width) / (height**2 + width**2)
        return Misregistration(
            dx=(self.top + self.bottom) / 2,
            dy=(self.left + self.right) / 2,
            rotation=math.degrees(math.asin(max(-1.0, min(1.0, turn)))),
            scale_x=self.across / RULE_LENGTH,
            scale_y=self.along / RULE_LENGTH,
        )


def calibration_leaf(
    paper: Size, backs: Backs, title: str, command: str, corrections: tuple[Matrix, Matrix] = (IDENTITY, IDENTITY)
) -> Leaf[Any]:
    """Return the sheet.

    `command` is the command to type with the readings. `corrections` is a profile to verify, as matrices for the front
    and the back. Raises ValueError with a message for the user if the paper is too small for the verniers.
    """
    least = 2 * _LINES_PER_SIDE * (_PITCH + VERNIER_STEP) + 2
    if min(paper) < least:
        raise ValueError(f"paper of {paper} is too small for the verniers, which need {least:g} mm; use larger paper")
    front: list[PaperMark] = [*_vernier_lines(paper, _PITCH, -1), *_rules(paper), *_vernier_numbers(paper)]
    front += _instructions(paper, title, backs, command)
    back = (back_stroke(stroke, paper, backs) for stroke in _vernier_lines(paper, _PITCH + VERNIER_STEP, 1))
    back_label = Label(f"{title} · back", paper.width / 2, paper.height - _INSET / 2)
    return Leaf(
        whole_page(paper, (), front, "front")._replace(correction=corrections[0]),
        whole_page(paper, (), (*back, back_label), "back")._replace(side=Side.BACK, correction=corrections[1]),
        flip=backs,
    )


class _Vernier(NamedTuple):
    """Center of a vernier, and whether its lines run left to right."""

    x: float
    y: float
    horizontal: bool


def _verniers(paper: Size) -> tuple[_Vernier, ...]:
    x, y = paper.width / 2, paper.height / 2
    return (
        _Vernier(x, _INSET, horizontal=True),
        _Vernier(x, paper.height - _INSET, horizontal=True),
        _Vernier(_INSET, y, horizontal=False),
        _Vernier(paper.width - _INSET, y, horizontal=False),
    )


def _vernier_lines(paper: Size, pitch: float, side: int) -> Iterator[Stroke]:
    """Yield the lines of all verniers, on one side each.

    `side` is -1 for the front and 1 for the back.
    """
    for vernier in _verniers(paper):
        for number in range(-_LINES_PER_SIDE, _LINES_PER_SIDE + 1):
            length = side * (_LINE_LENGTH if number else _LINE_LENGTH + _ZERO_EXTRA)
            if vernier.horizontal:
                at = vernier.x + number * pitch
                yield Stroke(at, vernier.y, at, vernier.y + length)
            else:
                at = vernier.y + number * pitch
                yield Stroke(vernier.x, at, vernier.x + length, at)


def _vernier_numbers(paper: Size) -> Iterator[Label]:
    """Yield the reading at every second front line.

    It is the offset if that line coincides with its counterpart on the back.
    """
    for vernier in _verniers(paper):
        for number in range(-_LINES_PER_SIDE, _LINES_PER_SIDE + 1, _LABELLED):
            text = f"{-number * VERNIER_STEP:+g}" if number else "0"
            end = _LINE_LENGTH + (0 if number else _ZERO_EXTRA) + 0.8
            if vernier.horizontal:
                yield Label(text.replace("-", "−"), vernier.x + number * _PITCH, vernier.y - end, size=_SMALL)
            else:
                x, y = vernier.x - end - 2.2, vernier.y + number * _PITCH + 0.6
                yield Label(text.replace("-", "−"), x, y, size=_SMALL)


def _corner(paper: Size) -> tuple[float, float]:
    """Return the point where the two rulers meet."""
    return (paper.width - RULE_LENGTH) / 2, (paper.height + RULE_LENGTH) / 2


def _rules(paper: Size) -> Iterator[Stroke]:
    x, y = _corner(paper)
    yield Stroke(x, y, x + RULE_LENGTH, y)
    yield Stroke(x, y, x, y - RULE_LENGTH)
    for number in range(11):
        length = 3.0 if number % 10 == 0 else 1.5
        yield Stroke(x + 10 * number, y, x + 10 * number, y + length)
        yield Stroke(x, y - 10 * number, x - length, y - 10 * number)


def _instructions(paper: Size, title: str, backs: Backs, command: str) -> Iterator[Label]:
    x, y = _corner(paper)
    yield Label(title, x + 6, y - RULE_LENGTH + 6, anchor="start", size=_TEXT + 3)
    edge = "long" if backs is Backs.LONG_EDGE else "short"
    lines = (
        f"Print this at 100%, on both sides, turned over on the {edge} edge.",
        "Hold the sheet against the light, this side towards you, upright.",
        "",
        "Each of the four scales has lines of this side and lines of the back.",
        "Find the line that stands in one with a line of the back, and read it:",
        "one number for the top, the bottom, the left and the right. If the two",
        "longest lines are farther apart than the scale goes, measure that way.",
        "",
        "Then measure the two rules: across (below) and along (left).",
        "Both should be 100 mm long.",
        "",
        "Then tell what you read:",
        command,
    )
    for number, line in enumerate(lines):
        if line:
            yield Label(line, x + 6, y - RULE_LENGTH + 16 + number * _LEADING, anchor="start", size=_TEXT)
    yield Label("across: 100 mm", x + RULE_LENGTH / 2, y + 6, size=_TEXT - 1)
    yield Label("along: 100 mm", x - 4, y - RULE_LENGTH / 2, turn=270, size=_TEXT - 1)


# Stack test: a ring on the front, and a cross behind it on the back, which is printed later.

_TARGET_RADIUS, _TARGET_INSET = 6.0, 25.0
_STACK_STEPS = (
    "1. Print page 1 of this file at 100%, on one side.",
    "2. Put the sheet back into the tray as it came out, without turning it, and print page 2.",
    "3. Hold the sheet against the light, with this side towards you.",
    "",
    "The cross is in the ring: put the fronts back like this, and print with --sides backs-reversed.",
    "The cross is at another corner: repeat this with the sheet turned by half a turn, the same side up.",
    "The cross is on this side: repeat this with the sheet turned over. If it is in the ring then,",
    "turn the whole stack of fronts over like this, and print with --sides backs.",
)


def stack_leaf(paper: Size, backs: Backs) -> Leaf[Any]:
    """Return a leaf that shows whether a stack of fronts was put back into the tray rightly, for its backs."""
    x, y = paper.width - _TARGET_INSET, _TARGET_INSET
    ring = Box(x - _TARGET_RADIUS, y - _TARGET_RADIUS, 2 * _TARGET_RADIUS, 2 * _TARGET_RADIUS)
    arms = (Stroke(x - 3, y, x + 3, y, weight=1.0), Stroke(x, y - 3, x, y + 3, weight=1.0))
    size = min(_TEXT + 2, (paper.width - 2 * _INSET) / 17)
    front: list[PaperMark] = [
        Outline(ring, Shape.ROUND, None),
        Label(
            "Stack test: fronts and backs one after the other", _INSET, 2 * _INSET + 10, anchor="start", size=size + 3
        ),
    ]
    front += (
        Label(line, _INSET, 2 * _INSET + 22 + number * size * 0.6, anchor="start", size=size)
        for number, line in enumerate(_STACK_STEPS)
        if line
    )
    behind = tuple(back_stroke(arm, paper, backs) for arm in arms)
    return Leaf(
        whole_page(paper, (), front, "front"),
        whole_page(paper, (), behind, "back")._replace(side=Side.BACK),
        flip=backs,
    )


def write_stack_test(target: CalibrationTarget, output: Path) -> Path:
    """Write the stack test, whose two pages are printed one after the other on one sheet, and return its path."""
    path = output / f"stack-test-{paper_name(target.paper)}.pdf"
    about = writer.DocumentInfo("Stack test", duplex=DuplexMode.SIMPLEX)
    leaf = stack_leaf(target.paper, target.backs)
    atomic_write.write(path, writer.write(pages_of([leaf]), Fonts(), about))
    return path


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


def calibration_target(
    printer: str | None, paper: str | None, backs: str | None, workspace: Workspace | None = None
) -> CalibrationTarget:
    """Return the target; None means the project's setting.

    Raises CardgenError for invalid names, and for an unknown paper.
    """
    if printer is not None:
        printers.parse_printer(printer, Place("--printer"))
    project = Project.open(workspace)
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
        leaf = calibration_leaf(target.paper, target.backs, title, target.command, adjust)
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
    expected, tolerance = (RULE_LENGTH, _MAX_RULE_ERROR) if name in ("across", "along") else (0.0, _MAX_SHIFT)
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
    content = Printer(trays=trays)
    head = (
        f"# Profile of the printer '{printer}' from 'cardgen calibrate', by tray and paper.\n"
        "# dx, dy (mm), and rotation (degrees, clockwise): position of the back, seen through the front.\n"
        "# scale_x, scale_y: printed length of a millimeter across and along the sheet.\n"
    )
    atomic_write.write(
        path, (head + yaml.safe_dump(content.model_dump(), sort_keys=True, allow_unicode=True)).encode(), confined=False
    )
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
