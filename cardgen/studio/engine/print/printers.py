"""Calibration of printers: the sheet to measure, and the profile from its readings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import Session
from cardgen.pipeline import calibrate
from cardgen.pipeline.calibrate import READING_NAMES, CalibrationTarget
from cardgen.pipeline.options import paper_name
from cardgen.project import Project
from cardgen.sheet.calibration import Readings
from cardgen.studio.engine.answers import StoredProfile
from cardgen.studio.option_fields import CHOICE, FieldChoice, OptionField, plain_choices
from cardgen.units import PAPER_SIZES

_LABELS = {
    "top": "Top scale",
    "bottom": "Bottom scale",
    "left": "Left scale",
    "right": "Right scale",
    "across": "Horizontal ruler",
    "along": "Vertical ruler",
}
_RULERS = ("across", "along")


class Printers:
    """The part of the engine for calibration; profiles are in the user's configuration folder."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def form(self) -> tuple[OptionField, ...]:
        """Return what to calibrate: a printer, its tray, the paper, and how it turns the paper."""
        settings = self._session.run(lambda: Project.find(self._session.root).settings)
        edges = (
            FieldChoice("long-edge", "over the long edge"),
            FieldChoice("short-edge", "over the short edge"),
        )
        text = "Letters, digits, spaces, dots, hyphens, and underscores, such as office."
        return (
            OptionField("printer", "Printer", help=text, placeholder=settings.printer),
            OptionField("tray", "Tray", help="If the printer has several.", placeholder="default"),
            OptionField("paper", "Paper", choices=plain_choices(PAPER_SIZES), placeholder=paper_name(settings.paper)),
            OptionField("backs", "The printer turns the sheet", CHOICE, choices=edges, placeholder=settings.backs),
        )

    def reading_form(self) -> tuple[OptionField, ...]:
        """Return the readings of the sheet in mm."""
        return tuple(
            OptionField(name, _LABELS[name], unit="mm", placeholder="100" if name in _RULERS else "0")
            for name in READING_NAMES
        )

    def profiles(self) -> tuple[tuple[str, str, str, str], ...]:
        """Return printer, tray, paper, and figures of all profiles. Raises CardgenError for an invalid profile file."""
        return tuple(calibrate.list_profiles())

    def write_sheet(self, values: Mapping[str, str], *, proof: bool = False) -> str:
        """Write the sheet to measure, or with `proof` the sheet to verify a profile, and return its path."""
        return self._session.run(lambda: calibrate.write_sheet(_target(values), Path("output"), proof=proof).as_posix())

    def store(self, values: Mapping[str, str], texts: Mapping[str, str]) -> StoredProfile:
        """Store the readings of a sheet. Raises CardgenError with all that are not plausible."""
        target = self._session.run(lambda: _target(values))
        path, profile = calibrate.store_profile(target, _readings(texts))
        return StoredProfile(target.title, calibrate.describe_profile(profile), str(path))


def _target(values: Mapping[str, str]) -> CalibrationTarget:
    name = calibrate.printer_setting(values.get("printer", ""), values.get("tray", ""))
    return calibrate.calibration_target(name or None, values.get("paper") or None, values.get("backs") or None)


def _readings(texts: Mapping[str, str]) -> Readings:
    numbers: dict[str, float] = {}
    problems = []
    for name in READING_NAMES:
        text = texts.get(name, "").strip().replace(",", ".")
        try:
            if text:
                numbers[name] = calibrate.parse_reading(name, text)
        except CardgenError as error:
            problems += [each._replace(message=f"{_LABELS[name]}: {each.message}") for each in error.diagnostics]
    if problems:
        raise CardgenError(*problems)
    return Readings(**numbers)
