"""Leaves: what a document asks of the printer, and which two pages are on one sheet of paper."""

from __future__ import annotations

import re

import pytest

from cardgen.sheet.cut_list import cut_list_leaves
from cardgen.sheet.gang_sheet import Demand, gang_sheets
from cardgen.sheet.imposition import (
    ImposedSheet,
    PrintPiece,
    SheetSettings,
    grid_sheets,
    impose_single,
    sheet_leaves,
    tile,
)
from cardgen.sheet.leaf import (
    Backs,
    DuplexMode,
    Leaf,
    Printing,
    SheetPage,
    Side,
    duplex_mode,
    pages_of,
    paper_leaves,
    whole_page,
)
from cardgen.text.copyfitting import Compositor
from cardgen.text.fonts import Fonts
from cardgen.text.shaped_row import Icons
from cardgen.units import PAPER_SIZES, Size
from tests.sheet.pages import labels

A4 = SheetSettings(PAPER_SIZES["a4"])
CARD = Size(63, 88)


def page(face: str, paper: Size = PAPER_SIZES["a4"]) -> SheetPage[str]:
    return whole_page(paper, name=face)


@pytest.mark.parametrize(
    ("settings", "mode"),
    [
        (A4, DuplexMode.LONG_EDGE),
        (A4._replace(backs=Backs.SHORT_EDGE), DuplexMode.SHORT_EDGE),
        (A4._replace(backs=Backs.GUTTERFOLD), DuplexMode.SIMPLEX),
        (A4._replace(backs=Backs.NONE), DuplexMode.SIMPLEX),
    ],
)
def test_only_documents_with_backs_ask_for_both_sides(settings: SheetSettings, mode: DuplexMode) -> None:
    sheets = grid_sheets([PrintPiece("a", "A")], CARD, settings)
    assert duplex_mode(sheet_leaves(sheets, settings, "T")) == mode
    bare = grid_sheets([PrintPiece("a")], CARD, settings)
    assert duplex_mode(sheet_leaves(bare, settings, "T")) == DuplexMode.SIMPLEX


def test_single_cards_are_flipped_about_their_upright_edge() -> None:
    upright, wide = ([*impose_single([PrintPiece("a", "A")], size, 3)] for size in (CARD, CARD.swap_sides()))
    assert duplex_mode(upright) == DuplexMode.LONG_EDGE
    assert duplex_mode(wide) == DuplexMode.SHORT_EDGE
    assert duplex_mode([*upright, *wide]) == DuplexMode.UNKNOWN


def test_without_backs_no_page_is_added() -> None:
    leaves = [*tile([PrintPiece("mat", name="Mat")], Size(400, 250), A4, "T")]
    assert [each.name for each in pages_of(leaves)] == [f"Mat {name}" for name in ("A1", "A2", "A3")][: len(leaves)]


def test_a_leaf_without_a_back_has_a_blank_page_if_another_has_one() -> None:
    leaves = [
        *sheet_leaves(grid_sheets([PrintPiece("a", "A")], CARD, A4), A4, "T"),
        *tile([PrintPiece("mat", name="Mat")], Size(400, 250), A4, "T"),
    ]
    pages = pages_of(leaves)
    assert len(pages) == 2 * len(leaves)
    assert [each.printing for each in leaves[:2]] == [Printing.DUPLEX_CARD, Printing.SIMPLEX_CARD]
    assert [each.name for each in pages[:4]] == ["1 front", "1 back", "Mat A1 front", "Mat A1 back"]
    for blank in pages[3::2]:
        assert (blank.side, blank.placements, blank.marks) == (Side.BACK, (), ())


def test_cut_lists_come_last_and_shift_nothing() -> None:
    sheets = [
        ImposedSheet(each.sprue, (PrintPiece("a", "A"),) * len(each.demands), 3)
        for side in (80, 90)
        for each in gang_sheets([Demand(Size(side, side), 12)], A4.paper, margin=5, gap=0, bleed=3, area=A4.area)
    ]
    leaves = [*cut_list_leaves(sheets, "T", Compositor(Fonts(), Icons())), *sheet_leaves(sheets, A4, "T")]
    pages = pages_of(leaves)
    assert [leaf.printing for leaf in leaves].count(Printing.PLAIN_PAPER) == 1
    assert [each.name for each in pages[-2:]] == ["how to cut front", "how to cut back"]
    assert [each.name for each in pages[:-2]] == [
        f"{number} {side}" for number in range(1, len(sheets) + 1) for side in ("front", "back")
    ]
    headings = [label.text for label in labels(pages[-2]) if label.text.startswith("Sheet")]
    told = {int(number) for heading in headings for number in re.findall(r"\d+", heading)}
    assert {1, len(sheets)} <= told


def test_labels_are_different() -> None:
    leaves = [*impose_single([PrintPiece("a", "A", name="Ash")] * 3, CARD, 3)]
    names = [each.name for each in pages_of(leaves)]
    assert names == ["Ash front", "Ash back", "Ash (2) front", "Ash (2) back", "Ash (3) front", "Ash (3) back"]


def test_texts_have_the_next_page_on_the_back_and_end_with_a_printed_page() -> None:
    leaves = paper_leaves([page("one"), page("two"), page("three")])
    assert [each.name for each in pages_of(leaves)] == ["one", "two", "three"]
    assert duplex_mode(leaves) == DuplexMode.LONG_EDGE
    assert duplex_mode(paper_leaves([page("one"), page("two")][:1])) == DuplexMode.SIMPLEX
    wide = Size(297, 210)
    assert duplex_mode(paper_leaves([page("one", wide), page("two", wide)])) == DuplexMode.SHORT_EDGE
    assert all(isinstance(each, Leaf) and each.printing is Printing.PLAIN_PAPER for each in leaves)
