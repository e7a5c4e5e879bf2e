from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.sheet.leaf import Backs, Slot, back_slot
from cardgen.sheet.sprue import grid_sprue
from cardgen.units import Box, Size
from tests.sheet.pictures import picture

PORTRAIT, LANDSCAPE = Size(210, 297), Size(297, 210)
FLIPS = [Backs.LONG_EDGE, Backs.SHORT_EDGE]
papers = st.sampled_from([PORTRAIT, LANDSCAPE])


def turned_over(box: Box, paper: Size, backs: Backs) -> Box:
    """Where a piece of the back page comes to lie, seen through the front, once the paper is turned over."""
    upright_axis = (backs is Backs.LONG_EDGE) == (paper.height >= paper.width)
    if upright_axis:
        return Box(paper.width - box.right, box.y, box.width, box.height)
    return Box(box.x, paper.height - box.bottom, box.width, box.height)


def up(turn: int) -> tuple[int, int]:
    """The direction of a face's head on the paper, x to the right, y downward."""
    return {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}[turn]


def turned_over_direction(direction: tuple[int, int], paper: Size, backs: Backs) -> tuple[int, int]:
    upright_axis = (backs is Backs.LONG_EDGE) == (paper.height >= paper.width)
    return (-direction[0], direction[1]) if upright_axis else (direction[0], -direction[1])


def test_the_long_edge_mirrors_the_columns_of_a_portrait_page() -> None:
    sprue = grid_sprue(Size(100, 120), Size(20, 20), margin=5, gap=0, bleed=0)
    backs = [back_slot(slot, sprue.paper, Backs.LONG_EDGE) for slot in sprue.slots[:5]]
    assert picture(sprue.paper, sprue.slots[:5], 10)[2] == ".aabbccdd."
    assert picture(sprue.paper, backs, 10)[2] == ".ddccbbaa."
    assert picture(sprue.paper, backs, 10)[3] == ".......ee."


@given(st.floats(0, 100), st.floats(0, 100), st.sampled_from([0, 90]), st.sampled_from(FLIPS), papers)
def test_a_back_lies_under_its_front_and_stands_the_same_way_up(
    x: float, y: float, turn: int, backs: Backs, paper: Size
) -> None:
    front = Slot(Box(x, y, 63, 88), Box(x - 3, y - 3, 66, 94), turn)
    back = back_slot(front, paper, backs)
    for mine, under in (
        (front.trim, turned_over(back.trim, paper, backs)),
        (front.clip, turned_over(back.clip, paper, backs)),
    ):
        assert (under.x, under.y) == pytest.approx((mine.x, mine.y), abs=1e-9)
    assert turned_over_direction(up(back.turn), paper, backs) == up(front.turn)


def test_a_gutterfold_puts_the_back_on_its_head_below_the_fold() -> None:
    back = back_slot(Slot(Box(10, 20, 63, 88), Box(10, 20, 63, 88)), PORTRAIT, Backs.GUTTERFOLD)
    assert (back.trim.x, back.trim.y, back.turn) == (10, 297 - 20 - 88, 180)
