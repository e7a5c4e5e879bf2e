from __future__ import annotations

from pathlib import Path

import click.testing
import pytest

from cardgen.cli.calibrate import command
from cardgen.project import printers
from tests.cli.commands import Program
from tests.projects import Folder, pages_of


@pytest.fixture(autouse=True)
def config(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of its own for each test."""
    path = folder.root / "config"
    monkeypatch.setattr(printers, "profile_folder", lambda: path)
    return path


def test_a_sheet_is_written_and_it_says_what_to_do(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("calibrate", "--printer", "office/manual", "--paper", "letter")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "output/calibration-office-manual-letter.pdf"
    front, back = pages_of(folder.output("calibration-office-manual-letter.pdf"))
    assert "turned over on the long edge" in front
    assert "cardgen calibrate --printer office/manual --paper letter --read" in front
    assert "back" in back


def test_readings_are_kept_and_listed(cardgen: Program, config: Path) -> None:
    assert cardgen("calibrate", "--list").out == "no printer has been calibrated\n"
    outcome = cardgen("calibrate", "--printer", "office", "--read", "top=0.5 bottom=0.5 across=99.5")
    assert outcome.code == 0
    assert "+0.50 mm, +0.00 mm" in outcome.out
    assert (
        (config / "office.yaml")
        .read_text(encoding="utf-8")
        .startswith("# Profile of the printer 'office' from 'cardgen calibrate'")
    )
    assert cardgen("calibrate", "--list").out == (
        "office  default  a4  +0.50 mm, +0.00 mm, +0.000°, 99.50% x 100.00%\n"
    )


def test_without_readings_it_asks_for_them(config: Path) -> None:
    typed = "0,5\n0.5\n\nfar\n99\n-0.25\n99.8\n\n"
    result = click.testing.CliRunner().invoke(command, ["--printer", "office", "--read"], input=typed)
    assert result.exit_code == 0, result.output
    assert "Error: 'far' is not a valid number" in result.output
    assert "Error: right must be between -15 and 15 mm, not 99" in result.output
    profile = printers.load_printer(config / "office.yaml").trays["default"]["a4"]
    assert (profile.dx, profile.dy, profile.scale_x, profile.scale_y) == (0.5, -0.125, 0.998, 1.0)


def test_a_proof_needs_a_profile_and_differs_by_it(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("calibrate", "--printer", "office", "--proof")
    assert (outcome.code, folder.files()) == (2, [])
    assert "unknown printer 'office'" in outcome.err
    cardgen("calibrate", "--printer", "office", "--read", "top=1 bottom=1")
    cardgen("calibrate", "--printer", "office")
    cardgen("calibrate", "--printer", "office", "--proof")
    assert folder.files() == ["calibration-office-a4-proof.pdf", "calibration-office-a4.pdf"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--read", "top=x"), 2, "'x' is not a valid number; write for example top=0.25"),
        (("--read", "tpo=1"), 2, "unknown reading 'tpo'"),
        (("--paper", "a9"), 2, "unknown size 'a9'"),
        (("--paper", "100mm x 100mm"), 2, "too small for the verniers"),
        (("--printer", "../x"), 2, "is not a valid name of a printer"),
        (("--backs", "gutterfold"), 2, "unknown duplex mode 'gutterfold'"),
        (("--proof", "--list"), 2, "cannot be combined"),
    ],
)
def test_what_cannot_be_is_said(
    cardgen: Program, folder: Folder, config: Path, options: tuple[str, ...], code: int, message: str
) -> None:
    outcome = (
        cardgen("calibrate", "--printer", "office", *options)
        if "--printer" not in options
        else cardgen("calibrate", *options)
    )
    assert outcome.code == code
    assert message in outcome.err
    assert not config.exists()
    assert folder.files() == []


@pytest.mark.parametrize("printer", ["/manual", "a/b/c", "off:ice", " ", "!", ""])
def test_names_of_printers_are_validated(folder: Folder, cardgen: Program, printer: str) -> None:
    outcome = cardgen("calibrate", "--printer", printer)
    assert (outcome.code, folder.files()) == (2, [])
    assert "is not a valid name of a printer or tray" in outcome.err
