"""Bleed of each piece on a sheet.

It is complete over blank paper, and takes half the gap beside a neighbor.
A point outside of all trims belongs to the piece that it is nearest to. Seen from a straight edge, each neighbor limits
how far the bleed may go; this limit, along the edge, is the profile of the bleed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from cardgen.sheet.leaf import Polygon, Slot
from cardgen.units import Box, Shape, Size

_TOLERANCE = 1e-6
# How finely bleed follows a circle: in steps of this many millimeters along an edge, and in parts of a turn.
_STEP = 0.75
_TURN_PARTS = 72
_BISECTIONS = 9

# How far a bleed may go at a position along an edge, because of one neighbor; both in millimeters.
_Limit: TypeAlias = Callable[[float], float]


# Most sheets of a deck have the same slots.
@lru_cache(maxsize=256)
def with_bleed(slots: tuple[Slot, ...], bleed: float, paper: Size) -> tuple[Slot, ...]:
    """Return the slots with the area that each may paint; lengths in millimeters.

    A piece paints `bleed` beyond its trim, as far as the paper goes. Where a neighbor is near, it paints up to the
    middle between the two.
    """
    return tuple(
        _slot_with_bleed(slot, (*slots[:number], *slots[number + 1 :]), bleed, paper)
        for number, slot in enumerate(slots)
    )


def _slot_with_bleed(slot: Slot, others: Iterable[Slot], bleed: float, paper: Size) -> Slot:
    reach = slot.trim.expand(bleed)
    near = [other for other in others if _is_near(slot, other, bleed)]
    if slot.shape is Shape.ROUND:
        return slot._replace(clip=reach, clip_area=(_round_area(slot, near, bleed),) if near else ())
    sheet = Box(0, 0, *paper)
    if not near:
        return slot._replace(clip=_intersection(reach, sheet), clip_area=())
    area = tuple(_rectangular_area(slot.trim, near, bleed, sheet))
    clip = bounding_box(bounds(polygon) for polygon in area)
    # What fills its box needs no area of its own.
    whole = sum(map(_polygon_area, area)) > clip.width * clip.height - _TOLERANCE
    return slot._replace(clip=clip, clip_area=() if whole else area)


def _is_near(slot: Slot, other: Slot, bleed: float) -> bool:
    """Return whether the bleeds of two pieces would overlap."""
    one, two = slot.trim.expand(bleed), other.trim.expand(bleed)
    if slot.shape is other.shape is Shape.ROUND:
        across, down = one.x + one.width / 2 - two.x - two.width / 2, one.y + one.height / 2 - two.y - two.height / 2
        return math.hypot(across, down) < (one.width + two.width) / 2 - _TOLERANCE
    return overlap(one, two)


def _rectangular_area(trim: Box, near: Sequence[Slot], bleed: float, sheet: Box) -> Iterator[Polygon]:
    """Yield the trim, and the bleed along its edges and in its corners.

    Neighbors take precedence in the corners.
    """
    yield _corners_of(trim)
    room = (trim.y, sheet.right - trim.right, sheet.bottom - trim.bottom, trim.x)
    limits = [max(0.0, min(bleed, each)) for each in room]
    for edge, limit in enumerate(limits):
        if limit > _TOLERANCE:
            yield from _edge_area(trim, edge, near, limit)
    above, right, below, left = limits
    for x, width in ((trim.x - left, left), (trim.right, right)):
        for y, height in ((trim.y - above, above), (trim.bottom, below)):
            boxes = [Box(x, y, width, height)] if min(width, height) > _TOLERANCE else []
            for other in near:
                boxes = [rest for box in boxes for rest in _subtract(box, other.trim.expand(bleed))]
            yield from map(_corners_of, boxes)


def _edge_area(trim: Box, edge: int, near: Sequence[Slot], limit: float) -> Iterator[Polygon]:
    """Yield the bleed along one edge as trapezoids.

    Edges are numbered clockwise: above (0), right (1), below (2), left (3).
    """
    length = trim.height if edge % 2 else trim.width
    local = [(each, _seen_from_edge(each.trim, trim, edge)) for each in near]
    facing = [(each, box) for each, box in local if box.bottom > _TOLERANCE]
    limits = [_limit_by(each, box) for each, box in facing]
    positions = sorted({0.0, length, *_breakpoints([box for _, box in facing], length, limit)})
    depths = [min([limit, *(by(position) for by in limits)]) for position in positions]
    for (start, depth), (end, other_depth) in pairwise(zip(positions, depths, strict=True)):
        if end - start > _TOLERANCE and max(depth, other_depth) > _TOLERANCE:
            corners = ((start, 0.0), (end, 0.0), (end, other_depth), (start, depth))
            yield tuple(_on_sheet(trim, edge, position, out) for position, out in corners)


def _seen_from_edge(box: Box, trim: Box, edge: int) -> Box:
    """Return a box in coordinates of an edge.

    x runs along the edge, y away from the trim.
    """
    across, down = box.x - trim.x, box.y - trim.y
    if edge == 0:
        return Box(across, -down - box.height, box.width, box.height)
    if edge == 1:
        return Box(down, across - trim.width, box.height, box.width)
    if edge == 2:
        return Box(across, down - trim.height, box.width, box.height)
    return Box(down, -across - box.width, box.height, box.width)


def _on_sheet(trim: Box, edge: int, position: float, out: float) -> tuple[float, float]:
    if edge % 2:
        return (trim.right + out if edge == 1 else trim.x - out, trim.y + position)
    return (trim.x + position, trim.y - out if edge == 0 else trim.bottom + out)


def _limit_by(slot: Slot, box: Box) -> _Limit:
    """Return the limit that a neighbor sets to the bleed.

    `box` is the neighbor in coordinates of the edge. Beyond the limit, a point is nearer to the neighbor.
    """
    if slot.shape is Shape.ROUND:
        radius = box.width / 2
        middle, away = box.x + radius, box.y + radius
        return lambda at: max(0.0, ((at - middle) ** 2 + away**2 - radius**2) / (2 * (away + radius)))
    half_gap = max(box.y, 0.0) / 2
    return lambda at: max(half_gap, box.x - at, at - box.right)


def _breakpoints(boxes: Sequence[Box], length: float, limit: float) -> Iterator[float]:
    """Yield the positions along an edge where its profile may bend."""
    edges = [edge for box in boxes for edge in (box.x, box.right)]
    bends = [(one + other) / 2 for one in edges for other in edges]
    for box in boxes:
        half_gap = max(box.y, 0.0) / 2
        bends += [box.x - limit, box.x - half_gap, box.right + half_gap, box.right + limit]
        steps = int((box.width + 2 * limit) / _STEP) if box.width == box.height else 0
        bends += [box.x - limit + step * _STEP for step in range(steps + 1)]
    return (bend for bend in bends if 0 < bend < length)


def _round_area(slot: Slot, near: Sequence[Slot], bleed: float) -> Polygon:
    """Return the bleed of a round piece as a polygon around it."""
    radius = slot.trim.width / 2
    x, y = slot.trim.x + radius, slot.trim.y + radius
    corners = []
    for part in range(_TURN_PARTS):
        angle = 2 * math.pi * part / _TURN_PARTS
        right, down = math.cos(angle), math.sin(angle)
        out = radius + _free_distance(x + radius * right, y + radius * down, right, down, near, bleed)
        corners.append((x + out * right, y + out * down))
    return tuple(corners)


def _free_distance(x: float, y: float, right: float, down: float, near: Sequence[Slot], bleed: float) -> float:
    """Return the distance in a direction up to which no neighbor is nearer."""

    def free(out: float) -> bool:
        return all(_distance(other, x + out * right, y + out * down) >= out - _TOLERANCE for other in near)

    if free(bleed):
        return bleed
    low, high = 0.0, bleed
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if free(middle) else (low, middle)
    return low


def _distance(slot: Slot, x: float, y: float) -> float:
    """Return how far a point lies outside of a trim."""
    trim = slot.trim
    if slot.shape is Shape.ROUND:
        radius = trim.width / 2
        return math.hypot(x - trim.x - radius, y - trim.y - radius) - radius
    return max(trim.x - x, x - trim.right, trim.y - y, y - trim.bottom)


def _subtract(box: Box, hole: Box) -> Iterator[Box]:
    """Yield the parts of a box outside a hole."""
    if not overlap(box, hole):
        yield box
        return
    top, bottom = max(box.y, hole.y), min(box.bottom, hole.bottom)
    parts = (
        (box.x, box.y, box.right, top),
        (box.x, bottom, box.right, box.bottom),
        (box.x, top, hole.x, bottom),
        (hole.right, top, box.right, bottom),
    )
    for x, y, right, lower in parts:
        if right - x > _TOLERANCE and lower - y > _TOLERANCE:
            yield Box(x, y, right - x, lower - y)


def _intersection(one: Box, other: Box) -> Box:
    x, y = max(one.x, other.x), max(one.y, other.y)
    return Box(x, y, min(one.right, other.right) - x, min(one.bottom, other.bottom) - y)


def _corners_of(box: Box) -> Polygon:
    return ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))


def _polygon_area(polygon: Polygon) -> float:
    """Return the area of a polygon by the shoelace formula."""
    closed = pairwise((*polygon, polygon[0]))
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in closed)) / 2


def bounds(polygon: Polygon) -> Box:
    """Return the smallest box around a polygon."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def painted_boxes(slot: Slot) -> tuple[Box, ...]:
    """Return boxes that cover what a slot may paint."""
    return tuple(map(bounds, slot.clip_area)) or (slot.clip,)


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box that holds all boxes."""
    all_boxes = tuple(boxes)
    left, top = min(box.x for box in all_boxes), min(box.y for box in all_boxes)
    return Box(left, top, max(box.right for box in all_boxes) - left, max(box.bottom for box in all_boxes) - top)


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    across = max(other.x - one.right, one.x - other.right)
    down = max(other.y - one.bottom, one.y - other.bottom)
    return across < -_TOLERANCE and down < -_TOLERANCE
