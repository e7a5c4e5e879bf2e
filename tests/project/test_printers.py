from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project import printers
from cardgen.project.printers import PrinterProfile

HERE = Place("--printer")
OFFICE = "trays:\n  default:\n    a4: {dx: 0.5, dy: -0.25, rotation: 0.1}\n  manual:\n    letter: {}\n"


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder with one printer in it."""
    monkeypatch.setattr(printers, "profile_folder", lambda: tmp_path)
    path = tmp_path / "office.yaml"
    path.write_text(OFFICE, encoding="utf-8")
    return path


def refused(name: str, paper: str) -> Diagnostic:
    with pytest.raises(CardgenError) as caught:
        printers.find_profile(name, paper, HERE)
    return caught.value.diagnostics[0]


def test_a_profile_is_named_by_printer_tray_and_paper(office: Path) -> None:
    assert office.is_file()
    assert printers.find_profile("office", "a4", HERE) == PrinterProfile(dx=0.5, dy=-0.25, rotation=0.1)
    assert printers.find_profile("office/manual", "letter", HERE) == PrinterProfile()


def test_a_profile_for_another_paper_is_refused_with_what_to_do(office: Path) -> None:
    problem = refused("office", "letter")
    assert problem.message == "profile 'office' is for a4, not for letter"
    assert problem.place == HERE
    assert problem.help == (
        "run 'cardgen calibrate --printer office --paper letter' to measure it, or use --printer none"
    )


def test_an_unknown_tray_or_printer_is_refused(office: Path) -> None:
    assert refused("office/top", "a4").message == "unknown tray 'top' of printer 'office' (one of default, manual)"
    assert refused("ofice", "a4").message == "unknown printer 'ofice'; did you mean 'office'?"


def test_by_default_there_is_no_profile_until_one_is_made(office: Path) -> None:
    assert printers.find_profile("default", "a4", HERE) == PrinterProfile()
    office.rename(office.parent / "default.yaml")
    assert printers.find_profile("default", "a4", HERE).dx == 0.5
    assert printers.find_profile("none", "letter", HERE) == PrinterProfile()
    assert refused("default", "letter").help.startswith("run 'cardgen calibrate --paper letter'")


@pytest.mark.parametrize(
    "name", ["../x", "a/b/c", "", "/etc/passwd", "x" * 99, "a\0b", "office/", "con", "NUL.x", "a.", "a:b"]
)
def test_a_name_that_leads_elsewhere_is_no_name(office: Path, name: str) -> None:
    if name == "office/":
        assert printers.parse_printer(name, HERE) == ("office", "default")
    else:
        assert "is not a valid name of a printer" in refused(name, "a4").message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("trays: {default: {a4: {dx: 90}}}\n", "dx"),
        ("trays: {default: {a4: {rotation: 40}}}\n", "rotation"),
        ("trays: {default: {a4: {scale_x: 3}}}\n", "scale_x"),
        ("trays: {default: {a4: {dz: 1}}}\n", "unknown key 'dz'"),
        ("tray: {}\n", "unknown key 'tray'"),
        ("trays: {default: {a4: {dx: 1", ""),
        ("", ""),
    ],
)
def test_a_file_that_is_wrong_is_located(office: Path, content: str, message: str) -> None:
    office.write_text(content, encoding="utf-8")
    problem = refused("office", "a4")
    assert message in problem.message
    assert problem.place.file == str(office)
