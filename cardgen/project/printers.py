"""Printer profiles by tray and paper, in the configuration folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import Field

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, stop_on_errors
from cardgen.project.files import PORTABLE_NAME_HELP, is_portable_name
from cardgen.runtime.user_folders import config_folder
from cardgen.source import read_document
from cardgen.validation.base import Model, Number, SourceMap, Text
from cardgen.validation.validate import validate

DEFAULT, NO_PRINTER = "default", "none"

Shift = Annotated[Number, Field(ge=-20, le=20)]
Angle = Annotated[Number, Field(ge=-5, le=5)]
Scale = Annotated[Number, Field(ge=0.8, le=1.25)]


class PrinterProfile(Model):
    """Misregistration and scale of a printer.

    `dx` and `dy` (mm) and `rotation` (degrees, clockwise) are the position of the back as seen through the front.
    `scale_x` and `scale_y` are the printed length of one millimeter across and along the sheet.
    """

    dx: Shift = 0.0
    dy: Shift = 0.0
    rotation: Angle = 0.0
    scale_x: Scale = 1.0
    scale_y: Scale = 1.0


class Printer(Model):
    """Profiles of one printer, by tray and name of the paper."""

    trays: Mapping[Text, Mapping[Text, PrinterProfile]]


PrinterTray: TypeAlias = tuple[str, str]


def profile_folder() -> Path:
    """Return the folder of the profiles, with one file per printer."""
    return config_folder() / "printers"


def parse_printer(text: str, place: Place) -> PrinterTray:
    """Split a setting such as 'office' or 'office/manual' into printer and tray.

    Raises CardgenError if a name is not valid.
    """
    printer, _, tray = text.partition("/")
    tray = tray or DEFAULT
    for name in (printer, tray):
        require_printer_name(name, place)
    return printer, tray


def require_printer_name(name: str, place: Place) -> None:
    """Raise CardgenError if a printer or a tray cannot have a name."""
    if not is_portable_name(name):
        message = f"'{name}' is not a valid name of a printer or tray"
        help_text = f"{PORTABLE_NAME_HELP}, such as office or office/manual"
        raise CardgenError(Diagnostic(Code.BAD_PRINTER, message, place, help_text))


def find_profile(text: str, paper: str, place: Place) -> PrinterProfile:
    """Return the profile for the setting `text` and a paper ('a4').

    The setting 'none' gives a neutral profile, and so does 'default' unless a profile has that name. Raises
    CardgenError, located at `place`, for a printer or tray without measurements, or without measurements for this
    paper.
    """
    if text == NO_PRINTER:
        return PrinterProfile()
    printer, tray = parse_printer(text, place)
    path = profile_path(printer)
    if not path.is_file():
        if text == DEFAULT:
            return PrinterProfile()
        printers = sorted(each.stem for each in profile_folder().glob("*.yaml"))
        message = f"unknown printer '{printer}'{did_you_mean(printer, printers)}"
        raise CardgenError(Diagnostic(Code.BAD_PRINTER, message, place, _advice(text, paper)))
    trays = load_printer(path).trays
    if tray not in trays:
        message = f"unknown tray '{tray}' of printer '{printer}'" + (f" (one of {', '.join(trays)})" if trays else "")
        raise CardgenError(Diagnostic(Code.BAD_PRINTER, message, place, _advice(text, paper)))
    if paper not in trays[tray]:
        message = f"profile '{text}' is for {', '.join(trays[tray]) or 'no paper'}, not for {paper}"
        raise CardgenError(Diagnostic(Code.BAD_PRINTER, message, place, _advice(text, paper)))
    return trays[tray][paper]


def profile_path(printer: str) -> Path:
    """Return the profile file of a printer; it need not exist."""
    return profile_folder() / f"{printer}.yaml"


def load_printer(path: Path) -> Printer:
    """Read the profiles in a file.

    Raises CardgenError with everything that is wrong in it.
    """
    document = read_document(path, str(path))
    printer, problems = validate(Printer, document.data, SourceMap(document, (Printer,)))
    stop_on_errors((*document.diagnostics, *problems))
    assert printer is not None
    return printer


def _advice(text: str, paper: str) -> str:
    printer = "" if text == DEFAULT else f" --printer {text}"
    return f"run 'cardgen calibrate{printer} --paper {paper}' to measure it, or use --printer {NO_PRINTER}"
