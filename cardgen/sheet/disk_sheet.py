"""Sheets of round pieces."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

from cardgen.sheet.bleed import with_bleed
from cardgen.sheet.gang_sheet import packing_areas
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import PrinterMark, Sprue
from cardgen.units import Box, Shape, Size

# Packing of equal disks in a rectangle: in a square grid, or staggered where that holds more.
# Staggered rows are shifted by half a column. Their columns may spread over the whole width: rows then move closer
# together, until they are hexagonal or every second row would touch.

# Centers of disks, in millimeters.
Centers: TypeAlias = tuple[tuple[float, float], ...]
_TOLERANCE = 1e-6


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
    return _centered(best, room)


def _arrangements(inner: Size, pitch: float) -> Iterator[Centers]:
    """Yield the square grid, and staggered rows of every useful column pitch."""
    columns = _count(inner.width, pitch)
    rows = _count(inner.height, pitch)
    yield _rows(pitch, pitch, [columns] * rows, shift=0.0)
    for wide in _column_pitches(inner.width, pitch, columns):
        yield _staggered(inner, wide, pitch)


def _column_pitches(width: float, pitch: float, columns: int) -> Iterator[float]:
    """Yield the hexagonal pitch, and the ones that fill the width."""
    yield pitch
    for spaces in (columns - 1, columns - 0.5, columns - 1.5, columns - 2):
        if spaces > 0 and width / spaces > pitch:
            yield width / spaces


def _staggered(inner: Size, wide: float, pitch: float) -> Centers:
    """Return rows that alternate between two numbers of disks, which may be equal."""
    tall = max(math.sqrt(max(pitch**2 - wide**2 / 4, 0.0)), pitch / 2)
    even, odd = _count(inner.width, wide), _count(inner.width - wide / 2, wide)
    rows = _count(inner.height, tall)
    return _rows(wide, tall, [odd if row % 2 else even for row in range(rows)], shift=wide / 2)


def _rows(wide: float, tall: float, counts: list[int], *, shift: float) -> Centers:
    return tuple(
        (column * wide + (shift if row % 2 else 0.0), row * tall)
        for row, count in enumerate(counts)
        for column in range(count)
    )


def _count(space: float, pitch: float) -> int:
    """Return how many disks fit if their centers have this space."""
    return int((space + _TOLERANCE) // pitch) + 1 if space > -_TOLERANCE else 0


def _centered(centers: Centers, room: Size) -> Centers:
    xs, ys = [x for x, _ in centers], [y for _, y in centers]
    right, down = (room.width - min(xs) - max(xs)) / 2, (room.height - min(ys) - max(ys)) / 2
    return tuple(sorted(((x + right, y + down) for x, y in centers), key=lambda each: (round(each[1], 3), each[0])))


# Sheets of equal disks with circular cut lines, to cut with scissors.

# Bleed of disks in millimeters. It is enough for scissors, and more disks fit than with the bleed of cards.
DISK_BLEED = 2.0
_MARKS = (PrinterMark.CIRCLES, PrinterMark.RULE)


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
    return Sprue(paper, with_bleed(slots, bleed, paper), margin, room.slug_on_left, marks=_MARKS)
