from __future__ import annotations

import pytest

from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, Layer, SheetPage, Side
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size
from tests.cases import each_case
from tests.sheet.pages import impose, labels, strokes
from tests.sheet.pictures import picture

A4 = SheetSettings(PAPER_SIZES["a4"])
STANDARD = CARD_SIZES["standard"]


def letters(page: SheetPage[str], step: float) -> list[str]:
    slots = [placement.slot for placement in page.placements]
    return picture(page.paper, slots, step, lambda index: page.placements[index].face)


def test_sixteen_missions_take_two_sheets_each_followed_by_its_backs() -> None:
    pages = impose([PrintPiece(chr(97 + n), chr(65 + n)) for n in range(16)], STANDARD, A4, "missions")
    assert [page.side for page in pages] == [Side.FRONT, Side.BACK, Side.FRONT, Side.BACK]
    assert [len(page.placements) for page in pages] == [9, 9, 7, 7]
    assert letters(pages[2], 21)[2] == "jjjkkklll."
    assert letters(pages[3], 21)[2].replace(".", "") == "LLLKKKJJJ"
    assert letters(pages[3], 21)[10].replace(".", "") == "PPP"


def test_a_missing_back_keeps_its_slot_empty() -> None:
    _, backs = impose([PrintPiece("a", "A"), PrintPiece("b"), PrintPiece("c", "C")], STANDARD, A4, "cards")
    assert [placement.face for placement in backs.placements] == ["A", "C"]
    assert letters(backs, 10.5)[5].strip(".") == "CCCCCC......AAAAAA"


def test_no_backs_means_no_back_pages() -> None:
    fronts_only = SheetSettings(PAPER_SIZES["a4"], backs=Backs.NONE)
    assert [page.side for page in impose([PrintPiece("a", "A")], STANDARD, fronts_only, "cards")] == [Side.FRONT]
    assert [page.side for page in impose([PrintPiece("a")], STANDARD, A4, "cards")] == [Side.FRONT]


def test_a_gutterfold_has_fronts_and_backs_on_one_side_with_a_fold_between() -> None:
    settings = SheetSettings(PAPER_SIZES["a4"], backs=Backs.GUTTERFOLD)
    (page,) = impose([PrintPiece("a", "A"), PrintPiece("b", "B")], STANDARD, settings, "cards")
    assert page.side is Side.BOTH
    rows = [row.strip(".") for row in letters(page, 10.5)]
    assert rows[5] == "aaaaaaaabbbbbbbb"
    assert rows[-6] == "AAAAAAAABBBBBBBB"
    assert any(stroke.dashed and stroke.y1 == 148.5 for stroke in strokes(page))


@each_case("paper", ["a4", "letter"])
@each_case("length", [152.4, 254])
def test_pieces_that_do_not_need_the_whole_sheet_leave_room_for_whole_marks(length: float, paper: str) -> None:
    settings = SheetSettings(PAPER_SIZES[paper], bleed=2)
    (page,) = impose([PrintPiece("a"), PrintPiece("b")], Size(length, 22), settings, "rulers")
    marks = [stroke for stroke in strokes(page) if stroke.layer is Layer.CUTS]
    assert len(marks) == 10
    # The scale bar leaves less room at its edge.
    assert all(abs(mark.x2 - mark.x1) + abs(mark.y2 - mark.y1) >= 3 for mark in marks)


def test_a_full_sheet_has_as_many_pieces_as_fit() -> None:
    pages = impose([PrintPiece("a")] * 13, Size(152.4, 22), A4, "rulers")
    assert [len(page.placements) for page in pages] == [13]


def test_every_cut_line_has_a_tick_at_both_ends_outside_of_the_bleed() -> None:
    (page,) = impose([PrintPiece(str(n)) for n in range(9)], STANDARD, A4, "cards")
    for x in (10.5, 73.5, 136.5, 199.5):
        ends = [stroke for stroke in strokes(page) if stroke.x1 == stroke.x2 == pytest.approx(x)]
        above = [stroke for stroke in ends if max(stroke.y1, stroke.y2) <= page.bleed.y - 0.4]
        below = [stroke for stroke in ends if min(stroke.y1, stroke.y2) >= page.bleed.bottom + 0.4]
        assert above
        assert below
        assert all(abs(stroke.y2 - stroke.y1) >= 2 for stroke in (*above, *below))


@each_case("card", sorted(CARD_SIZES))
@each_case("paper", ["a4", "letter"])
def test_a_rule_of_100_mm_stands_on_every_sheet_clear_of_the_cards(paper: str, card: str) -> None:
    (page,) = impose([PrintPiece("a")], CARD_SIZES[card], SheetSettings(PAPER_SIZES[paper]), "cards")
    rules = [
        stroke
        for stroke in strokes(page)
        if pytest.approx(100) == abs(stroke.x2 - stroke.x1) + abs(stroke.y2 - stroke.y1)
    ]
    assert len(rules) == 1
    rule = rules[0]
    clear_below = min(rule.y1, rule.y2) > page.bleed.bottom
    clear_left = max(rule.x1, rule.x2) < page.bleed.x
    assert clear_below or clear_left
    assert "100 mm" in [label.text for label in labels(page)]


def test_trim_and_bleed_boxes_surround_the_cards() -> None:
    (page,) = impose([PrintPiece(str(n)) for n in range(9)], STANDARD, A4, "cards")
    assert (page.trim.x, page.trim.y, page.trim.width, page.trim.height) == pytest.approx((10.5, 16.5, 189, 264))
    assert (page.bleed.x, page.bleed.y, page.bleed.width, page.bleed.height) == pytest.approx((7.5, 13.5, 195, 270))


def test_a_card_that_fits_no_half_page_cannot_be_gutterfolded() -> None:
    settings = SheetSettings(Size(100, 150), backs=Backs.GUTTERFOLD)
    with pytest.raises(ValueError, match="does not fit on half a sheet of 100"):
        impose([PrintPiece("a")], Size(90, 140), settings, "cards")


@each_case(("paper", "gap"), [(paper, gap) for paper in ("a4", "letter", "a3") for gap in (0, 1, 2, 3, 4, 5, 6, 8)])
def test_every_plain_cut_mark_can_be_seen_however_near_to_the_edge_the_cards_lie(paper: str, gap: int) -> None:
    settings = SheetSettings(PAPER_SIZES[paper], gap=gap)
    for name in CARD_SIZES:
        for count in (1, 2, 3, 50):
            pieces = [PrintPiece(str(n), str(-n)) for n in range(count)]
            try:
                pages = impose(pieces, CARD_SIZES[name], settings, "cards")
            except ValueError:
                continue
            for page in pages:
                cuts = [each for each in strokes(page) if each.layer is Layer.CUTS]
                assert min(abs(each.x2 - each.x1) + abs(each.y2 - each.y1) for each in cuts) > 0.49
