"""Sheets of pieces of different sizes, which guillotine cuts separate, and sheets of round pieces."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cardgen.sheet.leaf import Slot
from cardgen.sheet.sprue import DISK_MARKS, SLUG_STRIP, TURNED, Sprue, bounding_box, plan_cuts, with_bleed
from cardgen.units import Box, Shape, Size

# Guillotine bin packing by beam search and sequential value correction.
# An area is filled with blocks of equal pieces, each in the corner of a free area. The rest is cut in two from edge
# to edge, along either side of the block. A beam keeps the best partial fills. The search runs in rounds: pieces on
# sheets with much waste get a higher value in the next round (sequential value correction, Belov and Scheithauer).
# There is no randomness and no time limit, so the same pieces always give the same sheets.

# Paper that a punch needs around a round piece, in millimeters.
PUNCH_CLEARANCE = 3.0

_MICRONS = 1000
_TOLERANCE = 1e-6
# Width of the beam, and the number of partial fills after which no further round starts.
_BEAM_WIDTH, _QUICK_BEAM_WIDTH = 24, 3
_MAX_WORK = 40_000
# Exponent and upper limit of the effect of waste on a piece's value.
_VALUE_EXPONENT = 1.3
_MAX_WASTE_RATIO = 5.0


@dataclass(frozen=True, slots=True)
class Demand:
    """Number of pieces of one sort; `size` is their trim size."""

    size: Size
    count: int
    shape: Shape = Shape.RECTANGLE
    may_turn: bool = True


class PackedPiece(NamedTuple):
    """Piece on a sheet: demand, trim in the area, and rotation.

    `turned` is True for a quarter turn.
    """

    demand: int
    trim: Box
    turned: bool


class BinFill(NamedTuple):
    """Pieces on one sheet in reading order, and their area's number."""

    area_number: int
    pieces: tuple[PackedPiece, ...]


class _Item(NamedTuple):
    """Orientation of a demand's piece: size in microns, and value."""

    demand: int
    width: int
    height: int
    value: float
    turned: bool


class _FreeArea(NamedTuple):
    x: int
    y: int
    width: int
    height: int


class _Block(NamedTuple):
    """Columns and rows of equal pieces in a free area's corner."""

    item: _Item
    x: int
    y: int
    columns: int
    rows: int


class _PartialFill(NamedTuple):
    """Partly filled sheet: free areas, pieces left, blocks, and rating."""

    free: tuple[_FreeArea, ...]
    left: tuple[int, ...]
    blocks: tuple[_Block, ...]
    value: float
    wasted: int


class TooLargeError(ValueError):
    """A piece is larger than every area; `demand` is its number."""

    def __init__(self, demand: int) -> None:
        super().__init__(demand)
        self.demand = demand


@dataclass(slots=True)
class _WorkCounter:
    """Number of partial fills examined.

    Unlike time, it is the same on every machine.
    """

    count: int = 0


def pack(demands: Sequence[Demand], areas: Sequence[Size], gap: float = 0.0) -> list[BinFill]:
    """Pack all pieces onto sheets; millimeters.

    Each sheet uses one of the `areas`. Raises TooLargeError if a piece is larger than every area.
    """
    regions = [_region(room, gap) for room in areas]
    number = _too_large(demands, regions, gap)
    if number is not None:
        raise TooLargeError(number)
    best: list[BinFill] = []
    fewest, values, work = lower_bound(demands, areas, gap), [1.0] * len(demands), _WorkCounter()
    while not best or (len(best) > fewest and work.count < _MAX_WORK):
        fills = _pack_bins(demands, regions, gap, values, work)
        if not best or len(fills) < len(best):
            best = fills
        # Raise the values of pieces on sheets with much waste.
        fullest = max(_filled_area(filling) for filling in fills)
        wants: dict[int, list[float]] = {}
        for fill in fills:
            for each in fill.pieces:
                wants.setdefault(each.demand, []).append(min(_MAX_WASTE_RATIO, fullest / _filled_area(fill)))
        values = [
            value * (1 + (sum(wants[number]) / len(wants[number])) ** _VALUE_EXPONENT) / 2 if number in wants else value
            for number, value in enumerate(values)
        ]
    return best


def sheets_at_most(
    demands: Sequence[Demand], paper: Size, *, margin: float, gap: float, bleed: float, area: Box
) -> int | None:
    """Return a number of sheets that is enough for `gang_sheets`, in a fraction of its time; None if a piece is larger.

    Lengths are in millimeters.
    """
    regions = [_region(each.size, gap) for each in packing_areas(area, margin, bleed)]
    if _too_large(demands, regions, gap) is not None:
        return None
    return len(_pack_bins(demands, regions, gap, [1.0] * len(demands), _WorkCounter(), _QUICK_BEAM_WIDTH))


def _region(size: Size, gap: float) -> _FreeArea:
    return _FreeArea(0, 0, _microns(size.width + gap), _microns(size.height + gap))


def _too_large(demands: Sequence[Demand], regions: Sequence[_FreeArea], gap: float) -> int | None:
    """Return the number of the first demand that is larger than every area."""
    sorts = enumerate(demands)
    return next(
        (
            n
            for n, each in sorts
            if not any(_fits(item, room) for item in _items(n, each, gap, 1.0) for room in regions)
        ),
        None,
    )


def lower_bound(demands: Sequence[Demand], areas: Sequence[Size], gap: float = 0.0) -> int:
    """Return the minimum number of sheets by area alone."""
    around = (2 * clearance(demand.shape, gap) for demand in demands)
    area = sum(
        (demand.size.width + more) * (demand.size.height + more) * demand.count
        for demand, more in zip(demands, around, strict=True)
    )
    return math.ceil(area / max((room.width + gap) * (room.height + gap) for room in areas) - _TOLERANCE)


def _pack_bins(
    demands: Sequence[Demand],
    areas: Sequence[_FreeArea],
    gap: float,
    values: Sequence[float],
    work: _WorkCounter,
    beam_width: int = _BEAM_WIDTH,
) -> list[BinFill]:
    """Fill sheet by sheet, repeating each fill as often as possible."""
    items = [item for number, demand in enumerate(demands) for item in _items(number, demand, gap, values[number])]
    items.sort(key=lambda item: (-item.value, item.demand, item.turned))
    left = [demand.count for demand in demands]
    sheets: list[BinFill] = []
    while any(left):
        best, room = max(
            ((_fill_bin(items, region, tuple(left), work, beam_width), number) for number, region in enumerate(areas)),
            key=lambda each: (each[0].value, -each[1]),
        )
        used = Counter(dict.fromkeys(range(len(demands)), 0))
        for block in best.blocks:
            used[block.item.demand] += block.columns * block.rows
        times = min(have // used[number] for number, have in enumerate(left) if used[number])
        left = [have - times * used[number] for number, have in enumerate(left)]
        pieces = (each for block in best.blocks for each in _pieces(block, demands[block.item.demand], gap))
        sheets += [BinFill(room, tuple(sorted(pieces, key=lambda each: (each.trim.y, each.trim.x))))] * times
    return sheets


def _filled_area(fill: BinFill) -> float:
    return sum(each.trim.width * each.trim.height for each in fill.pieces)


def _fits(item: _Item, region: _FreeArea) -> bool:
    return item.width <= region.width and item.height <= region.height


def _fill_bin(
    items: Sequence[_Item], area: _FreeArea, left: tuple[int, ...], work: _WorkCounter, beam_width: int
) -> _PartialFill:
    """Return the best fill of an area that the beam search finds."""
    beam, finished = [_PartialFill((area,), left, (), 0.0, 0)], []
    while beam:
        following: dict[tuple[tuple[_FreeArea, ...], tuple[int, ...]], _PartialFill] = {}
        for partial in beam:
            if not partial.free:
                finished.append(partial)
                continue
            for each in _extensions(partial, items):
                work.count += 1
                rival = following.get((each.free, each.left))
                if rival is None or each.wasted < rival.wasted:
                    following[each.free, each.left] = each
        beam = sorted(following.values(), key=_beam_rank)[:beam_width]
    return max(finished, key=lambda each: (each.value, -len(each.blocks)))


def _beam_rank(partial: _PartialFill) -> tuple[float, int]:
    """Rank partial fills: little waste and much filled area come first."""
    still_free = sum(region.width * region.height for region in partial.free)
    return (partial.wasted - partial.value * 0.05 + still_free * 0.05, len(partial.blocks))


def _extensions(partial: _PartialFill, items: Sequence[_Item]) -> Iterator[_PartialFill]:
    """Yield all extensions in the most recent free area.

    If nothing fits there, the area is waste.
    """
    *others, region = partial.free
    nothing = True
    for item in items:
        most = partial.left[item.demand]
        columns, rows = min(region.width // item.width, most), min(region.height // item.height, most)
        if not (columns and rows):
            continue
        nothing = False
        for across, down in _block_shapes(columns, rows, most):
            yield from _place_block(partial, tuple(others), region, item, across, down)
    if nothing:
        waste = region.width * region.height
        yield _PartialFill(tuple(others), partial.left, partial.blocks, partial.value, partial.wasted + waste)


def _block_shapes(columns: int, rows: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield block shapes: full columns, full rows, one row, one column."""
    yield from dict.fromkeys(
        ((columns, min(rows, most // columns)), (min(columns, most // rows), rows), (columns, 1), (1, rows))
    )


def _place_block(
    partial: _PartialFill, others: tuple[_FreeArea, ...], region: _FreeArea, item: _Item, columns: int, rows: int
) -> Iterator[_PartialFill]:
    """Place a block in the corner; cut the rest both ways."""
    width, height = columns * item.width, rows * item.height
    left = list(partial.left)
    left[item.demand] -= columns * rows
    blocks = (*partial.blocks, _Block(item, region.x, region.y, columns, rows))
    value = partial.value + item.value * columns * rows
    x, y, wide, high = region
    beside = (_FreeArea(x + width, y, wide - width, high), _FreeArea(x + width, y, wide - width, height))
    below = (_FreeArea(x, y + height, width, high - height), _FreeArea(x, y + height, wide, high - height))
    for pair in zip(beside, below, strict=True):
        rest = sorted((each for each in pair if each.width and each.height), key=lambda each: each.width * each.height)
        yield _PartialFill((*others, *rest), tuple(left), blocks, value, partial.wasted)
        if len(rest) < 2:
            return


def _items(number: int, demand: Demand, gap: float, unit_value: float) -> tuple[_Item, ...]:
    around = 2 * clearance(demand.shape, gap)
    # Round up, so that pieces never overlap; a gap of less than a micron does not matter.
    sides = (demand.size.width + around, demand.size.height + around)
    width, height = (math.ceil(side * _MICRONS - _TOLERANCE) for side in sides)
    value = width * height * unit_value
    unturned = _Item(number, width, height, value, turned=False)
    if not demand.may_turn or width == height:
        return (unturned,)
    return (unturned, _Item(number, height, width, value, turned=True))


def clearance(shape: Shape, gap: float) -> float:
    """Return the space around a piece's trim on every side, in millimeters.

    It is half the gap, or the room for the punch.
    """
    return gap / 2 if shape is Shape.RECTANGLE else max(PUNCH_CLEARANCE, gap / 2)


def _microns(length: float) -> int:
    return round(length * _MICRONS)


def _pieces(block: _Block, demand: Demand, gap: float) -> Iterator[PackedPiece]:
    item, around = block.item, clearance(demand.shape, gap)
    size = demand.size.swap_sides() if item.turned else demand.size
    for row in range(block.rows):
        for column in range(block.columns):
            x, y = block.x + column * item.width, block.y + row * item.height
            corner = (x / _MICRONS + around - gap / 2, y / _MICRONS + around - gap / 2)
            yield PackedPiece(item.demand, Box(*corner, *size), item.turned)


# Gang sheets: pieces of several sizes packed on one sheet, with cuts.

# Width of a side strip without the scale bar, in millimeters: a little bleed and a cut mark.
_SIDE_STRIP = 2.7


class GangSheet(NamedTuple):
    """Gang sheet: its sprue and the pieces in its slots.

    `demands` holds, for each slot, the number of the demand that it serves.
    """

    sprue: Sprue
    demands: tuple[int, ...]


class PackingArea(NamedTuple):
    """Size of the packing area, and position of the slug line."""

    size: Size
    slug_on_left: bool


def gang_sheets(
    demands: Sequence[Demand], paper: Size, *, margin: float, gap: float, bleed: float, area: Box
) -> list[GangSheet]:
    """Pack all pieces onto sheets.

    `area` is the usable part of the paper; lengths are in millimeters. Equal sheets share their sprue. Raises
    TooLargeError if a piece does not fit on the paper.
    """
    areas = packing_areas(area, margin, bleed)
    fills = pack(demands, [each.size for each in areas], gap)
    sprues = {fill: _gang_sprue(fill, demands, areas, paper, area, margin, bleed) for fill in dict.fromkeys(fills)}
    return [GangSheet(sprues[fill], tuple(piece.demand for piece in fill.pieces)) for fill in fills]


def cut_cells(slots: Sequence[Slot]) -> tuple[Box, ...]:
    """Return the box to cut out for each slot.

    It is the trim, or for round pieces a box with paper to hold while punching.
    """
    return tuple(_cut_cell(slot.trim, slot.shape) for slot in slots)


def _cut_cell(trim: Box, shape: Shape) -> Box:
    return trim.expand(clearance(shape, 0)) if shape is Shape.ROUND else trim


def packing_areas(area: Box, margin: float, bleed: float) -> tuple[PackingArea, ...]:
    """Return the possible packing areas.

    The slug line is at the foot or along the left edge.
    """
    strip, side = margin + bleed + SLUG_STRIP, margin + min(bleed + 1.7, _SIDE_STRIP)
    areas = (
        PackingArea(Size(area.width - 2 * side, area.height - 2 * strip), slug_on_left=False),
        PackingArea(Size(area.width - 2 * strip, area.height - 2 * side), slug_on_left=True),
    )
    return tuple(room for room in areas if min(room.size) > 0) or (PackingArea(Size(0, 0), slug_on_left=False),)


def _gang_sprue(
    fill: BinFill,
    demands: Sequence[Demand],
    areas: Sequence[PackingArea],
    paper: Size,
    area: Box,
    margin: float,
    bleed: float,
) -> Sprue:
    """Center the pieces in the area; add bleeds and cuts."""
    block = bounding_box(_cut_cell(piece.trim, demands[piece.demand].shape) for piece in fill.pieces)
    right = area.x + (area.width - block.width) / 2 - block.x
    down = area.y + (area.height - block.height) / 2 - block.y
    slots = [
        Slot(box, box, TURNED if piece.turned else 0, demands[piece.demand].shape)
        for piece in fill.pieces
        for box in (Box(piece.trim.x + right, piece.trim.y + down, piece.trim.width, piece.trim.height),)
    ]
    steps = plan_cuts(area, cut_cells(slots))
    painted = with_bleed(tuple(slots), bleed, Box(0, 0, *paper))
    return Sprue(paper, painted, margin, areas[fill.area_number].slug_on_left, steps)


# Packing of equal disks in a rectangle: in a square grid, or staggered where that holds more.
# Staggered rows are shifted by half a column. Their columns may spread over the whole width: rows then move closer
# together, until they are hexagonal or every second row would touch.

# Centers of disks, in millimeters.
Centers: TypeAlias = tuple[tuple[float, float], ...]


def pack_disks(room: Size, diameter: float, gap: float) -> Centers:
    """Return the centers of as many disks as possible, in reading order, in the middle of the room.

    `gap` is the least distance between two disks; lengths are in millimeters. A square grid wins a tie, because it is
    easier to cut.
    """
    inner, pitch = Size(room.width - diameter, room.height - diameter), diameter + gap
    if min(inner) < -_TOLERANCE:
        return ()
    upright = list(_arrangements(inner, pitch))
    turned = [tuple((x, y) for y, x in centers) for centers in _arrangements(inner.swap_sides(), pitch)]
    best = max((*upright, *turned), key=len)
    xs, ys = [x for x, _ in best], [y for _, y in best]
    right, down = (room.width - min(xs) - max(xs)) / 2, (room.height - min(ys) - max(ys)) / 2
    return tuple(sorted(((x + right, y + down) for x, y in best), key=lambda each: (round(each[1], 3), each[0])))


def _arrangements(inner: Size, pitch: float) -> Iterator[Centers]:
    """Yield the square grid, and staggered rows of every useful column pitch."""
    columns = _count(inner.width, pitch)
    rows = _count(inner.height, pitch)
    yield _rows(pitch, pitch, [columns] * rows, shift=0.0)
    for wide in _column_pitches(inner.width, pitch, columns):
        # Rows that alternate between two numbers of disks, which may be equal.
        tall = max(math.sqrt(max(pitch**2 - wide**2 / 4, 0.0)), pitch / 2)
        even, odd = _count(inner.width, wide), _count(inner.width - wide / 2, wide)
        rows = _count(inner.height, tall)
        yield _rows(wide, tall, [odd if row % 2 else even for row in range(rows)], shift=wide / 2)


def _column_pitches(width: float, pitch: float, columns: int) -> Iterator[float]:
    """Yield the hexagonal pitch, and the ones that fill the width."""
    yield pitch
    for spaces in (columns - 1, columns - 0.5, columns - 1.5, columns - 2):
        if spaces > 0 and width / spaces > pitch:
            yield width / spaces


def _rows(wide: float, tall: float, counts: list[int], *, shift: float) -> Centers:
    return tuple(
        (column * wide + (shift if row % 2 else 0.0), row * tall)
        for row, count in enumerate(counts)
        for column in range(count)
    )


def _count(space: float, pitch: float) -> int:
    """Return how many disks fit if their centers have this space."""
    return int((space + _TOLERANCE) // pitch) + 1 if space > -_TOLERANCE else 0


# Sheets of equal disks with circular cut lines, to cut with scissors.

# Bleed of disks in millimeters. It is enough for scissors, and more disks fit than with the bleed of cards.
DISK_BLEED = 2.0


def disk_sprue(paper: Size, diameter: float, *, margin: float, gap: float, bleed: float, area: Box) -> Sprue:
    """Return as many disks as fit in an area of the paper, each with its full bleed; lengths are in millimeters.

    Raises ValueError with a message for the user if not even one disk fits.
    """
    rooms = packing_areas(area, margin, bleed)
    packings = [pack_disks(room.size, diameter, max(gap, 2 * bleed)) for room in rooms]
    centers, room = max(zip(packings, rooms, strict=True), key=lambda each: len(each[0]))
    if not centers:
        sheet = "half a sheet of" if area.height < paper.height else "paper of"
        message = f"a disk of {diameter:g} mm does not fit on {sheet} {paper} with a margin of {margin:g} mm"
        raise ValueError(f"{message}; choose larger paper or a smaller margin")
    right = area.x + (area.width - room.size.width) / 2 - diameter / 2
    down = area.y + (area.height - room.size.height) / 2 - diameter / 2
    boxes = (Box(x + right, y + down, diameter, diameter) for x, y in centers)
    slots = tuple(Slot(box, box, shape=Shape.ROUND) for box in boxes)
    return Sprue(paper, with_bleed(slots, bleed, Box(0, 0, *paper)), margin, room.slug_on_left, marks=DISK_MARKS)
