"""How far each piece of a mixed sheet may paint beyond its cut, without painting on another piece."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.sheet.packing import PUNCH_ROOM
from cardgen.sheet.page import Slot
from cardgen.units import Box, Shape, Size

# Round pieces leave a rim of white paper, so that whoever punches sees the edge of the circle.
_ROUND_BLEED = PUNCH_ROOM - 1.0
_TOLERANCE = 1e-6


def bled(slots: Sequence[Slot], bleed: float, paper: Size) -> tuple[Slot, ...]:
    """The slots with their clips: neighbours share what lies between them; lengths in millimetres."""
    return tuple(_bled(number, slots, bleed, paper) for number in range(len(slots)))


def _bled(number: int, slots: Sequence[Slot], bleed: float, paper: Size) -> Slot:
    slot = slots[number]
    most = min(bleed, _ROUND_BLEED) if slot.shape is Shape.ROUND else bleed
    others = [other.trim for index, other in enumerate(slots) if index != number]
    trim = slot.trim
    level = [other for other in others if _meet(other.y, other.bottom, trim.y, trim.bottom)]
    upright = [other for other in others if _meet(other.x, other.right, trim.x, trim.right)]
    before = _free([trim.x - other.right for other in level], most, trim.x)
    after = _free([other.x - trim.right for other in level], most, paper.width - trim.right)
    above = _free([trim.y - other.bottom for other in upright], most, trim.y)
    below = _free([other.y - trim.bottom for other in upright], most, paper.height - trim.bottom)
    clip = Box(trim.x - before, trim.y - above, trim.width + before + after, trim.height + above + below)
    return slot._replace(clip=clip, notched=any(overlap(clip, other) for other in others))


def _free(distances: Sequence[float], most: float, rim: float) -> float:
    """Half the way to the next neighbour on one side, as far as paper and bleed go."""
    near = (distance / 2 for distance in distances if distance > -_TOLERANCE)
    return max(0.0, min((*near, most, rim)))


def _meet(start: float, end: float, other_start: float, other_end: float) -> bool:
    return start < other_end - _TOLERANCE and other_start < end - _TOLERANCE


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return _meet(one.x, one.right, other.x, other.right) and _meet(one.y, one.bottom, other.y, other.bottom)
