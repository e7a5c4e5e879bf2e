"""Tiles: together they are the whole piece, and each says where it belongs."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cardgen.sheet.imposition import PrintPiece, SheetSettings, tile
from cardgen.sheet.leaf import Layer, SheetPage, pages_of
from cardgen.sheet.printer_marks import TILE_OVERLAP
from cardgen.units import PAPER_SIZES, Box, Size
from tests.sheet.pages import labels, strokes

WARNIRIS, WARCRY = Size(600, 420), Size(762, 558.8)


def pages(size: Size, paper: str = "a4", margin: float = 5) -> list[SheetPage[str]]:
    settings = SheetSettings(PAPER_SIZES[paper], margin)
    return list(pages_of(tile([PrintPiece("mat", name="M", group="mat")], size, settings, "T")))


def shown(page: SheetPage[str], size: Size) -> Box:
    """Return the part of the piece, as it lies on the sheets, that a page shows without bleed."""
    (placement,) = page.placements
    whole, turned = placement.slot.trim, placement.slot.turn != 0
    assert (whole.width, whole.height) == pytest.approx(size.swap_sides() if turned else size)
    return Box(page.trim.x - whole.x, page.trim.y - whole.y, page.trim.width, page.trim.height)


@pytest.mark.parametrize("size", [WARNIRIS, WARCRY, Size(1219.2, 100)])
@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_tiles_cover_the_piece_and_overlap_by_a_centimeter(size: Size, paper: str) -> None:
    sheets = pages(size, paper)
    boxes = [shown(page, size) for page in sheets]
    lefts, tops = (sorted({round(getattr(box, side), 6) for box in boxes}) for side in ("x", "y"))
    assert len(boxes) == len(lefts) * len(tops)
    first = boxes[0]
    for starts, side in ((lefts, first.width), (tops, first.height)):
        assert starts[0] == 0
        assert all(later - start == pytest.approx(side - TILE_OVERLAP) for start, later in pairwise(starts))
    turned = sheets[0].placements[0].slot.turn != 0
    whole = size.swap_sides() if turned else size
    assert (lefts[-1] + first.width, tops[-1] + first.height) == pytest.approx(whole)


@pytest.mark.parametrize(("size", "count"), [(WARNIRIS, 8), (WARCRY, 12), (Size(180, 260), 1)])
def test_there_are_as_few_sheets_as_possible(size: Size, count: int) -> None:
    assert len(pages(size)) == count


def test_everything_is_inside_the_margin() -> None:
    for page in pages(WARCRY, margin=6):
        inner = Box(6, 6, page.paper.width - 12, page.paper.height - 12)
        points = [(s.x1, s.y1) for s in strokes(page)] + [(s.x2, s.y2) for s in strokes(page)]
        points += [(label.x, label.y) for label in labels(page)]
        points += [(page.bleed.x, page.bleed.y), (page.bleed.right, page.bleed.bottom)]
        assert all(inner.x <= x <= inner.right and inner.y <= y <= inner.bottom for x, y in points)


def test_only_outer_edges_bleed() -> None:
    first, *_, last = pages(WARNIRIS)
    assert (first.trim.x - first.bleed.x, first.trim.y - first.bleed.y) == pytest.approx((3, 3))
    assert (first.bleed.right, first.bleed.bottom) == pytest.approx((first.trim.right, first.trim.bottom))
    assert (last.bleed.right - last.trim.right, last.bleed.bottom - last.trim.bottom) == pytest.approx((3, 3))
    assert (last.trim.x, last.trim.y) == pytest.approx((last.bleed.x, last.bleed.y))


def test_marks_show_where_the_next_tiles_are_glued() -> None:
    first, *_, last = pages(WARNIRIS)
    dashed = [stroke for stroke in strokes(first) if stroke.dashed]
    assert {stroke.layer for stroke in dashed} == {Layer.FOLDS}
    assert {round(s.x1, 6) for s in dashed if s.x1 == s.x2} == {round(first.trim.right - TILE_OVERLAP, 6)}
    assert {round(s.y1, 6) for s in dashed if s.y1 == s.y2} == {round(first.trim.bottom - TILE_OVERLAP, 6)}
    words = " ".join(label.text for label in labels(first))
    assert "A1 · row 1 of 2, column 1 of 4" in words
    assert "glue A2 here" in words and "glue B1 here" in words
    assert not [stroke for stroke in strokes(last) if stroke.dashed]
    assert [page.name for page in pages(WARNIRIS)][:5] == ["M A1", "M A2", "M A3", "M A4", "M B1"]


def test_the_edge_of_the_next_tile_is_marked_inside_the_overlap() -> None:
    """Marks beside a tile are cut off; those inside begin at the edge of the next tile, which covers them."""
    inner = 0
    for page in pages(WARCRY):
        marks = [stroke for stroke in strokes(page) if not stroke.dashed and stroke.layer is Layer.FOLDS]
        right = [s for s in marks if s.y1 == s.y2]
        below = [s for s in marks if s.x1 == s.x2]
        for found, edge, start, far in (
            (right, page.trim.right - TILE_OVERLAP, "x1", "x2"),
            (below, page.trim.bottom - TILE_OVERLAP, "y1", "y2"),
        ):
            is_last = not any(s.dashed and edge == pytest.approx(getattr(s, start)) for s in strokes(page))
            assert len(found) == (0 if is_last else 3)
            assert all(getattr(s, start) == pytest.approx(edge) for s in found)
            assert all(2 < getattr(s, far) - edge < TILE_OVERLAP for s in found)
        for s in marks:
            assert page.trim.x + TILE_OVERLAP < s.x1 and s.x2 <= page.trim.right
            assert page.trim.y + TILE_OVERLAP < s.y1 and s.y2 <= page.trim.bottom
            assert s.halo
        inner += len(marks)
    assert inner


def test_paper_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="too small for tiles"):
        pages(WARNIRIS, "a5", margin=50)
