"""PDF files of every sort: strict readers accept them, and all of their fonts are embedded."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from cardgen.rulesets.ruleset import games
from tests.cli.commands import Program
from tests.products import Products

CARDS = Path(__file__).parents[2] / "cards"
COMMANDS = {
    "gang sheets": ("build", str(CARDS / "warniris"), "--layout", "packed", "--theme", "low-ink", "--paper", "letter"),
    "a sprue": ("build", str(CARDS / "warniris/minions.yaml"), "--sprue", "a4-standard"),
    "single cards": ("build", str(CARDS / "warniris/characters.yaml"), "--layout", "single"),
    "a warband": ("build", str(CARDS / "warniris"), "--warband", "The Ashen Oath"),
    "folded sheets": ("reference", "--fold"),
    "folded sheets of Warcry": ("reference", "--game", "warcry", "--fold"),
    "calibration": ("calibrate",),
}


@pytest.mark.share(2)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_strict_readers_accept_it(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = Program(capsys)(*command)
    assert outcome.code == 0, outcome.err
    assert_strict(tmp_path)


@pytest.mark.parametrize("game", games())
def test_strict_readers_accept_kits_and_sheets(game: str, products: Products) -> None:
    assert_strict(products.kit(game))
    assert_strict(products.sheets(game))


def assert_strict(folder: Path) -> None:
    paths = sorted(folder.rglob("*.pdf"))
    assert paths
    for path in paths:
        with pikepdf.open(path) as document:
            assert document.check_pdf_syntax() == []
            assert not [each.objgen for each in streams(document) if not each.read_raw_bytes()]
            assert not [str(font.BaseFont) for font in fonts(document) if not is_embedded(font)]
            assert not [each.T for each in fields(document) if "/AP" not in each]
    assert ghostscript_errors(paths) == ""


def streams(document: pikepdf.Pdf) -> Iterator[pikepdf.Stream]:
    return (each for each in document.objects if isinstance(each, pikepdf.Stream))


def fonts(document: pikepdf.Pdf) -> Iterator[Any]:
    for each in document.objects:
        if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == pikepdf.Name.Font:
            yield each


def is_embedded(font: Any) -> bool:
    described = font.DescendantFonts[0] if font.Subtype == pikepdf.Name.Type0 else font
    return "/FontFile2" in described.get("/FontDescriptor", {})


def fields(document: pikepdf.Pdf) -> list[Any]:
    return list(document.Root.AcroForm.Fields if "/AcroForm" in document.Root else ())


def ghostscript_errors(paths: Sequence[Path]) -> str:
    """Return the complaints of Ghostscript about the first file that it refuses, if it is installed."""
    program = shutil.which("gs")
    if program is None:
        return ""
    options = ("-q", "-dSAFER", "-dPDFSTOPONERROR", "-dNOPAUSE", "-dBATCH", "-sDEVICE=nullpage")
    done = subprocess.run([program, *options, *map(str, paths)], capture_output=True, encoding="utf-8", check=False)
    return done.stdout + done.stderr if done.returncode else ""
