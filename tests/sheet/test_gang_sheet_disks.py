from __future__ import annotations

import math

import pypdfium2
import pytest
from PIL import Image

from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.sheet.gang_sheet import DISK_BLEED, disk_sprue
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, Layer, SheetPage, Side
from cardgen.sheet.sprue import Sprue
from cardgen.units import PAPER_SIZES, Box, Shape, Size
from tests.cases import each_case
from tests.export.pdf.inspection import FONTS, artwork
from tests.sheet.pages import outlines, sheet_pages
from tests.sheet.printer import Crooked
from tests.sheet.test_leaf_duplex_registration import CROOKED, FLIPS, TRUE, assert_backs_meet_fronts, printed

A4, LETTER = PAPER_SIZES["a4"], PAPER_SIZES["letter"]
DPI = 600
MM = 25.4 / DPI


def sprue(paper: Size = A4, diameter: float = 40, backs: Backs = Backs.LONG_EDGE) -> Sprue:
    area = SheetSettings(paper, backs=backs).area
    return disk_sprue(paper, diameter, margin=5, gap=0, bleed=DISK_BLEED, area=area)


@pytest.mark.parametrize(("paper", "diameter", "count"), [(A4, 40, 28), (A4, 55, 14), (LETTER, 40, 28), (A4, 70, 9)])
def test_a_sheet_holds_as_many_disks_as_fit_with_two_millimeters_of_bleed(
    paper: Size, diameter: float, count: int
) -> None:
    slots = sprue(paper, diameter).slots
    assert len(slots) == count
    assert {slot.shape for slot in slots} == {Shape.ROUND}
    assert {slot.clip_area for slot in slots} == {()}
    assert all(slot.clip == slot.trim.expand(DISK_BLEED) for slot in slots)


def test_a_disk_that_is_too_large_is_an_error() -> None:
    with pytest.raises(ValueError, match="a disk of 220 mm does not fit on paper of 210 x 297 mm"):
        sprue(diameter=220)
    with pytest.raises(ValueError, match="half a sheet of"):
        sprue(diameter=140, backs=Backs.GUTTERFOLD)


@each_case("misprint", [TRUE, CROOKED], ids=["true", "crooked"])
@each_case("backs", FLIPS)
@each_case("paper", [A4, A4.swap_sides(), LETTER], ids=str)
def test_backs_lie_behind_their_disks(paper: Size, backs: Backs, misprint: object) -> None:
    sheet = sprue(paper, 55)
    assert_backs_meet_fronts(printed(sheet, backs, misprint), Crooked(misprint, paper, backs))  # type: ignore[arg-type]


def cut_lines(page: SheetPage[Face]) -> list[Box]:
    return [outline.box for outline in outlines(page) if outline.layer is Layer.CUTS]


def test_only_fronts_have_cut_lines_which_are_circles_on_the_trim() -> None:
    sheet = sprue()
    front, back = pages(sheet, Backs.LONG_EDGE, 3)
    assert cut_lines(front) == [slot.trim for slot in sheet.slots[:3]]
    assert cut_lines(back) == []
    assert {outline.shape for outline in outlines(front)} == {Shape.ROUND}


def test_a_sheet_to_fold_has_cut_lines_in_its_upper_half() -> None:
    sheet = sprue(backs=Backs.GUTTERFOLD)
    (page,) = pages(sheet, Backs.GUTTERFOLD, 2)
    assert page.side is Side.BOTH
    assert cut_lines(page) == [slot.trim for slot in sheet.slots[:2]]


def pages(sheet: Sprue, backs: Backs, count: int) -> tuple[SheetPage[Face], ...]:
    """Pages of black disks that end at their trim."""
    size = Size(sheet.slots[0].trim.width, sheet.slots[0].trim.height)
    radius = size.width / 2
    disk = Face(size, 2, (artwork(f'<circle cx="{radius}" cy="{radius}" r="{radius}"/>', size, 2),))
    settings = SheetSettings(sheet.paper, bleed=DISK_BLEED, backs=backs)
    piece = PrintPiece(disk, disk, shape=Shape.ROUND)
    return sheet_pages([ImposedSheet(sheet, (piece,) * count, settings.bleed)], settings, "test")


def edges(image: Image.Image, around: Box) -> list[tuple[float, float]]:
    """The points where rays from the middle of a box leave the black, in millimeters."""
    x, y = around.x + around.width / 2, around.y + around.height / 2
    found = []
    for part in range(24):
        right, down = math.cos(part * math.pi / 12), math.sin(part * math.pi / 12)
        steps = (step * MM / 2 for step in range(int(1.2 * around.width / MM)))
        out = next(out for out in steps if out > 5 and image.getpixel(at(x + out * right, y + out * down)) > 127)  # type: ignore[operator]
        found.append((x + out * right, y + out * down))
    return found


def at(x: float, y: float) -> tuple[int, int]:
    return int(x / MM), int(y / MM)


def test_printed_disks_are_round_and_lie_behind_each_other_on_pixels() -> None:
    """Disks are round within 0.1 mm, and backs lie behind fronts within 0.2 mm."""
    sheet = sprue()
    bare = [page._replace(marks=()) for page in pages(sheet, Backs.LONG_EDGE, 2)]
    document = pypdfium2.PdfDocument(writer.write(bare, FONTS, writer.DocumentInfo("Disks")))
    front, back = (document[number].render(scale=DPI / 72).to_pil().convert("L") for number in (0, 1))
    for slot in sheet.slots[:2]:
        behind = slot.trim._replace(x=A4.width - slot.trim.right)
        for image, box in ((front, slot.trim), (back, behind)):
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            for point in edges(image, box):
                assert math.dist(point, middle) == pytest.approx(20, abs=0.1)
