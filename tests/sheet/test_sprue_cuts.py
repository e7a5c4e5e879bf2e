"""Cut lists are carried out here: a sheet is cut, and what is left has to be the pieces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.sheet import sprue_file
from cardgen.sheet.gang_sheet import Demand, cut_cells, gang_sheets
from cardgen.sheet.imposition import SheetSettings
from cardgen.sheet.leaf import Backs
from cardgen.sheet.sprue import CutStep, Direction, grid_sprue, plan_cuts
from cardgen.units import CARD_SIZES, PAPER_SIZES, Box, Size
from tests.cases import each_case
from tests.projects import SPRUES
from tests.sheet.test_gang_sheet_guillotine_packing import KIT, needs

TOLERANCE = 5e-3


def carried_out(sheet: Box, steps: Sequence[CutStep]) -> list[Box]:
    """What lies on the table after all cuts; each must go from edge to edge of the part that it is made for."""
    table = [sheet]
    numbers: list[int] = []
    for step in steps:
        numbers += sorted(step.numbers)
        for cut in step.cuts():
            upright = cut.direction is Direction.VERTICAL
            parts = [
                part
                for part in table
                if _within(part, cut.part)
                and (
                    part.x < cut.at - TOLERANCE < part.right - 2 * TOLERANCE
                    if upright
                    else part.y < cut.at - TOLERANCE < part.bottom - 2 * TOLERANCE
                )
            ]
            assert len(parts) == 1, f"cut {cut.number} has to go through one part of the table, not {len(parts)}"
            (part,) = parts
            # From edge to edge: the part on the table is as long as the one that the list is about.
            if upright:
                assert (part.y, part.bottom) == pytest.approx((cut.part.y, cut.part.bottom), abs=TOLERANCE)
            else:
                assert (part.x, part.right) == pytest.approx((cut.part.x, cut.part.right), abs=TOLERANCE)
            table.remove(part)
            table += _halves(part, cut.at, upright=upright)
    assert numbers == list(range(1, len(numbers) + 1))
    return table


def _within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - TOLERANCE
        and inner.y >= outer.y - TOLERANCE
        and inner.right <= outer.right + TOLERANCE
        and inner.bottom <= outer.bottom + TOLERANCE
    )


def _halves(part: Box, at: float, *, upright: bool) -> tuple[Box, Box]:
    if upright:
        return Box(part.x, part.y, at - part.x, part.height), Box(at, part.y, part.right - at, part.height)
    return Box(part.x, part.y, part.width, at - part.y), Box(part.x, at, part.width, part.bottom - at)


def assert_all_fall_out(sheet: Box, steps: Sequence[CutStep], wanted: Sequence[Box]) -> None:
    """Each piece is on the table, whole and with nothing around it."""
    table = carried_out(sheet, steps)
    for cell in wanted:
        same = [
            part
            for part in table
            if (part.x, part.y, part.right, part.bottom)
            == pytest.approx((cell.x, cell.y, cell.right, cell.bottom), abs=TOLERANCE)
        ]
        assert len(same) == 1, f"{cell} is not on the table"


def test_a_grid_is_cut_into_rows_and_all_rows_together() -> None:
    sprue = grid_sprue(Size(100, 80), Size(30, 20), margin=5, gap=0, bleed=3)
    rows, columns = plan_cuts(Box(0, 0, 100, 80), [slot.trim for slot in sprue.slots])
    assert (rows.direction, rows.offsets, rows.numbers) == (Direction.HORIZONTAL, (10, 30, 50, 70), (4, 3, 2, 1))
    assert (columns.direction, columns.offsets, columns.numbers) == (Direction.VERTICAL, (20, 50, 80), (7, 6, 5))
    assert [part.y for part in columns.parts] == [10, 30, 50]


def test_the_farthest_cut_comes_first_so_that_all_are_measured_from_one_edge() -> None:
    (step,) = plan_cuts(Box(0, 0, 100, 20), [Box(10, 0, 30, 20), Box(40, 0, 30, 20)])
    assert [(cut.number, cut.at) for cut in step.cuts()] == [(1, 70), (2, 40), (3, 10)]


def test_a_pinwheel_cannot_be_cut_from_edge_to_edge() -> None:
    wheel = [Box(0, 0, 20, 10), Box(20, 0, 10, 20), Box(10, 20, 20, 10), Box(0, 10, 10, 20)]
    with pytest.raises(ValueError, match="no edge-to-edge cut"):
        plan_cuts(Box(0, 0, 30, 30), wheel)


def test_nothing_to_cut_out_takes_no_cuts() -> None:
    assert plan_cuts(Box(0, 0, 100, 100), []) == ()
    assert plan_cuts(Box(0, 0, 100, 100), [Box(0, 0, 100, 100)]) == ()


@given(needs, st.sampled_from([0.0, 1.0, 6.0]), st.sampled_from(sorted(PAPER_SIZES)), st.sampled_from(Backs))
@settings(max_examples=40)
def test_packed_sheets_are_cut_from_edge_to_edge_into_their_pieces(
    wanted: list[Demand], gap: float, paper: str, backs: Backs
) -> None:
    size = PAPER_SIZES[paper]
    area = SheetSettings(size, backs=backs).area
    small = [need for need in wanted if max(need.size) <= 90]
    for sheet in gang_sheets(small, size, margin=5, gap=gap, bleed=3, area=area) if small else ():
        assert_all_fall_out(area, sheet.sprue.cut_steps, cut_cells(sheet.sprue.slots))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sample_kit_is_cut_from_edge_to_edge(paper: str) -> None:
    size = PAPER_SIZES[paper]
    sheets = gang_sheets(KIT, size, margin=5, gap=0, bleed=3, area=Box(0, 0, *size))
    assert len(sheets) > 3
    for sheet in sheets:
        assert_all_fall_out(Box(0, 0, *size), sheet.sprue.cut_steps, cut_cells(sheet.sprue.slots))


@each_case("path", SPRUES, ids=lambda path: path.stem)
def test_every_built_in_sprue_is_cut_from_edge_to_edge(path: Path) -> None:
    sprue = sprue_file.load(path, 3.0).sprue
    assert sprue.cut_steps
    assert_all_fall_out(Box(0, 0, *sprue.paper), sprue.cut_steps, cut_cells(sprue.slots))


@given(st.sampled_from(sorted(CARD_SIZES)), st.sampled_from(sorted(PAPER_SIZES)), st.sampled_from([0.0, 3.0, 6.0]))
def test_every_grid_can_be_cut_from_edge_to_edge(card: str, paper: str, gap: float) -> None:
    sprue = grid_sprue(PAPER_SIZES[paper], CARD_SIZES[card], margin=5, gap=gap, bleed=3)
    trims = [slot.trim for slot in sprue.slots]
    sheet = Box(0, 0, *PAPER_SIZES[paper])
    assert_all_fall_out(sheet, plan_cuts(sheet, trims), trims)
