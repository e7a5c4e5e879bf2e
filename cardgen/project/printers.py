"""Printer profiles by tray and paper, in the configuration folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import Field

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.source import read_document
from cardgen.user_folders import config_folder
from cardgen.validation.base import Model, Number, Text
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import did_you_mean, join_words
from cardgen.validation.validate import validate

BAD_PROFILE = "CG529"
DEFAULT, NO_PRINTER = "default", "none"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,60}")

Shift = Annotated[Number, Field(ge=-20, le=20)]
Angle = Annotated[Number, Field(ge=-5, le=5)]
Scale = Annotated[Number, Field(ge=0.8, le=1.25)]


class PrinterProfile(Model):
    """How a printer's sheets differ from their pages.

    `dx`, `dy` (mm) and `rotation` (degrees, clockwise) say where the back lies, seen through the front; `scale_x` and
    `scale_y` how long a millimetre becomes across and along the sheet.
    """

    dx: Shift = 0.0
    dy: Shift = 0.0
    rotation: Angle = 0.0
    scale_x: Scale = 1.0
    scale_y: Scale = 1.0


class Printer(Model):
    """The profiles of one printer: by tray, and by the name of the paper."""

    trays: Mapping[Text, Mapping[Text, PrinterProfile]]


PrinterTray: TypeAlias = tuple[str, str]


def profile_folder() -> Path:
    """Where the profiles lie, one file for each printer."""
    return config_folder() / "printers"


def parse_printer(text: str, place: Place) -> PrinterTray:
    """Printer and tray of a setting such as 'office' or 'office/manual'. Raises CardgenError when it is neither."""
    printer, _, tray = text.partition("/")
    for part in (printer, tray or DEFAULT):
        if not _NAME.fullmatch(part):
            message = f"'{part}' cannot name a printer or a tray"
            help_text = "write letters, digits, spaces, hyphens and dots, such as office or office/manual"
            raise CardgenError(Diagnostic(BAD_PROFILE, message, place, help_text))
    return printer, tray or DEFAULT


def find_profile(text: str, paper: str, place: Place) -> PrinterProfile:
    """The profile that the setting `text` means for a paper ('a4').

    The setting 'none' stands for no profile, and so does 'default' as long as there is none of that name. Raises
    CardgenError, located at `place`, for a printer or a tray that nobody has measured, or not with this paper.
    """
    if text == NO_PRINTER:
        return PrinterProfile()
    printer, tray = parse_printer(text, place)
    path = profile_path(printer)
    if not path.is_file():
        if text == DEFAULT:
            return PrinterProfile()
        printers = sorted(each.stem for each in profile_folder().glob("*.yaml"))
        message = f"there is no profile of a printer '{printer}'{did_you_mean(printer, printers)}"
        raise CardgenError(Diagnostic(BAD_PROFILE, message, place, _advice(text, paper)))
    trays = load_printer(path).trays
    if tray not in trays:
        message = f"the profile of '{printer}' knows no tray '{tray}'; it knows {join_words(trays)}"
        raise CardgenError(Diagnostic(BAD_PROFILE, message, place, _advice(text, paper)))
    if paper not in trays[tray]:
        message = f"the profile '{text}' was made for {join_words(trays[tray], 'and') or 'no paper'}, not for {paper}"
        raise CardgenError(Diagnostic(BAD_PROFILE, message, place, _advice(text, paper)))
    return trays[tray][paper]


def profile_path(printer: str) -> Path:
    """The file of a printer's profiles; it need not exist."""
    return profile_folder() / f"{printer}.yaml"


def load_printer(path: Path) -> Printer:
    """The profiles in a file. Raises CardgenError with everything that is wrong in it."""
    document = read_document(path, str(path))
    printer, problems = validate(Printer, document.data, SourceMap(document, (Printer,)))
    stop_on_errors((*document.diagnostics, *problems))
    assert printer is not None
    return printer


def _advice(text: str, paper: str) -> str:
    printer = "" if text == DEFAULT else f" --printer {text}"
    return f"measure it with 'cardgen calibrate{printer} --paper {paper}', or print without: --printer {NO_PRINTER}"
