from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.sheet.gang_sheet import PUNCH_CLEARANCE, Demand, gang_sheets, lower_bound, pack
from cardgen.units import CARD_SIZES, Box, Shape, Size
from tests.sheet.pictures import drawn

A4 = Size(210, 297)
WHOLE = Box(0, 0, *A4)
# The cards of the sample kit.
KIT = (
    Demand(CARD_SIZES["tarot"], 12),
    Demand(CARD_SIZES["standard"], 19),
    Demand(CARD_SIZES["mini-usa"], 32),
)
sides = st.integers(25, 120) | st.floats(25, 120)
sizes = st.builds(Size, sides, sides)
needs = st.lists(
    st.builds(Demand, sizes, st.integers(1, 12), st.just(Shape.RECTANGLE), st.booleans())
    | st.builds(
        Demand, st.integers(20, 40).map(lambda side: Size(side, side)), st.integers(1, 12), st.just(Shape.ROUND)
    ),
    min_size=1,
    max_size=5,
)


def test_what_one_size_leaves_is_filled_with_others() -> None:
    (filling,) = pack([Demand(Size(60, 40), 2), Demand(Size(20, 30), 3)], [Size(60, 120)])
    assert drawn(Size(60, 120), [piece.trim for piece in filling.pieces], 10) == [
        "aaaaaa",
        "aaaaaa",
        "aaaaaa",
        "aaaaaa",
        "bbbbbb",
        "bbbbbb",
        "bbbbbb",
        "bbbbbb",
        "ccddee",
        "ccddee",
        "ccddee",
        "......",
    ]


def test_a_piece_is_turned_where_that_helps_and_only_if_it_may() -> None:
    lying = pack([Demand(Size(50, 20), 4)], [Size(40, 100)])
    assert [len(filling.pieces) for filling in lying] == [4]
    assert all(piece.turned for piece in lying[0].pieces)
    with pytest.raises(ValueError, match="0"):
        pack([Demand(Size(50, 20), 4, may_turn=False)], [Size(40, 100)])


def test_the_piece_that_is_too_large_is_named() -> None:
    with pytest.raises(ValueError, match="1") as caught:
        pack([Demand(Size(50, 20), 4), Demand(Size(150, 150), 1)], [Size(100, 100)])
    assert caught.value.args == (1,)


def test_round_pieces_have_room_for_the_punch() -> None:
    filling, *_ = pack([Demand(Size(25, 25), 60, Shape.ROUND)], [Size(200, 280)])
    trims = [piece.trim for piece in filling.pieces]
    assert len(trims) == 54
    for one in trims:
        assert min(one.x, one.y) >= PUNCH_CLEARANCE
        for other in trims:
            if other is not one:
                apart = max(abs(one.x - other.x), abs(one.y - other.y)) - 25
                assert apart >= 2 * PUNCH_CLEARANCE - 1e-6


@given(needs, st.sampled_from([0.0, 2.0, 6.0]))
@settings(max_examples=40)
def test_every_piece_is_laid_once_inside_the_room_and_apart_from_the_others(wanted: list[Demand], gap: float) -> None:
    room = Size(190, 270)
    fillings = pack(wanted, [room], gap)
    assert len(fillings) >= lower_bound(wanted, [room], gap)
    laid = Counter(piece.demand for filling in fillings for piece in filling.pieces)
    assert laid == Counter({number: need.count for number, need in enumerate(wanted)})
    for filling in fillings:
        for piece in filling.pieces:
            need, trim = wanted[piece.demand], piece.trim
            assert (trim.width, trim.height) == (need.size.swap_sides() if piece.turned else need.size)
            assert need.may_turn or not piece.turned
            assert min(trim.x, trim.y) >= -1e-6
            assert trim.right <= room.width + 1e-6
            assert trim.bottom <= room.height + 1e-6
        trims = [piece.trim for piece in filling.pieces]
        for at, one in enumerate(trims):
            for other in trims[at + 1 :]:
                across = max(one.x, other.x) - min(one.right, other.right)
                down = max(one.y, other.y) - min(one.bottom, other.bottom)
                assert max(across, down) >= gap - 1e-3


def test_the_same_pieces_always_give_the_same_sheets() -> None:
    assert pack(KIT, [Size(194.6, 272)]) == pack(KIT, [Size(194.6, 272)])


@pytest.mark.parametrize("paper", [A4, Size(215.9, 279.4)])
def test_the_sample_kit_takes_no_more_sheets_than_its_area_must(paper: Size) -> None:
    """Against the area that the printer can reach, without marks and bleeds: the strictest bound there is."""
    margin = 5.0
    sheets = gang_sheets(KIT, paper, margin=margin, gap=0, bleed=3, area=Box(0, 0, *paper))
    bound = lower_bound(KIT, [Size(paper.width - 2 * margin, paper.height - 2 * margin)])
    assert len(sheets) <= bound * 1.05
    assert Counter(number for sheet in sheets for number in sheet.demands) == {0: 12, 1: 19, 2: 32}


@pytest.mark.parametrize("margin", [3.0, 5.0, 7.0])
def test_pieces_and_their_cuts_keep_out_of_the_margin(margin: float) -> None:
    for sheet in gang_sheets(KIT, A4, margin=margin, gap=0, bleed=3, area=WHOLE):
        trim = sheet.sprue.trim
        assert min(trim.x, trim.y, A4.width - trim.right, A4.height - trim.bottom) >= margin
