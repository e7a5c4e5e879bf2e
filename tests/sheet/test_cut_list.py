from __future__ import annotations

import math
import re
from itertools import groupby
from typing import Any

import pytest

from cardgen.sheet.cut_list import cut_list_leaves
from cardgen.sheet.gang_sheet import cut_cells, gang_sheets
from cardgen.sheet.imposition import ImposedSheet, PrintPiece
from cardgen.sheet.leaf import SheetPage, TypesetLine
from cardgen.sheet.printer_marks import numbered_cut_marks
from cardgen.sheet.sprue import grid_sprue, plan_cuts
from cardgen.text.copyfitting import Compositor
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Run
from cardgen.text.shaped_row import Icons
from cardgen.units import PAPER_SIZES, Box, Shape, Size
from tests.sheet.pages import labels, outlines
from tests.sheet.test_gang_sheet_guillotine_packing import KIT

A4 = PAPER_SIZES["a4"]
COMPOSITOR = Compositor(Fonts(), Icons())


@pytest.fixture(scope="module")
def sheets() -> list[ImposedSheet[str]]:
    found = gang_sheets(KIT, A4, margin=5, gap=0, bleed=3, area=Box(0, 0, *A4))
    return [ImposedSheet(each.sprue, tuple(PrintPiece("x") for _ in each.demands), 3) for each in found]


def cut_list_pages(sheets: list[ImposedSheet[str]], title: str, *, folded: bool = False) -> list[SheetPage[Any]]:
    return [leaf.front for leaf in cut_list_leaves(sheets, title, COMPOSITOR, folded=folded)]


def said(page: SheetPage[Any]) -> list[str]:
    """Return the labels and the lines of text of a page from the top down, row by row."""
    words = [(label.y, label.x, label.text) for label in labels(page) if len(label.text) > 1]
    words += [(line.y, line.x, words_of(line)) for line in lines(page)]
    tops = sorted(label.y for label in labels(page) if label.text.startswith("Sheet"))
    placed = sorted((sum(y >= top for top in tops), x > A4.width / 2, round(y, 3), x, text) for y, x, text in words)
    rows = groupby(placed, key=lambda each: each[:3])
    return [" ".join(text for *_, text in row) for _, row in rows]


def lines(page: SheetPage[Any]) -> list[TypesetLine]:
    return [mark for mark in page.text if isinstance(mark, TypesetLine)]


def words_of(line: TypesetLine) -> str:
    return "".join(piece.text for piece in line.line.pieces if isinstance(piece, Run))


def test_every_cut_is_told_once_and_in_order(sheets: list[ImposedSheet[str]]) -> None:
    text = [line for page in cut_list_pages(sheets, "Kit") for line in said(page)]
    assert sum(line.startswith("Sheet") for line in text) == len({sheet.sprue for sheet in sheets})
    last = 0
    for line in text:
        if line.startswith("Sheet"):
            last = 0
        if found := re.match(r"(\d+)(?:–(\d+))?: +([^,]+), ", line + " "):
            assert int(found[1]) == last + 1
            last = int(found[2] or found[1])
            assert (found[3] == "the sheet") == (found[1] == "1")
    assert last > 5


def test_letters_stand_clear_of_the_lines_of_their_diagram(sheets: list[ImposedSheet[str]]) -> None:
    letters = 0
    for page in cut_list_pages(sheets, "Kit"):
        for label in (each for each in labels(page) if len(each.text) == 1):
            letters += 1
            ink = Box(label.x - 0.6, label.y - 1.4, 1.2, 1.4)
            for outline in outlines(page):
                box = outline.box
                if outline.shape is Shape.ROUND:
                    x, y, radius = box.x + box.width / 2, box.y + box.height / 2, box.width / 2
                    corners = [math.hypot(a - x, b - y) for a in (ink.x, ink.right) for b in (ink.y, ink.bottom)]
                    assert max(corners) < radius or min(corners) > radius, label.text
                    continue
                if ink.y < box.bottom and ink.bottom > box.y:
                    assert min(abs(ink.x + 0.6 - box.x), abs(ink.x + 0.6 - box.right)) > 0.7, label.text
                if ink.x < box.right and ink.right > box.x:
                    assert min(abs(ink.y + 0.7 - box.y), abs(ink.y + 0.7 - box.bottom)) > 0.8, label.text
    assert letters > 5


def test_sheets_that_are_alike_are_told_of_together(sheets: list[ImposedSheet[str]]) -> None:
    (page,) = cut_list_pages([sheets[0], sheets[0], sheets[0], sheets[-1], sheets[0]], "Kit")
    assert [line for line in said(page) if line.startswith("Sheet")] == ["Sheets 1–3, 5", "Sheet 4"]


def test_the_page_shows_each_piece_small_and_stays_on_the_paper(sheets: list[ImposedSheet[str]]) -> None:
    pages = cut_list_pages(sheets, "Kit")
    pieces = sum(len(sprue.slots) for sprue in {sheet.sprue for sheet in sheets})
    shown = [outline for page in pages for outline in outlines(page)]
    assert sum(outline.shape is Shape.RECTANGLE for outline in shown) == pieces + len({s.sprue for s in sheets})
    for outline in shown:
        assert min(outline.box.x, outline.box.y) >= 10
        assert outline.box.bottom <= A4.height - 10
    for page in pages:
        assert all(label.y < A4.height - 10 for label in labels(page))


def test_layouts_stand_in_two_columns_on_wide_paper_and_in_one_on_narrow_paper_or_alone(
    sheets: list[ImposedSheet[str]],
) -> None:
    def places(paper: Size, *sizes: Size) -> set[tuple[float, float]]:
        sprues = [grid_sprue(paper, size, margin=5, gap=0, bleed=3) for size in sizes]
        cut = [each._replace(cut_steps=plan_cuts(Box(0, 0, *paper), cut_cells(each.slots))) for each in sprues]
        (page,) = cut_list_pages([ImposedSheet(each, (PrintPiece("a"),) * len(each.slots), 3) for each in cut], "Kit")
        return {(round(label.x), round(label.y)) for label in labels(page) if label.text.startswith("Sheet")}

    sizes = Size(60, 60), Size(70, 70), Size(80, 80)
    (left, top), (_, lower), (right, beside) = sorted(places(A4, *sizes))
    assert top == beside < lower
    assert right > A4.width / 2 > left
    assert len({x for x, _ in places(PAPER_SIZES["a5"], *sizes[:2])}) == 1
    assert len(places(A4, sizes[0])) == 1


def test_whoever_folds_is_told_to_do_so_first(sheets: list[ImposedSheet[str]]) -> None:
    page, *_ = cut_list_pages(sheets, "Kit", folded=True)
    assert any(line.startswith("Fold and glue the sheets first.") for line in said(page))


def test_a_sheet_that_is_folded_is_shown_folded(sheets: list[ImposedSheet[str]]) -> None:
    flat, folded = (outlines(cut_list_pages(sheets[:1], "Kit", folded=each)[0])[0].box for each in (False, True))
    assert (folded.width, folded.height) == pytest.approx((flat.width, flat.height / 2))


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_lengths_are_wrapped_inside_the_margin(paper: str) -> None:
    size = PAPER_SIZES[paper]
    sprue = grid_sprue(size, Size(20, 10), margin=5, gap=0, bleed=3)
    steps = plan_cuts(Box(0, 0, *size), cut_cells(sprue.slots))
    sheet = ImposedSheet(sprue._replace(cut_steps=steps), tuple(PrintPiece("a") for _ in sprue.slots), 3)
    (page,) = cut_list_pages([sheet], "Kit")
    for line in lines(page):
        assert line.x + max(piece.x + piece.width for piece in line.line.pieces) <= size.width - 14.9
    told = " ".join(said(page))
    for step in steps:
        assert ", ".join(f"{offset:.1f}" for offset in reversed(step.offsets)) in told


def test_numbers_stand_on_bare_paper_and_every_cut_of_the_whole_sheet_has_one(sheets: list[ImposedSheet[str]]) -> None:
    for sheet in sheets:
        sprue = sheet.sprue
        strokes, labels = numbered_cut_marks(sprue, sprue.slots)
        assert {str(number) for number in sprue.cut_steps[0].numbers} <= {label.text for label in labels}
        for stroke in strokes:
            for slot in sprue.slots:
                for share in (0.0, 0.25, 0.5, 0.75, 1.0):
                    x = stroke.x1 + share * (stroke.x2 - stroke.x1)
                    y = stroke.y1 + share * (stroke.y2 - stroke.y1)
                    assert not (slot.trim.x < x < slot.trim.right and slot.trim.y < y < slot.trim.bottom)


def test_the_cut_list_is_in_american_english(sheets: list[ImposedSheet[str]]) -> None:
    for folded in (False, True):
        words = " ".join(said(cut_list_pages(sheets, "Kit", folded=folded)[0]))
        assert "lengths are millimeters" in words
        assert "metres" not in words
