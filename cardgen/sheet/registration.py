"""Card layouts with registration marks for optical cutters.

The cutter's software works in whole pixels of 300 per inch, and so do the layouts: the marks are found to a tenth of a
millimeter, and a layout must not differ from one run to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cardgen.sheet.bleed import with_bleed
from cardgen.sheet.gang_sheet import pack_disks
from cardgen.sheet.leaf import FilledBox, Slot
from cardgen.sheet.printer_marks import REGISTRATION_THICKNESS, MarkPattern, registration_marks
from cardgen.sheet.sprue import TURNED, Sprue
from cardgen.units import MM_PER_INCH, Box, Shape, Size

# Distance between neighboring cards, which share it as bleed, and around the marks; millimeters.
CARD_DISTANCE = 1.25
DEFAULT_INSET, FEEDER_INSET = 10.0, 15.875
_PADDING = 1.5
_SHORTEST = 5.0
_DPI = 300


@dataclass(frozen=True, slots=True)
class CutterLayout:
    """Slots on a landscape sheet, and its registration marks; millimeters."""

    sprue: Sprue
    pattern: MarkPattern
    inset: float
    length: float

    @property
    def marks(self) -> tuple[FilledBox, ...]:
        """The registration marks."""
        return tuple(registration_marks(self.sprue.paper, self.pattern, self.inset, self.length))


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """Corners of the cards in pixels, in reading order."""

    corners: tuple[tuple[int, int], ...]
    turned: bool = False

    @property
    def count(self) -> int:
        return len(self.corners)

    @property
    def x(self) -> int:
        return min(x for x, _ in self.corners)

    @property
    def y(self) -> int:
        return min(y for _, y in self.corners)


def cutter_layout(
    paper: Size, card: Size, shape: Shape, pattern: MarkPattern, inset: float = DEFAULT_INSET
) -> CutterLayout:
    """Return the layout with the most cards.

    Raises ValueError with a message for the user if not even one card fits.
    """
    landscape = paper if paper.is_landscape else paper.swap_sides()
    page = (_pixels(landscape.width), _pixels(landscape.height))
    if shape is Shape.ROUND:
        found = list(_disks(page, card.width, inset))
    else:
        found = [grid for turned in (False, True) for grid in _grids(page, card, inset, turned=turned)]
    if not found:
        message = f"a card of {card} does not fit between the registration marks on paper of {paper}"
        raise ValueError(f"{message}; choose larger paper or a smaller inset")
    best = max(found, key=lambda each: (each.count, not each.turned))
    edge, distance = _pixels(inset), _pixels(CARD_DISTANCE)
    length = _millimetres(max(best.x - edge, best.y - edge) - distance)
    slots = with_bleed(tuple(_slots(best, card, shape)), CARD_DISTANCE / 2, landscape)
    return CutterLayout(Sprue(landscape, slots, inset, slug_on_left=False, marks=()), pattern, inset, length)


def without_slots(layout: CutterLayout, skipped: frozenset[int]) -> CutterLayout:
    """Return the layout without some slots, which are numbered from 1 in reading order."""
    slots = tuple(slot for number, slot in enumerate(layout.sprue.slots, 1) if number not in skipped)
    return replace(layout, sprue=layout.sprue._replace(slots=slots))


def _pixels(length: float) -> int:
    return round(_exact_pixels(length))


def _exact_pixels(length: float) -> float:
    return length * _DPI / MM_PER_INCH


def _millimetres(pixels: int) -> float:
    return pixels * MM_PER_INCH / _DPI


def _grids(page: tuple[int, int], card: Size, inset: float, *, turned: bool) -> Iterator[_Arrangement]:
    """Yield the grids that stay clear of the corners."""
    size = card.swap_sides() if turned else card
    cell = (_pixels(size.width), _pixels(size.height))
    for width, height in _rooms(page, inset):
        columns, rows = _most(width, cell[0]), _most(height, cell[1])
        for fewer in ((columns, rows), (columns - 1, rows), (columns, rows - 1)):
            if min(fewer) > 0:
                grid = _Arrangement(tuple(_grid_corners(page, cell, *fewer)), turned)
                if _is_clear(grid, inset):
                    yield grid


def _disks(page: tuple[int, int], diameter: float, inset: float) -> Iterator[_Arrangement]:
    """Yield the packings of disks that stay clear of the corners."""
    clear = _clear_zone(inset) + _pixels(CARD_DISTANCE / 2) + 1
    wide, high = page[0] - 2 * _pixels(inset), page[1] - 2 * _pixels(inset)
    for width, height in (*_rooms(page, inset), (page[0] - 2 * clear, high), (wide, page[1] - 2 * clear)):
        room = Size(_millimetres(width), _millimetres(height))
        # A pixel more, because rounding may bring two disks closer by that.
        centers = pack_disks(room, diameter, CARD_DISTANCE + _millimetres(1))
        radius = _exact_pixels(diameter / 2)
        right, down = (page[0] - width) / 2 - radius, (page[1] - height) / 2 - radius
        corners = tuple((round(_exact_pixels(x) + right), round(_exact_pixels(y) + down)) for x, y in centers)
        if corners and _is_clear(_Arrangement(corners), inset):
            yield _Arrangement(corners)


def _rooms(page: tuple[int, int], inset: float) -> Iterator[tuple[int, int]]:
    """Yield the rooms for cards: between the marks, or also clear of them along one axis."""
    edge, reach = _pixels(inset), _pixels(_SHORTEST)
    for margin_x, margin_y in ((edge, edge), (edge + reach, edge), (edge, edge + reach)):
        yield page[0] - 2 * margin_x, page[1] - 2 * margin_y


def _most(space: int, side: int) -> int:
    distance = _pixels(CARD_DISTANCE)
    return max(0, (space + distance) // (side + distance))


def _grid_corners(page: tuple[int, int], cell: tuple[int, int], columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield the corners of a grid in the middle of the page."""
    distance = _pixels(CARD_DISTANCE)
    width = columns * cell[0] + (columns - 1) * distance
    height = rows * cell[1] + (rows - 1) * distance
    left, top = round((page[0] - width) / 2), round((page[1] - height) / 2)
    for row in range(rows):
        for column in range(columns):
            yield left + column * (cell[0] + distance), top + row * (cell[1] + distance)


def _is_clear(cards: _Arrangement, inset: float) -> bool:
    """Return whether the cards with their bleed stay out of the corners, along one axis at least."""
    zone = _clear_zone(inset)
    bleed = _pixels(CARD_DISTANCE / 2)
    return cards.x - bleed >= zone or cards.y - bleed >= zone


def _clear_zone(inset: float) -> int:
    """Return the side of the corners in pixels."""
    return _pixels(inset) + _pixels(_SHORTEST) + _pixels(REGISTRATION_THICKNESS / 2) + _pixels(_PADDING)


def _slots(cards: _Arrangement, card: Size, shape: Shape) -> Iterator[Slot]:
    size = card.swap_sides() if cards.turned else card
    for x, y in cards.corners:
        box = Box(_millimetres(x), _millimetres(y), *size)
        yield Slot(box, box, TURNED if cards.turned else 0, shape)
