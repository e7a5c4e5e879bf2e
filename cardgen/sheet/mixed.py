"""Mixed sheets: pieces of several sizes, packed so that every cut runs from edge to edge, and how to cut them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.sheet.bleeding import bled
from cardgen.sheet.cutting import cut_list
from cardgen.sheet.packing import Filling, Need, pack, rim
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import STRIP, Sprue, around
from cardgen.units import Box, Shape, Size

# What a side without the rule needs beside the cuts, in millimetres: a little bleed, and a tick.
_SIDE = 2.7


@dataclass(frozen=True, slots=True)
class Mixture:
    """A sheet: its sprue, and for each slot the number of the need that it is for."""

    sprue: Sprue
    needs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Room:
    """What a sheet offers: the size of the room, and where the legend goes."""

    size: Size
    upright_legend: bool


def mixed(needs: Sequence[Need], paper: Size, *, margin: float, gap: float, bleed: float, area: Box) -> list[Mixture]:
    """The sheets for all pieces; `area` is the part of the paper that they may take, lengths are millimetres.

    Sheets that are alike share their sprue. Raises TooLargeError when a piece does not fit on the paper.
    """
    rooms = _rooms(area, margin, bleed)
    fillings = pack(needs, [room.size for room in rooms], gap)
    sprues = {filling: _sprue(filling, needs, rooms, paper, area, margin, bleed) for filling in dict.fromkeys(fillings)}
    return [Mixture(sprues[filling], tuple(piece.need for piece in filling.pieces)) for filling in fillings]


def cells(slots: Sequence[Slot]) -> tuple[Box, ...]:
    """What is cut out for each slot: its trim, or paper to hold while it is punched."""
    return tuple(_cell(slot.trim, slot.shape) for slot in slots)


def _cell(trim: Box, shape: Shape) -> Box:
    return trim.grown(rim(shape, 0)) if shape is Shape.ROUND else trim


def _rooms(area: Box, margin: float, bleed: float) -> tuple[_Room, ...]:
    """The room with the legend at the foot, and that with the legend along the left edge, as far as there is any."""
    strip, side = margin + bleed + STRIP, margin + min(bleed + 1.7, _SIDE)
    found = (
        _Room(Size(area.width - 2 * side, area.height - 2 * strip), upright_legend=False),
        _Room(Size(area.width - 2 * strip, area.height - 2 * side), upright_legend=True),
    )
    return tuple(room for room in found if min(room.size) > 0) or (_Room(Size(0, 0), upright_legend=False),)


def _sprue(
    filling: Filling,
    needs: Sequence[Need],
    rooms: Sequence[_Room],
    paper: Size,
    area: Box,
    margin: float,
    bleed: float,
) -> Sprue:
    """The pieces in the middle of the area, with their bleeds and cuts."""
    block = around(_cell(piece.trim, needs[piece.need].shape) for piece in filling.pieces)
    right = area.x + (area.width - block.width) / 2 - block.x
    down = area.y + (area.height - block.height) / 2 - block.y
    slots = [
        Slot(box, box, 90 if piece.turned else 0, needs[piece.need].shape)
        for piece in filling.pieces
        for box in (Box(piece.trim.x + right, piece.trim.y + down, piece.trim.width, piece.trim.height),)
    ]
    steps = cut_list(area, cells(slots))
    return Sprue(paper, bled(slots, bleed, paper), margin, rooms[filling.room].upright_legend, steps)
