from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.sheet.sprue import grid_sprue
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size
from tests.sheet.pictures import picture

sides = st.floats(20, 120)
gaps = st.floats(0, 12)


def test_the_grid_is_centred_and_read_row_by_row() -> None:
    sprue = grid_sprue(Size(100, 80), Size(30, 20), margin=5, gap=0, bleed=3)
    assert picture(sprue.paper, sprue.slots, 5) == [
        "....................",
        "....................",
        "....aaaaaabbbbbb....",
        "....aaaaaabbbbbb....",
        "....aaaaaabbbbbb....",
        "....aaaaaabbbbbb....",
        "....ccccccdddddd....",
        "....ccccccdddddd....",
        "....ccccccdddddd....",
        "....ccccccdddddd....",
        "....eeeeeeffffff....",
        "....eeeeeeffffff....",
        "....eeeeeeffffff....",
        "....eeeeeeffffff....",
        "....................",
        "....................",
    ]


@pytest.mark.parametrize(
    ("paper", "card", "count", "turn"),
    [
        ("a4", "standard", 9, 0),
        ("letter", "standard", 9, 0),
        ("a4", "poker", 9, 0),
        ("letter", "poker", 9, 0),
        ("a4", "tarot", 4, 0),
        ("a4", "mini-usa", 18, 270),
        ("letter", "mini-usa", 20, 0),
    ],
)
def test_usual_cards_on_usual_paper(paper: str, card: str, count: int, turn: int) -> None:
    sprue = grid_sprue(PAPER_SIZES[paper], CARD_SIZES[card], margin=5, gap=0, bleed=3)
    assert len(sprue.slots) == count
    assert {slot.turn for slot in sprue.slots} == {turn}


def test_neighbours_share_the_gap_and_the_rim_has_all_of_the_bleed() -> None:
    sprue = grid_sprue(Size(100, 80), Size(30, 20), margin=5, gap=2, bleed=3)
    first, second = sprue.slots[0], sprue.slots[1]
    assert first.trim.x - first.clip.x == pytest.approx(3)
    assert first.clip.right - first.trim.right == pytest.approx(1)
    assert first.clip.right == pytest.approx(second.clip.x)


def test_a_card_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a card of 300 x 300 mm does not fit on paper of 210 x 297 mm"):
        grid_sprue(PAPER_SIZES["a4"], Size(300, 300), margin=5, gap=0, bleed=3)


@given(sides, sides, gaps, gaps, st.floats(0, 5), st.sampled_from(sorted(PAPER_SIZES)))
def test_slots_never_overlap_nor_leave_the_margin(
    width: float, height: float, gap: float, margin: float, bleed: float, paper: str
) -> None:
    sprue = grid_sprue(PAPER_SIZES[paper], Size(width, height), margin=margin, gap=gap, bleed=bleed)
    trim = sprue.trim
    assert min(trim.x, trim.y) >= margin - 1e-6
    assert trim.right <= sprue.paper.width - margin + 1e-6
    assert trim.bottom <= sprue.paper.height - margin + 1e-6
    boxes = [slot.clip for slot in sprue.slots]
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            apart_x = one.right <= other.x + 1e-6 or other.right <= one.x + 1e-6
            apart_y = one.bottom <= other.y + 1e-6 or other.bottom <= one.y + 1e-6
            assert apart_x or apart_y


def test_what_may_not_turn_stands_upright_though_fewer_fit() -> None:
    paper, card = PAPER_SIZES["a4"], CARD_SIZES["mini-usa"]
    turning = grid_sprue(paper, card, margin=5, gap=0, bleed=3)
    upright = grid_sprue(paper, card, margin=5, gap=0, bleed=3, may_turn=False)
    assert {slot.turn for slot in turning.slots} == {270}
    assert {slot.turn for slot in upright.slots} == {0}
    assert len(upright.slots) == 16
    (only,) = grid_sprue(Size(110, 100), Size(60, 95), margin=5, gap=0, bleed=3, may_turn=False).slots
    assert only.turn == 270
