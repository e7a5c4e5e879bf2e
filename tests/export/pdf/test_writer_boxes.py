from __future__ import annotations

from typing import Any

import pytest
from PIL import ImageOps

from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, SheetPage
from cardgen.units import CARD_SIZES, PAPER_SIZES, Box, Size
from tests.export.pdf.inspection import (
    BLEED,
    CARD,
    FONTS,
    artwork,
    black,
    dark_box,
    face,
    millimetres,
    opened,
    picture_of,
    rectangle,
)
from tests.sheet.pages import impose, strokes

DPI = 600
TOLERANCE = 0.1


def sheets(
    piece: PrintPiece[Face], copies: int = 1, card: Size = CARD, **settings: object
) -> tuple[SheetPage[Face], ...]:
    given = {"paper": PAPER_SIZES["a4"], **settings}
    return impose([piece] * copies, card, SheetSettings(**given), "test")  # type: ignore[arg-type]


def without_marks(page: SheetPage[Face]) -> SheetPage[Face]:
    return SheetPage(page.paper, page.side, page.placements, (), page.trim, page.bleed)


def written(*pages: SheetPage[Face], **about: Any) -> bytes:
    return writer.write(pages, FONTS, writer.DocumentInfo("Test", **about))


@pytest.mark.parametrize("paper", PAPER_SIZES)
def test_a_page_is_as_large_as_its_paper(paper: str) -> None:
    size = PAPER_SIZES[paper]
    page = opened(written(*sheets(PrintPiece(face()), paper=size))).pages[0]
    media = millimetres(page.MediaBox, size.height)
    assert (media.x, media.y, media.width, media.height) == pytest.approx((0, 0, *size), abs=0.001)


def test_trim_and_bleed_box_are_where_the_cuts_run_and_the_paint_ends() -> None:
    (page,) = sheets(PrintPiece(face()), copies=9)
    found = opened(written(page)).pages[0]
    trim, bleed = (millimetres(box, 297) for box in (found.TrimBox, found.BleedBox))
    assert (trim.width, trim.height) == pytest.approx((3 * 63, 3 * 88), abs=0.001)
    assert (trim.x, trim.y) == pytest.approx((page.trim.x, page.trim.y), abs=0.001)
    assert (bleed.x, bleed.y) == pytest.approx((trim.x - BLEED, trim.y - BLEED), abs=0.001)
    assert (bleed.width, bleed.height) == pytest.approx((trim.width + 2 * BLEED, trim.height + 2 * BLEED), abs=0.001)


@pytest.mark.parametrize("name", ["standard", "mini-usa", "tarot", "jumbo"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_card_is_painted_where_it_belongs_to_a_tenth_of_a_millimetre(name: str, paper: str) -> None:
    card = CARD_SIZES[name]
    (page,) = sheets(PrintPiece(black(card)), card=card, paper=PAPER_SIZES[paper])
    painted = dark_box(picture_of(written(without_marks(page)), dpi=DPI), DPI)
    slot = page.placements[0].slot.trim
    assert (painted.x, painted.y) == pytest.approx((slot.x, slot.y), abs=TOLERANCE)
    assert (painted.right, painted.bottom) == pytest.approx((slot.right, slot.bottom), abs=TOLERANCE)


@pytest.mark.parametrize("backs", [Backs.LONG_EDGE, Backs.SHORT_EDGE])
@pytest.mark.parametrize("paper", [Size(210, 297), Size(297, 210)])
def test_backs_lie_under_their_fronts_when_the_paper_is_turned_over(backs: Backs, paper: Size) -> None:
    front, back = sheets(PrintPiece(black(), black()), copies=2, paper=paper, backs=backs)
    content = written(without_marks(front), without_marks(back))
    seen, under = picture_of(content, 0, 300), picture_of(content, 1, 300)
    about_upright_axis = (backs is Backs.LONG_EDGE) == (paper.height > paper.width)
    turned = ImageOps.mirror(under) if about_upright_axis else ImageOps.flip(under)
    here, there = dark_box(seen, 300), dark_box(turned, 300)
    assert (here.x, here.y) == pytest.approx((there.x, there.y), abs=TOLERANCE)
    assert (here.right, here.bottom) == pytest.approx((there.right, there.bottom), abs=TOLERANCE)
    assert dark_box(under, 300) != here  # Two cards do not fill the sheet: unturned they would not meet.


@pytest.mark.parametrize("backs", [Backs.LONG_EDGE, Backs.SHORT_EDGE, Backs.GUTTERFOLD])
@pytest.mark.parametrize("paper", [Size(210, 297), Size(297, 210)])
@pytest.mark.parametrize("card", [CARD_SIZES["standard"], CARD_SIZES["mini-usa"], Size(88, 63)])
def test_a_back_stands_the_same_way_up_as_its_front(backs: Backs, paper: Size, card: Size) -> None:
    """A card is turned over about its own upright axis: a mark top right of the back lies behind one top left."""
    mark, gap = 8.0, 4.0
    left = face(artwork(rectangle(Box(gap, gap, mark, mark)), card), size=card)
    right = face(artwork(rectangle(Box(card.width - gap - mark, gap, mark, mark)), card), size=card)
    pages = [without_marks(page) for page in sheets(PrintPiece(left, right), card=card, paper=paper, backs=backs)]
    content = written(*pages)
    if backs is Backs.GUTTERFOLD:
        whole = picture_of(content, 0, 300)
        half = whole.height // 2
        seen, under = whole.crop((0, 0, whole.width, half)), whole.crop((0, whole.height - half, *whole.size))
    else:
        seen, under = picture_of(content, 0, 300), picture_of(content, 1, 300)
    about_upright_axis = (backs is Backs.LONG_EDGE) == (paper.height > paper.width) and backs is not Backs.GUTTERFOLD
    here, there = (
        dark_box(seen, 300),
        dark_box(ImageOps.mirror(under) if about_upright_axis else ImageOps.flip(under), 300),
    )
    assert (here.x, here.y) == pytest.approx((there.x, there.y), abs=TOLERANCE)
    assert (here.width, here.height) == pytest.approx((mark, mark), abs=TOLERANCE)


def test_a_gutterfold_brings_the_back_behind_its_front() -> None:
    (page,) = sheets(PrintPiece(black(), black()), backs=Backs.GUTTERFOLD)
    image = picture_of(written(without_marks(page)), 0, 300)
    middle = image.height / 2
    above = image.crop((0, 0, image.width, int(middle)))
    below = ImageOps.flip(image.crop((0, image.height - int(middle), image.width, image.height)))
    here, there = dark_box(above, 300), dark_box(below, 300)
    assert (here.x, here.y) == pytest.approx((there.x, there.y), abs=TOLERANCE)
    assert sorted((here.width, here.height)) == pytest.approx([63, 88], abs=TOLERANCE)


def test_the_rule_is_a_hundred_millimetres_long() -> None:
    (page,) = sheets(PrintPiece(face()))
    only_strokes: SheetPage[Face] = SheetPage(page.paper, page.side, (), tuple(strokes(page)), page.trim, page.bleed)
    image = picture_of(written(only_strokes), dpi=DPI)
    foot = image.crop((0, image.height - round(10 * DPI / 25.4), *image.size))
    line_width = 0.25 * 25.4 / 72
    assert dark_box(foot, DPI).width - line_width == pytest.approx(100, abs=TOLERANCE)


def test_a_reader_is_told_not_to_scale_and_how_to_turn_the_paper() -> None:
    (page,) = sheets(PrintPiece(face()))
    catalogue = opened(written(page, duplex="DuplexFlipLongEdge")).Root
    assert catalogue.ViewerPreferences.PrintScaling == "/None"
    assert catalogue.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
    assert "/Duplex" not in opened(written(page)).Root.ViewerPreferences
    assert str(catalogue.Lang) == "en"


def test_a_document_says_what_it_is() -> None:
    (page,) = sheets(PrintPiece(face()))
    information = opened(written(page, subject="Cards")).docinfo
    assert (str(information.Title), str(information.Subject)) == ("Test", "Cards")
