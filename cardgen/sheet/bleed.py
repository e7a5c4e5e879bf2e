"""Bleed of each piece on a gang sheet, clipped at its neighbors."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.sheet.guillotine_packing import PUNCH_CLEARANCE
from cardgen.sheet.page import Slot
from cardgen.units import Box, Shape, Size

# Bleed of round pieces is limited, so that the edge of the circle is visible for punching.
_MAX_ROUND_BLEED = PUNCH_CLEARANCE - 1.0
_TOLERANCE = 1e-6


def with_bleed(slots: Sequence[Slot], bleed: float, paper: Size) -> tuple[Slot, ...]:
    """Return the slots with clips that include the bleed; millimeters.

    Neighbors share the space between them.
    """
    return tuple(_slot_with_bleed(number, slots, bleed, paper) for number in range(len(slots)))


def _slot_with_bleed(number: int, slots: Sequence[Slot], bleed: float, paper: Size) -> Slot:
    slot = slots[number]
    limit = min(bleed, _MAX_ROUND_BLEED) if slot.shape is Shape.ROUND else bleed
    others = [other.trim for index, other in enumerate(slots) if index != number]
    trim = slot.trim
    in_row = [other for other in others if _spans_overlap(other.y, other.bottom, trim.y, trim.bottom)]
    in_column = [other for other in others if _spans_overlap(other.x, other.right, trim.x, trim.right)]
    before = _bleed_on_side([trim.x - other.right for other in in_row], limit, trim.x)
    after = _bleed_on_side([other.x - trim.right for other in in_row], limit, paper.width - trim.right)
    above = _bleed_on_side([trim.y - other.bottom for other in in_column], limit, trim.y)
    below = _bleed_on_side([other.y - trim.bottom for other in in_column], limit, paper.height - trim.bottom)
    clip = Box(trim.x - before, trim.y - above, trim.width + before + after, trim.height + above + below)
    return slot._replace(clip=clip, notched=any(overlap(clip, other) for other in others))


def _bleed_on_side(distances: Sequence[float], limit: float, to_edge: float) -> float:
    """Return the bleed on one side.

    It is half the distance to the next neighbor, limited by the bleed and the edge of the paper.
    """
    near = (distance / 2 for distance in distances if distance > -_TOLERANCE)
    return max(0.0, min((*near, limit, to_edge)))


def _spans_overlap(start: float, end: float, other_start: float, other_end: float) -> bool:
    return start < other_end - _TOLERANCE and other_start < end - _TOLERANCE


def overlap(one: Box, other: Box) -> bool:
    """True if two boxes share more than an edge."""
    return _spans_overlap(one.x, one.right, other.x, other.right) and _spans_overlap(
        one.y, one.bottom, other.y, other.bottom
    )
