"""Layers, bookmarks and page numbers, as other programs read them: pikepdf the objects, pdfium what is seen."""

from __future__ import annotations

import ctypes
import io
import math

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from pypdfium2 import raw

from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.sheet.gang_sheet import Demand, gang_sheets
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, Misregistration, SheetPage, Slot
from cardgen.sheet.sprue import Sprue, grid_sprue, with_bleed
from cardgen.units import PAPER_SIZES, Box, Shape, Size
from tests.export.pdf.inspection import (
    CARD,
    FONTS,
    artwork,
    black,
    colour_box,
    dark_box,
    face,
    opened,
    picture_of,
    rectangle,
)
from tests.sheet.pages import sheet_pages

A4 = PAPER_SIZES["a4"]
DPI = 300
RED = (255, 0, 0)
SMALL = Size(41, 63)
PIECES = (("relic", "Chalice", SMALL), ("relic", "Halo", SMALL), ("mission", "Last Stand", CARD))


def painted(size: Size) -> Face:
    """A face that is red up to the cut, and no further."""
    return face(artwork(rectangle(Box(0, 0, *size), "#ff0000"), size), size=size)


def packed(**settings: object) -> tuple[SheetPage[Face], ...]:
    needs = [Demand(SMALL, 2), Demand(CARD, 1)]
    sheet = SheetSettings(A4, **settings)  # type: ignore[arg-type]
    (found,) = gang_sheets(needs, A4, margin=5, gap=0, bleed=3, area=sheet.area)
    waiting = {0: [PIECES[0], PIECES[1]], 1: [PIECES[2]]}
    dealt = [waiting[need].pop(0) for need in found.demands]
    pieces = tuple(PrintPiece(painted(size), painted(size), name=name, group=group) for group, name, size in dealt)
    return sheet_pages([ImposedSheet(found.sprue, pieces, sheet.bleed)], sheet, "Kit")


def written(*found: SheetPage[Face]) -> bytes:
    return writer.write(found, FONTS, writer.DocumentInfo("Kit"))


def switched(content: bytes, layer: str, *, on: bool) -> bytes:
    """The document with one layer shown or hidden from the start, as a reader's panel would do it."""
    with pikepdf.open(io.BytesIO(content)) as document:
        configuration = document.Root.OCProperties.D
        groups = [group for group in document.Root.OCProperties.OCGs if str(group.Name) == layer]
        assert len(groups) == 1
        others = [group for group in configuration.OFF if str(group.Name) != layer]
        configuration.OFF = pikepdf.Array(others if on else [*others, *groups])
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def ink(content: bytes) -> int:
    """How many pixels of a page are neither white nor red, as the faces are."""
    red = picture_of(content, 0, 100).getchannel("R")
    return sum(red.histogram()[:200])


def test_marks_folds_and_safe_zones_are_layers_with_names() -> None:
    document = opened(written(*packed(backs=Backs.GUTTERFOLD)))
    layers = document.Root.OCProperties
    assert [str(group.Name) for group in layers.OCGs] == ["Cut marks", "Fold lines", "Safe zone"]
    assert [str(group.Name) for group in layers.D.OFF] == ["Safe zone"]
    assert [str(group.Name) for group in layers.D.Order] == ["Cut marks", "Fold lines", "Safe zone"]


@pytest.mark.parametrize(("layer", "at_first"), [("Cut marks", True), ("Fold lines", True), ("Safe zone", False)])
def test_a_reader_shows_and_hides_each_layer(layer: str, at_first: bool) -> None:
    content = written(*packed(backs=Backs.GUTTERFOLD))
    shown, hidden = ink(switched(content, layer, on=True)), ink(switched(content, layer, on=False))
    assert shown > hidden
    assert ink(content) == (shown if at_first else hidden)


def test_what_is_not_in_a_layer_stays() -> None:
    content = written(*packed())
    bare = content
    for layer in ("Cut marks", "Safe zone"):
        bare = switched(bare, layer, on=False)
    assert dark_box(picture_of(bare, 0, DPI).crop((0, round(275 / 25.4 * DPI), 2480, 3508)), DPI).width > 100


def test_bookmarks_lead_to_the_kinds_and_the_cards_on_them() -> None:
    (front, back), (second, _) = packed(), packed()
    document = pypdfium2.PdfDocument(written(front, back, second))
    try:
        marks = [(mark.level, mark.get_title(), mark.get_dest().get_index()) for mark in document.get_toc()]
    finally:
        document.close()
    assert {mark for mark in marks if mark[0] == 0} == {(0, "relic", 0), (0, "mission", 0)}
    assert [title for _, title, _ in marks].count("Chalice") == 1
    assert marks.index((0, "relic", 0)) < marks.index((1, "Halo", 0))


def test_pages_are_numbered_by_sheet_and_side() -> None:
    document = pypdfium2.PdfDocument(written(*packed()))
    try:
        labels = [_label(document, index) for index in range(len(document))]
    finally:
        document.close()
    assert labels == ["1 front", "1 back"]


def _label(document: pypdfium2.PdfDocument, index: int) -> str:
    buffer = ctypes.create_string_buffer(200)
    length = raw.FPDF_GetPageLabel(document, index, buffer, 200)
    return buffer.raw[: length - 2].decode("utf-16-le")


def test_the_same_sheets_give_the_same_bytes() -> None:
    assert written(*packed()) == written(*packed())


def test_a_round_piece_is_painted_as_a_circle_with_its_bleed() -> None:
    token = Size(25, 25)
    square = face(artwork(rectangle(Box(-3, -3, 31, 31), "#ff0000"), token), size=token)
    (found,) = gang_sheets([Demand(token, 1, Shape.ROUND)], A4, margin=5, gap=0, bleed=3, area=Box(0, 0, *A4))
    (page,) = sheet_pages(
        [ImposedSheet(found.sprue, (PrintPiece(square, shape=Shape.ROUND),), 3)], SheetSettings(A4), "Tokens"
    )
    image = picture_of(written(page), 0, DPI)
    box, trim = colour_box(image, RED, DPI), page.placements[0].slot.trim
    assert (box.x, box.y, box.width) == pytest.approx((trim.x - 3, trim.y - 3, 31), abs=0.2)
    corner = (round((trim.x + 0.1) / 25.4 * DPI), round((trim.y + 0.1) / 25.4 * DPI))
    assert image.getpixel(corner) == (255, 255, 255)


def test_a_piece_does_not_paint_on_the_corner_of_one_that_touches_it() -> None:
    """Two pieces, corner to corner: each may bleed above and beside itself, but not into the other."""
    boxes = [Box(50, 50, *SMALL), Box(50 + SMALL.width, 50 + SMALL.height, *SMALL)]
    slots = with_bleed(tuple(Slot(box, box) for box in boxes), 3.0, Box(0, 0, *A4))
    assert all(slot.clip_area for slot in slots)
    full = Box(-3, -3, SMALL.width + 6, SMALL.height + 6)
    faces = [face(artwork(rectangle(full, colour), SMALL), size=SMALL) for colour in ("#ff0000", "#0000ff")]
    sprue = Sprue(A4, slots, 5.0, slug_on_left=False)
    (page,) = sheet_pages(
        [ImposedSheet(sprue, tuple(map(PrintPiece, faces)), 3)], SheetSettings(A4, backs=Backs.NONE), "Two"
    )
    image = picture_of(written(page), 0, DPI)
    x, y = ((50 + side) / 25.4 * DPI for side in SMALL)
    assert image.getpixel((round(x - 12), round(y - 12))) == (255, 0, 0)
    assert image.getpixel((round(x + 12), round(y + 12))) == (0, 0, 255)


CROOKED = Misregistration(dx=1.6, dy=-0.9, rotation=0.5, scale_x=0.98, scale_y=1.01)


@pytest.mark.share(2)
@pytest.mark.parametrize("paper", [A4, A4.swap_sides()], ids=["portrait", "landscape"])
@pytest.mark.parametrize("backs", [Backs.LONG_EDGE, Backs.SHORT_EDGE])
@pytest.mark.parametrize("misprint", [Misregistration(), CROOKED], ids=["true", "crooked"])
def test_on_paper_the_back_is_behind_the_front(misprint: Misregistration, backs: Backs, paper: Size) -> None:
    """The two pages as pictures, put through a crooked printer and held against the light."""
    sprue = grid_sprue(paper, CARD, margin=5, gap=0, bleed=3)
    settings = SheetSettings(
        paper,
        backs=backs,
        front_correction=misprint.front_correction(paper),
        back_correction=misprint.back_correction(paper, backs),
    )
    sheets = [ImposedSheet(sprue, (None, PrintPiece(black(), black())), settings.bleed)]
    found = sheet_pages(sheets, settings, "Proof")
    bare = [each._replace(marks=()) for each in found]
    content = written(*bare)
    seen = _printed(picture_of(content, 0, DPI), misprint, turned=0.0, shift=(0, 0))
    upright = (backs is Backs.LONG_EDGE) == (paper.height > paper.width)
    flip = Image.Transpose.FLIP_LEFT_RIGHT if upright else Image.Transpose.FLIP_TOP_BOTTOM
    scaled = _printed(picture_of(content, 1, DPI), misprint, turned=0.0, shift=(0, 0)).transpose(flip)
    under = _printed(scaled, Misregistration(), turned=misprint.rotation, shift=(misprint.dx, misprint.dy))
    here, there = dark_box(seen, DPI), dark_box(under, DPI)
    pixel = 25.4 / DPI
    for mine, other in ((here.x, there.x), (here.y, there.y), (here.right, there.right), (here.bottom, there.bottom)):
        assert mine == pytest.approx(other, abs=2 * pixel)
    # And what was to be 63 mm wide is that on paper.
    assert sorted((here.width, here.height)) == pytest.approx([63, 88], abs=2 * pixel)


def _printed(
    image: Image.Image, misprint: Misregistration, *, turned: float, shift: tuple[float, float]
) -> Image.Image:
    """The picture of a page as it comes out: scaled and turned about its middle, then shifted."""
    x, y = image.width / 2, image.height / 2
    angle = math.radians(turned)
    right, down = (length / 25.4 * DPI for length in shift)
    # PIL asks where each point of the result comes from.
    cosine, sine = math.cos(angle), math.sin(angle)
    a, b = cosine / misprint.scale_x, sine / misprint.scale_x
    d, e = -sine / misprint.scale_y, cosine / misprint.scale_y
    c, f = x - a * (x + right) - b * (y + down), y - d * (x + right) - e * (y + down)
    return image.transform(
        image.size, Image.Transform.AFFINE, (a, b, c, d, e, f), Image.Resampling.BILINEAR, fillcolor="white"
    )
