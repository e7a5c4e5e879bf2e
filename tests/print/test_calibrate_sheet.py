"""The calibration sheet is printed by a crooked printer, and read as people read it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.print.calibrate import VERNIER_STEP, Readings, calibration_leaf
from cardgen.sheet.leaf import Backs, Misregistration, SheetPage, Stroke
from cardgen.sheet.sprue import grid_sprue
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size
from tests.sheet.pages import labels, strokes
from tests.sheet.printer import Crooked
from tests.sheet.test_leaf_duplex_registration import FLIPS, WITHIN, assert_backs_meet_fronts, printed

PAPERS = [PAPER_SIZES["a4"], PAPER_SIZES["letter"], PAPER_SIZES["a5"], PAPER_SIZES["a4"].swap_sides()]
quarters = st.integers(-9, 9).map(lambda number: number * VERNIER_STEP)


def read(front: SheetPage[Any], back: SheetPage[Any], printer: Crooked) -> Readings:
    """The number at the line of the front that stands in one with a line of the back, on each scale."""
    paper = printer.paper
    return Readings(
        top=_coincidence(front, back, printer, level=True, near=0.0),
        bottom=_coincidence(front, back, printer, level=True, near=paper.height),
        left=_coincidence(front, back, printer, level=False, near=0.0),
        right=_coincidence(front, back, printer, level=False, near=paper.width),
        across=100 * printer.misprint.scale_x,
        along=100 * printer.misprint.scale_y,
    )


def _coincidence(front: SheetPage[Any], back: SheetPage[Any], printer: Crooked, *, level: bool, near: float) -> float:
    axis = 0 if level else 1
    here = {_at(stroke, axis): printer.on_paper(front, _middle(stroke)) for stroke in _scale(front, level, near)}
    there = [printer.on_paper(back, _middle(stroke)) for stroke in _scale(back, level, near, printer)]
    assert len(here) == len(there) == 21
    best = min(here, key=lambda at: min(abs(here[at][axis] - other[axis]) for other in there))
    numbers = {
        round(label.x if level else label.y - 0.6, 3): label.text.replace("−", "-")
        for label in labels(front)
        if label.size == 5.0 and abs((label.y if level else label.x) - near) < 30
    }
    if round(best, 3) in numbers:
        return float(numbers[round(best, 3)])
    # Between two numbers stands a line without one.
    return (float(numbers[round(best - 6, 3)]) + float(numbers[round(best + 6, 3)])) / 2


def _scale(page: SheetPage[Any], level: bool, near: float, printer: Crooked | None = None) -> list[Stroke]:
    """The lines of one vernier: upright ones where it is level; the back is looked up as it is seen through."""
    found = []
    for stroke in strokes(page):
        upright = stroke.x1 == stroke.x2
        length = abs(stroke.x1 - stroke.x2) + abs(stroke.y1 - stroke.y2)
        if upright is not level or not 3.5 < length < 6.5:
            continue
        x, y = _middle(stroke)
        if printer is not None:
            x, y = Crooked(Misregistration(), printer.paper, printer.backs).back((x, y))
        if abs((y if level else x) - near) < 30:
            found.append(stroke)
    return found


def _middle(stroke: Stroke) -> tuple[float, float]:
    return (stroke.x1 + stroke.x2) / 2, (stroke.y1 + stroke.y2) / 2


def _at(stroke: Stroke, axis: int) -> float:
    return (stroke.x1, stroke.y1)[axis]


@given(quarters, quarters, st.sampled_from(FLIPS), st.sampled_from(PAPERS))
def test_shifts_are_read_to_the_quarter_of_a_millimetre(dx: float, dy: float, backs: Backs, paper: Size) -> None:
    front, back = calibration_leaf(paper, backs, "test", "cardgen").printed_sides
    readings = read(front, back, Crooked(Misregistration(dx, dy), paper, backs))
    assert (readings.top, readings.bottom, readings.left, readings.right) == pytest.approx((dx, dx, dy, dy))
    found = readings.misregistration(paper)
    assert (found.dx, found.dy, found.rotation) == pytest.approx((dx, dy, 0))


@given(
    st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-0.3, 0.3), st.sampled_from(FLIPS), st.sampled_from(PAPERS)
)
def test_what_was_read_brings_backs_within_a_vernier_step(
    dx: float, dy: float, rotation: float, backs: Backs, paper: Size
) -> None:
    misprint = Misregistration(dx, dy, rotation, 0.99, 1.005)
    front, back = calibration_leaf(paper, backs, "test", "cardgen").printed_sides
    found = read(front, back, Crooked(misprint, paper, backs)).misregistration(paper)
    assert abs(found.dx - dx) <= VERNIER_STEP / 2 + 0.03
    assert abs(found.dy - dy) <= VERNIER_STEP / 2 + 0.03
    assert abs(found.rotation - rotation) <= 0.12
    assert (found.scale_x, found.scale_y) == pytest.approx((0.99, 1.005))


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-1, 1), st.sampled_from(FLIPS))
def test_exact_readings_make_up_for_all_of_it(dx: float, dy: float, rotation: float, backs: Backs) -> None:
    paper = PAPER_SIZES["a4"]
    misprint = Misregistration(dx, dy, rotation, 0.985, 1.004)
    crooked, true = (
        Crooked(misprint, paper, backs),
        Crooked(Misregistration(scale_x=0.985, scale_y=1.004), paper, backs),
    )
    x, y = paper.width / 2, paper.height / 2

    def off(point: tuple[float, float], axis: int) -> float:
        return crooked.back(point)[axis] - true.back(point)[axis]

    # The back of the sheet under each vernier, in the true printer's units.
    under = {"top": (x, 18.0), "bottom": (x, paper.height - 18), "left": (18.0, y), "right": (paper.width - 18, y)}
    flat = Crooked(Misregistration(), paper, backs)
    found = Readings(
        **{name: off(flat.back(point), 0 if name in ("top", "bottom") else 1) for name, point in under.items()},
        across=98.5,
        along=100.4,
    ).misregistration(paper)
    sprue = grid_sprue(paper, CARD_SIZES["standard"], margin=5, gap=0, bleed=3)
    assert (found.dx, found.dy) == pytest.approx((dx, dy), abs=0.01)
    assert found.rotation == pytest.approx(rotation, abs=0.02)
    assert_backs_meet_fronts(
        printed(sprue, backs, found), Crooked(misprint, paper, backs), lengths=False, within=WITHIN + 0.05
    )


def test_no_other_pair_of_lines_stands_in_one_than_those_that_count() -> None:
    """The lines of a vernier agree again after as many lines as make up one pitch: beyond its own length."""
    front, back = calibration_leaf(PAPER_SIZES["a4"], Backs.LONG_EDGE, "test", "cardgen").printed_sides
    here = sorted(stroke.x1 for stroke in _scale(front, True, 0.0))
    there = sorted(210 - stroke.x1 for stroke in _scale(back, True, 0.0))
    together = [x for x in here if any(abs(x - other) < 0.01 for other in there)]
    assert together == [105.0]


@pytest.mark.parametrize("paper", [Size(100, 297), Size(297, 120)])
def test_paper_that_is_too_small_for_the_scales_is_refused(paper: Size) -> None:
    with pytest.raises(ValueError, match="too small for the verniers"):
        calibration_leaf(paper, Backs.LONG_EDGE, "test", "cardgen")


@pytest.mark.parametrize("paper", PAPERS, ids=str)
def test_both_rules_are_a_hundred_millimetres_long_and_all_is_on_the_paper(paper: Size) -> None:
    front, back = calibration_leaf(paper, Backs.LONG_EDGE, "test", "cardgen").printed_sides
    lengths = [abs(stroke.x1 - stroke.x2) + abs(stroke.y1 - stroke.y2) for stroke in strokes(front)]
    assert sum(length == pytest.approx(100) for length in lengths) == 2
    for stroke in (*strokes(front), *strokes(back)):
        assert min(stroke.x1, stroke.x2, stroke.y1, stroke.y2) >= 5
        assert max(stroke.x1, stroke.x2) <= paper.width - 5
        assert max(stroke.y1, stroke.y2) <= paper.height - 5
