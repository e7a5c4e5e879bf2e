"""Gang sheets: pieces of several sizes packed on one sheet, with cuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardgen.sheet.bleed import bounding_box, with_bleed
from cardgen.sheet.cut_sequence import plan_cuts
from cardgen.sheet.guillotine_packing import BinFill, Demand, clearance, pack
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import SLUG_STRIP, TURNED, Sprue
from cardgen.units import Box, Shape, Size

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
    return Sprue(paper, with_bleed(tuple(slots), bleed, paper), margin, areas[fill.area_number].slug_on_left, steps)
