"""Bleed and marks, measured from pixels on grid, packed and mixed sheets of random pieces."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from PIL import Image

from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.sheet.gang_sheet import Demand, gang_sheets
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings
from cardgen.sheet.leaf import SheetPage, Slot
from cardgen.units import MM_PER_INCH, Box, Shape, Size
from tests.export.pdf.inspection import FONTS, artwork, face, picture_of, rectangle
from tests.sheet.pages import impose, sheet_pages

DPI = 254  # Ten pixels to a millimetre.
A4 = Size(210, 297)
# Colours that no mixture of two others comes near; black is for marks, white is bare paper.
COLOURS = ("#ff0000", "#00c000", "#2020ff", "#ff00ff", "#00c8c8", "#c8a000")
SIZES = (Size(63, 88), Size(70, 120), Size(41, 63), Size(52, 52), Size(88.5, 41))
BLEED = 3.0


@cache
def coloured(colour: str, size: Size, bleed: float) -> Face:
    """A face of one colour up to its bleed."""
    return face(artwork(rectangle(Box(0, 0, *size).expand(bleed), colour), size, bleed), size=size, bleed=bleed)


class Sheet:
    """A page as it is printed, and which colour each of its slots has to have."""

    def __init__(self, page: SheetPage[Face], image: Image.Image) -> None:
        self.slots = [placement.slot for placement in page.placements]
        self.colours = [colour_of(placement.face) for placement in page.placements]
        self.image = image

    def colour_at(self, x: float, y: float) -> tuple[int, int, int]:
        pixel = self.image.getpixel((int(x * DPI / MM_PER_INCH), int(y * DPI / MM_PER_INCH)))
        assert isinstance(pixel, tuple)
        red, green, blue = pixel[:3]
        return (red, green, blue)


def colour_of(each: Face) -> tuple[int, int, int]:
    (item,) = each.items
    fill = item.svg.decode().split('fill="#')[1][:6]  # type: ignore[union-attr]
    return (int(fill[:2], 16), int(fill[2:4], 16), int(fill[4:], 16))


def sheets(pages: Sequence[SheetPage[Face]]) -> list[Sheet]:
    content = writer.write(pages, FONTS, writer.DocumentInfo("Test"))
    return [Sheet(page, picture_of(content, index, DPI)) for index, page in enumerate(pages)]


def piece(size: Size, colour: str, *, back: bool, shape: Shape, back_bleed: float = 0) -> PrintPiece[Face]:
    bleed = BLEED + back_bleed
    return PrintPiece(coloured(colour, size, bleed), coloured(colour, size, bleed) if back else None, shape)


def packed(seed: int, gap: float = 0.0, back_bleed: float = 0.0) -> list[Sheet]:
    """A ganged sheet of random pieces, some round and some without a back."""
    dice = random.Random(seed)
    settings = SheetSettings(A4, gap=gap, bleed=BLEED, back_bleed=back_bleed)
    sorts = [(size, Shape.RECTANGLE) for size in dice.sample(SIZES, 3)]
    sorts += [(Size(25, 25), Shape.ROUND)] if seed % 2 else []
    demands = [Demand(size, dice.randint(1, 5), shape) for size, shape in sorts]
    ganged = gang_sheets(demands, A4, margin=settings.margin, gap=gap, bleed=BLEED, area=settings.area)
    colours = iter(COLOURS * 20)
    imposed = [
        ImposedSheet(
            each.sprue,
            tuple(
                piece(
                    demands[number].size,
                    next(colours),
                    back=dice.random() < 0.8,
                    shape=demands[number].shape,
                    back_bleed=back_bleed,
                )
                for number in each.demands
            ),
            BLEED,
        )
        for each in ganged
    ]
    return sheets(sheet_pages(imposed, settings, "Test"))


def grid(count: int, gap: float) -> list[Sheet]:
    settings = SheetSettings(A4, gap=gap, bleed=BLEED)
    pieces = [
        piece(SIZES[0], COLOURS[number % 6], back=number % 3 > 0, shape=Shape.RECTANGLE) for number in range(count)
    ]
    return sheets(impose(pieces, SIZES[0], settings, "Test"))


def close(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(one, other, strict=True))


def distance(slot: Slot, x: float, y: float) -> float:
    """How far a point lies outside of a trim, in millimetres; negative inside."""
    box = slot.trim
    if slot.shape is Shape.ROUND:
        radius = box.width / 2
        return float(((x - box.x - radius) ** 2 + (y - box.y - radius) ** 2) ** 0.5 - radius)
    return max(box.x - x, x - box.right, box.y - y, y - box.bottom)


def points(slot: Slot, by: float) -> list[tuple[float, float]]:
    """Points at a distance outside of a slot's straight edges, or around a round one."""
    box = slot.trim
    if slot.shape is Shape.ROUND:
        circle = [complex(0, 1) ** (step / 6) for step in range(24)]
        radius = box.width / 2 + by
        middle = (box.x + box.width / 2, box.y + box.height / 2)
        return [(middle[0] + radius * each.real, middle[1] + radius * each.imag) for each in circle]
    shares = [step / 20 for step in range(1, 20)]
    across = [(box.x + share * box.width, y) for share in shares for y in (box.y - by, box.bottom + by)]
    return across + [(x, box.y + share * box.height) for share in shares for x in (box.x - by, box.right + by)]


SHEETS = {
    "packed": lambda seed: packed(seed),
    "packed with a gap": lambda seed: packed(seed, gap=4.0),
    "packed with back bleed": lambda seed: packed(seed, back_bleed=1.5),
    "grid": lambda seed: grid(5 + seed, gap=0.0),
    "grid with a gap": lambda seed: grid(4 + seed, gap=5.0),
}


@pytest.fixture(scope="module", params=product(SHEETS, range(4)), ids=lambda each: f"{each[0]}-{each[1]}")
def laid_out(request: pytest.FixtureRequest) -> list[Sheet]:
    """The sheets of a layout, drawn once for all tests of them."""
    layout, seed = request.param
    return SHEETS[layout](seed)


@pytest.mark.share(3)
def test_a_piece_is_its_own_colour_to_the_cut(laid_out: list[Sheet]) -> None:
    """Neither a neighbour's bleed nor a mark is printed on it."""
    for sheet in laid_out:
        for slot, colour in zip(sheet.slots, sheet.colours, strict=True):
            box = slot.trim
            for row in range(40):
                for column in range(40):
                    x, y = box.x + (column + 0.5) / 40 * box.width, box.y + (row + 0.5) / 40 * box.height
                    if distance(slot, x, y) < -0.2:
                        assert close(sheet.colour_at(x, y), colour), (slot, x, y)


def test_bleed_goes_as_far_as_paper_is_bare_and_half_the_gap_elsewhere(laid_out: list[Sheet]) -> None:
    for sheet in laid_out:
        for slot, colour in zip(sheet.slots, sheet.colours, strict=True):
            others = [other for other in sheet.slots if other is not slot]
            for by in (0.4, 1.2, 2.0, 2.8):
                for x, y in points(slot, by):
                    if min((distance(other, x, y) for other in others), default=99.0) > by + 0.3:
                        assert close(sheet.colour_at(x, y), colour), (slot, by, x, y)


def test_no_mark_touches_a_bleed(laid_out: list[Sheet]) -> None:
    for sheet in laid_out:
        for slot in sheet.slots:
            for by in (0.6, 1.5, 2.4):
                for x, y in points(slot, by):
                    assert sum(sheet.colour_at(x, y)) > 90, (slot, by, x, y)


@pytest.mark.parametrize("seed", range(4))
def test_packed_sheets_still_have_marks(seed: int) -> None:
    """There is something black on every printed page, outside of the strip with the scale bar."""
    for sheet in (each for each in packed(seed) if each.slots):
        dark = sheet.image.convert("L").point(lambda level: 255 if level < 60 else 0)
        assert dark.getbbox()
