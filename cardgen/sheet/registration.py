"""Registration marks and card layouts that optical cutters read.

The cutter's software works in whole pixels of 300 per inch, and so do the layouts: the marks are found to a tenth of a
millimeter, and a layout must not differ from one run to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from cardgen.sheet.bleed import with_bleed
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import TURNED, Sprue
from cardgen.units import MM_PER_INCH, Box, Shape, Size

# Distance between neighboring cards, which share it as bleed, and around the marks; millimeters.
CARD_DISTANCE = 1.25
DEFAULT_INSET, FEEDER_INSET = 10.0, 15.875
_PADDING = 1.5
_SHORTEST = 5.0
# The lines of the marks, and how far their outer edges are outside the inset at the near (top, left) and far sides.
THICKNESS = 1.058
_SQUARE = 6.054
_NEAR, _FAR = 0.52, 0.58
# How far an arm, from its outer edge to its tip, is longer than the length of the mark.
_TIP = 0.555
_DPI = 300


class MarkPattern(IntEnum):
    """Number of registration marks: a square and two corners, or four corners."""

    THREE = 3
    FOUR = 4


@dataclass(frozen=True, slots=True)
class CutterLayout:
    """Slots on a landscape sheet, and its registration marks; millimeters."""

    sprue: Sprue
    pattern: MarkPattern
    inset: float
    length: float

    @property
    def marks(self) -> tuple[Box, ...]:
        """The filled boxes of the marks."""
        return tuple(registration_marks(self.sprue.paper, self.pattern, self.inset, self.length))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Grid of cards in pixels: position of the first, size of each, columns, and rows."""

    x: int
    y: int
    card: tuple[int, int]
    columns: int
    rows: int
    turned: bool

    @property
    def count(self) -> int:
        return self.columns * self.rows


def cutter_layout(
    paper: Size, card: Size, shape: Shape, pattern: MarkPattern, inset: float = DEFAULT_INSET
) -> CutterLayout:
    """Return the layout with the most cards.

    Raises ValueError with a message for the user if not even one card fits.
    """
    landscape = paper if paper.is_landscape else paper.swap_sides()
    page = (_pixels(landscape.width), _pixels(landscape.height))
    grids = [grid for turned in (False, True) for grid in _grids(page, card, inset, turned=turned)]
    if not grids:
        message = f"a card of {card} does not fit between the registration marks on paper of {paper}"
        raise ValueError(f"{message}; choose larger paper or a smaller inset")
    best = max(grids, key=lambda grid: (grid.count, not grid.turned))
    edge, distance = _pixels(inset), _pixels(CARD_DISTANCE)
    length = _millimetres(max(best.x - edge, best.y - edge) - distance)
    slots = with_bleed(tuple(_slots(best, card, shape)), CARD_DISTANCE / 2, landscape)
    return CutterLayout(Sprue(landscape, slots, inset, slug_on_left=False, marks=()), pattern, inset, length)


def without_slots(layout: CutterLayout, skipped: frozenset[int]) -> CutterLayout:
    """Return the layout without some slots, which are numbered from 1 in reading order."""
    slots = tuple(slot for number, slot in enumerate(layout.sprue.slots, 1) if number not in skipped)
    return replace(layout, sprue=replace(layout.sprue, slots=slots))


def _pixels(length: float) -> int:
    return round(length * _DPI / MM_PER_INCH)


def _millimetres(pixels: int) -> float:
    return pixels * MM_PER_INCH / _DPI


def _grids(page: tuple[int, int], card: Size, inset: float, *, turned: bool) -> Iterator[_Grid]:
    """Yield the grids that stay clear of the corners."""
    size = card.swap_sides() if turned else card
    cell = (_pixels(size.width), _pixels(size.height))
    edge, reach = _pixels(inset), _pixels(_SHORTEST)
    for margin_x, margin_y in ((edge, edge), (edge + reach, edge), (edge, edge + reach)):
        columns = _most(page[0] - 2 * margin_x, cell[0])
        rows = _most(page[1] - 2 * margin_y, cell[1])
        for fewer in ((columns, rows), (columns - 1, rows), (columns, rows - 1)):
            if min(fewer) > 0:
                grid = _centred(page, cell, *fewer, turned=turned)
                if _is_clear(grid, edge + reach + _pixels(THICKNESS / 2) + _pixels(_PADDING)):
                    yield grid


def _most(space: int, side: int) -> int:
    distance = _pixels(CARD_DISTANCE)
    return max(0, (space + distance) // (side + distance))


def _centred(page: tuple[int, int], cell: tuple[int, int], columns: int, rows: int, *, turned: bool) -> _Grid:
    distance = _pixels(CARD_DISTANCE)
    width = columns * cell[0] + (columns - 1) * distance
    height = rows * cell[1] + (rows - 1) * distance
    return _Grid(round((page[0] - width) / 2), round((page[1] - height) / 2), cell, columns, rows, turned)


def _is_clear(grid: _Grid, zone: int) -> bool:
    """Return whether the cards with their bleed stay out of the corners, along one axis at least."""
    bleed = _pixels(CARD_DISTANCE / 2)
    return grid.x - bleed >= zone or grid.y - bleed >= zone


def _slots(grid: _Grid, card: Size, shape: Shape) -> Iterator[Slot]:
    size = card.swap_sides() if grid.turned else card
    distance = _pixels(CARD_DISTANCE)
    for row in range(grid.rows):
        for column in range(grid.columns):
            x = _millimetres(grid.x + column * (grid.card[0] + distance))
            y = _millimetres(grid.y + row * (grid.card[1] + distance))
            box = Box(x, y, *size)
            yield Slot(box, box, TURNED if grid.turned else 0, shape)


def registration_marks(paper: Size, pattern: MarkPattern, inset: float, length: float) -> Iterator[Box]:
    """Yield the filled boxes of the marks on a page in landscape.

    The edges are those of the official sheets to 0.05 mm; `length` is that of the arms, from the inset.
    """
    near, arm = inset - _NEAR, length + _TIP
    right, bottom = paper.width - inset + _FAR, paper.height - inset + _FAR
    if pattern is MarkPattern.THREE:
        yield Box(near, near, _SQUARE, _SQUARE)
    else:
        yield from _corner(near, near, arm, arm)
        yield from _corner(right, bottom, -arm, -arm)
    yield from _corner(right, near, -arm, arm)
    yield from _corner(near, bottom, arm, -arm)


def _corner(x: float, y: float, across: float, down: float) -> Iterator[Box]:
    """Yield the two arms of a corner mark, from the outer corner inward."""
    yield _box(x, y, across, THICKNESS if down > 0 else -THICKNESS)
    yield _box(x, y, THICKNESS if across > 0 else -THICKNESS, down)


def _box(x: float, y: float, width: float, height: float) -> Box:
    return Box(min(x, x + width), min(y, y + height), abs(width), abs(height))
