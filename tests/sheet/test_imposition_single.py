from __future__ import annotations

from cardgen.sheet.imposition import PrintPiece
from cardgen.sheet.leaf import Side
from cardgen.units import Box, Size
from tests.sheet.pages import impose_single

CARD = Size(63, 88)


def test_each_card_has_a_page_of_its_trim_and_bleed() -> None:
    (page,) = impose_single([PrintPiece("front")], CARD, 3)
    assert page.paper == Size(69, 94)
    assert (page.trim, page.bleed) == (Box(3, 3, 63, 88), Box(0, 0, 69, 94))
    (placement,) = page.placements
    assert (placement.face, placement.slot.trim, placement.slot.clip) == ("front", page.trim, page.bleed)
    assert page.marks == ()


def test_backs_follow_their_fronts_upright() -> None:
    pages = list(impose_single([PrintPiece("a", "A"), PrintPiece("b"), PrintPiece("c", "C")], CARD, 3))
    assert [([placement.face for placement in page.placements], page.side) for page in pages] == [
        (["a"], Side.FRONT),
        (["A"], Side.BACK),
        (["b"], Side.FRONT),
        ([], Side.BACK),
        (["c"], Side.FRONT),
        (["C"], Side.BACK),
    ]
    assert {placement.slot.turn for page in pages for placement in page.placements} == {0}


def test_backs_can_be_left_out_and_so_can_the_bleed() -> None:
    (page,) = impose_single([PrintPiece("a", "A")], CARD, 0, backs=False)
    assert page.paper == CARD
    assert page.trim == page.bleed == Box(0, 0, 63, 88)


def test_pages_are_called_by_their_cards() -> None:
    pages = list(impose_single([PrintPiece("a", "A", name="Halo", group="relic")], CARD, 3))
    assert [page.name for page in pages] == ["Halo front", "Halo back"]
    assert [page.pieces for page in pages] == [(("relic", "Halo"),), ()]
