"""Round cards of a game file: their sizes, sheets, and pictures."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.export.cut_plan import is_cut_circle
from cardgen.export.page_objects import PageView
from cardgen.print.request import BuildRequest
from tests.game_file.games import HEADER, write_game

GAME = f"""{HEADER}
kinds:
  disk:
    size: {{by: bulk, small: 40mm, large: 60mm}}
    shape: round
    fields:
      bulk: {{type: choice, choices: [small, large], default: small}}
"""
DISKS = """
game: ember
kind: disk
cards:
  - {name: Ash, qty: 30}
  - {name: Cinder, bulk: large}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_game(tmp_path, GAME, disks=DISKS)
    (tmp_path / "games/ember/templates/brave.svg.j2").unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def picture(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.copy()


def settings(root: Path, text: str) -> None:
    (root / "cardgen.yaml").write_text(f"game: ember\n{text}\n", encoding="utf-8")


def test_disks_of_each_diameter_have_sheets_of_their_own(root: Path) -> None:
    built = build(BuildRequest(backs="none"))
    (file,) = built.files
    with pikepdf.open(file) as document:
        assert len(document.pages) == 3  # 28 and 2 small ones, and 1 large


def test_a_punch_changes_the_layout(root: Path) -> None:
    settings(root, "punches: [40mm]")
    with pikepdf.open(build(BuildRequest(backs="none")).files[0]) as document:
        assert len(document.pages) == 4  # in strips with room for the punch: 20, 10, and 1, with a cut list


def test_a_project_sets_the_diameters(root: Path) -> None:
    settings(root, "sizes: {disk: {large: 70mm}}")
    build(BuildRequest(formats=("png",), dpi=254))
    pictures = sorted((root / "output/ember-disk").glob("*front.png"))
    assert [picture(path).size for path in pictures] == [(400, 400), (700, 700)]


def test_pictures_of_disks_are_transparent_outside(root: Path) -> None:
    build(BuildRequest(formats=("png",), dpi=100))
    image = picture(next((root / "output/ember-disk").glob("*ash*.png")))
    assert image.mode == "RGBA"
    corner, middle = image.getpixel((1, 1)), image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(corner, tuple)
    assert isinstance(middle, tuple)
    assert (corner[3], middle[3]) == (0, 255)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sizes: {disk: {huge: 70mm}}", "cardgen.yaml:2:22: error[CG031]: unknown bulk 'huge'"),
        ("sizes: {disk: {large: 7kg}}", "'7kg' is not a valid length"),
        ("sizes: {disk: {large: 2mm}}", "shorter than 4 mm"),
        ("sizes: {disk: 40mm}", "the size of a disk is determined by its other keys"),
    ],
)
def test_mistakes_in_diameters_are_located(root: Path, text: str, message: str) -> None:
    settings(root, text)
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest())
    assert message in str(caught.value.diagnostics[0])


def test_a_disk_larger_than_the_paper_is_skipped(root: Path) -> None:
    settings(root, "sizes: {disk: {large: 300mm}}")
    (skipped,) = build(BuildRequest()).skipped
    (problem,) = skipped.problems
    assert "a disk of 300 mm does not fit on paper of 210 x 297 mm" in problem


def test_one_size_cannot_be_set_by_value(root: Path) -> None:
    (root / "games/ember/game.yaml").write_text(
        GAME.replace("{by: bulk, small: 40mm, large: 60mm}", "{diameter: 40mm}")
    )
    settings(root, "sizes: {disk: {large: 60mm}}")
    with pytest.raises(CardgenError, match="no field decides the size of a disk"):
        build(BuildRequest())


def test_disks_without_a_punch_have_a_cut_line_when_packed_too(root: Path) -> None:
    settings(root, "punches: [40mm]")
    (file,) = build(BuildRequest(backs="none", layout="packed")).files
    with pikepdf.open(file) as document, pypdfium2.PdfDocument(file) as pages:
        marks = [mark for n, page in enumerate(document.pages) for mark in PageView(pages[n], page, n + 1).marks]
    assert {round(mark.box.width) for mark in marks if is_cut_circle(mark)} == {60}
