"""Sheets of equal disks with circular cut lines, to cut with scissors."""

from __future__ import annotations

from cardgen.sheet.bleed import with_bleed
from cardgen.sheet.disk_arrangement import pack_disks
from cardgen.sheet.gang_sheet import packing_areas
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import PrinterMark, Sprue
from cardgen.units import Box, Shape, Size

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
