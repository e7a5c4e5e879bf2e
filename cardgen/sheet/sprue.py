"""Sprues: slots on paper with their bleed, grids of equal cards, and the guillotine cuts that separate them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Self, TypeAlias

from cardgen.sheet.leaf import Polygon, Slot
from cardgen.units import Box, Shape, Size

# Bleed of each piece on a sheet.
# It is complete over blank paper, and takes half the gap beside a neighbor. A point outside of all trims belongs to the
# piece that it is nearest to. Seen from a straight edge, each neighbor limits how far the bleed may go; this limit,
# along the edge, is the profile of the bleed.

# How finely bleed follows a circle: in steps of this many millimeters along an edge, and in parts of a turn.
_STEP = 0.75
_TURN_PARTS = 72
_BISECTIONS = 9

# How far a bleed may go at a position along an edge, because of one neighbor; both in millimeters.
_Limit: TypeAlias = Callable[[float], float]


# Most sheets of a deck have the same slots.
@lru_cache(maxsize=256)
def with_bleed(slots: tuple[Slot, ...], bleed: float, area: Box) -> tuple[Slot, ...]:
    """Return the slots with the area that each may paint; lengths in millimeters.

    A piece paints `bleed` beyond its trim, inside the `area` of the paper. Where a neighbor is near, it paints up to
    the middle between the two.
    """
    return tuple(
        _slot_with_bleed(slot, (*slots[:number], *slots[number + 1 :]), bleed, area)
        for number, slot in enumerate(slots)
    )


def _slot_with_bleed(slot: Slot, others: Iterable[Slot], bleed: float, sheet: Box) -> Slot:
    reach = slot.trim.expand(bleed)
    near = [other for other in others if _is_near(slot, other, bleed)]
    if slot.shape is Shape.ROUND:
        return slot._replace(clip=reach, clip_area=(_round_area(slot, near, bleed),) if near else ())
    if not near:
        return slot._replace(clip=_intersection(reach, sheet), clip_area=())
    area = tuple(_rectangular_area(slot.trim, near, bleed, sheet))
    clip = bounding_box(bounds(polygon) for polygon in area)
    # What fills its box needs no area of its own.
    whole = sum(map(_polygon_area, area)) > clip.width * clip.height - _TOLERANCE
    return slot._replace(clip=clip, clip_area=() if whole else area)


def within(slots: tuple[Slot, ...], area: Box) -> tuple[Slot, ...]:
    """Return the slots of a grid, which paint no more than an area of the paper."""
    return tuple(slot if slot.clip_area else slot._replace(clip=_intersection(slot.clip, area)) for slot in slots)


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
    room = (trim.y - sheet.y, sheet.right - trim.right, sheet.bottom - trim.bottom, trim.x - sheet.x)
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
    # The positions along an edge where its profile may bend.
    boxes = [box for _, box in facing]
    edges = [edge for box in boxes for edge in (box.x, box.right)]
    bends = [(one + other) / 2 for one in edges for other in edges]
    for box in boxes:
        half_gap = max(box.y, 0.0) / 2
        bends += [box.x - limit, box.x - half_gap, box.right + half_gap, box.right + limit]
        steps = int((box.width + 2 * limit) / _STEP) if box.width == box.height else 0
        bends += [box.x - limit + step * _STEP for step in range(steps + 1)]
    positions = sorted({0.0, length, *(bend for bend in bends if 0 < bend < length)})
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


# Sequence of guillotine cuts; equal parts are stacked and cut together.
# Equal parts therefore share a step and the numbers of its cuts.

_PLACES = 6
# Edges closer than this are the same, in millimeters; the packer calculates in microns.
_SAME_EDGE = 2e-3


class Direction(StrEnum):
    """Direction of a cut: top to bottom, or left to right."""

    VERTICAL = "upright"
    HORIZONTAL = "level"


class CutStep(NamedTuple):
    """Equal parts, and the cuts through each of them.

    `parts` are boxes on the sheet. `offsets` are the distances of the cuts from the parts' left or top edge, in
    millimeters and ascending; `numbers` are the numbers of the cuts in the same order. The farthest cut has the lowest
    number and comes first, so that all lengths are measured from the same edge.
    """

    parts: tuple[Box, ...]
    direction: Direction
    offsets: tuple[float, ...]
    numbers: tuple[int, ...]

    def cuts(self) -> Iterator[Cut]:
        """Yield every cut through every part, in cutting order."""
        for number, offset in sorted(zip(self.numbers, self.offsets, strict=True)):
            for part in self.parts:
                at = offset + (part.x if self.direction is Direction.VERTICAL else part.y)
                yield Cut(number, self.direction, at, part)


class Cut(NamedTuple):
    """Cut through a part; `at` is its x or y in millimeters."""

    number: int
    direction: Direction
    at: float
    part: Box


def plan_cuts(sheet: Box, cells: Sequence[Box]) -> tuple[CutStep, ...]:
    """Return the steps that cut all `cells` out of a sheet; millimeters.

    Raises ValueError with a message for the user if no sequence of edge-to-edge cuts does this.
    """
    steps: list[CutStep] = []
    pending = [(sheet, tuple(cells))] if cells else []
    number = 1
    while pending:
        stacks: dict[tuple[object, ...], list[_PartCuts]] = {}
        for part, inside in pending:
            plan = _plan_part(part, inside)
            if plan is not None:
                stacks.setdefault(plan.stack_key, []).append(plan)
        for plans in stacks.values():
            count = len(plans[0].offsets)
            numbers = tuple(range(number + count - 1, number - 1, -1))
            steps.append(CutStep(tuple(plan.part for plan in plans), plans[0].direction, plans[0].offsets, numbers))
            number += count
        pending = [rest for plans in stacks.values() for plan in plans for rest in plan.remaining]
    return tuple(steps)


class _PartCuts(NamedTuple):
    """Cuts of one part, and the remaining parts to cut further."""

    part: Box
    direction: Direction
    offsets: tuple[float, ...]
    remaining: tuple[tuple[Box, tuple[Box, ...]], ...]

    @property
    def stack_key(self) -> tuple[object, ...]:
        """Key that is equal for parts that can be cut together."""
        round_all = tuple(round(number, 3) for number in self.offsets)
        return (round(self.part.width, 3), round(self.part.height, 3), self.direction, round_all)


def _plan_part(part: Box, cells: tuple[Box, ...]) -> _PartCuts | None:
    """Return all cuts through a part in one direction.

    None if the part is a finished piece.
    """
    across = _free_lines([(cell.x, cell.right) for cell in cells], part.x, part.right)
    down = _free_lines([(cell.y, cell.bottom) for cell in cells], part.y, part.bottom)
    if not across and not down:
        if len(cells) > 1:
            raise ValueError("no edge-to-edge cut separates these slots")
        return None
    vertical = _remaining_parts(part, cells, Direction.VERTICAL, across)
    horizontal = _remaining_parts(part, cells, Direction.HORIZONTAL, down)
    # Prefer the direction that gives more parts; if equal, the one with fewer cuts.
    if across and (not down or (len(vertical), -len(across)) > (len(horizontal), -len(down))):
        return _PartCuts(part, Direction.VERTICAL, tuple(at - part.x for at in across), vertical)
    return _PartCuts(part, Direction.HORIZONTAL, tuple(at - part.y for at in down), horizontal)


def _free_lines(spans: Iterable[tuple[float, float]], start: float, end: float) -> list[float]:
    """Return inner edges of spans that cut through no span, ascending."""
    lines: list[float] = []
    reach = start
    for first, last in sorted(spans):
        if first >= reach - _SAME_EDGE:
            lines += [reach, first] if first > reach + _SAME_EDGE else [reach]
        reach = max(reach, last)
    lines.append(reach)
    inner = (line for line in lines if start + _SAME_EDGE < line < end - _SAME_EDGE)
    return sorted({round(line, _PLACES) for line in inner})


def _remaining_parts(
    part: Box, cells: Sequence[Box], direction: Direction, lines: Sequence[float]
) -> tuple[tuple[Box, tuple[Box, ...]], ...]:
    """Return the parts between cuts with their cells, without waste."""
    vertical = direction is Direction.VERTICAL
    start, end = (part.x, part.right) if vertical else (part.y, part.bottom)
    parts = []
    for near, far in pairwise((start, *lines, end)):
        inside = tuple(
            cell for cell in cells if near - _SAME_EDGE <= (cell.x if vertical else cell.y) < far - _SAME_EDGE
        )
        if inside:
            box = Box(near, part.y, far - near, part.height) if vertical else Box(part.x, near, part.width, far - near)
            parts.append((box, inside))
    return tuple(parts)


# Height of the slug strip between the printable margin and the bleed, in millimeters.
SLUG_STRIP = 4.5
# Clockwise rotation of a turned piece, in degrees. Its lines then progress to the right: pdfium, and so Chrome, sorts
# text by position and would read lines that progress to the left backwards.
TURNED = 270
_TOLERANCE = 1e-6


class PrinterMark(StrEnum):
    """Marks that can be printed next to the slots, and whether sheets have them that do not say so.

    Most sheets are cut from edge to edge; those of disks are cut with scissors.
    """

    # The name in sprue files, and whether the mark is on most sheets, and on those of disks.
    TICKS = "ticks", True, False
    NUMBERS = "numbers", True, False
    RULE = "rule", True, True
    CIRCLES = "circles", False, True

    def __new__(cls, name: str, *_: bool) -> Self:
        """Return the member of a name."""
        mark = str.__new__(cls, name)
        mark._value_ = name
        return mark

    def __init__(self, _: str, is_usual: bool, is_on_disks: bool) -> None:
        self.is_usual, self.is_on_disks = is_usual, is_on_disks


USUAL_MARKS = tuple(mark for mark in PrinterMark if mark.is_usual)
DISK_MARKS = tuple(mark for mark in PrinterMark if mark.is_on_disks)


class Sprue(NamedTuple):
    """Slots on a paper, in reading order.

    `margin` is the unprintable margin in millimeters. The scale bar and slug line are in a free strip next to it: along
    the left edge if `slug_on_left`, otherwise at the foot. `cut_steps` are the numbered cuts, if any, and `marks` are
    printed next to the slots. `cut_out` are the diameters of round pieces that get a cut line, because
    no punch fits them.
    """

    paper: Size
    slots: tuple[Slot, ...]
    margin: float
    slug_on_left: bool
    cut_steps: tuple[CutStep, ...] = ()
    marks: tuple[PrinterMark, ...] = USUAL_MARKS
    cut_out: tuple[float, ...] = ()

    def is_cut_out(self, slot: Slot) -> bool:
        """Return whether a slot is for a round piece that is cut with scissors, along its cut line."""
        return slot.shape is Shape.ROUND and (PrinterMark.CIRCLES in self.marks or slot.trim.width in self.cut_out)

    @property
    def trim(self) -> Box:
        """The bounding box of all trims."""
        return bounding_box(slot.trim for slot in self.slots)

    @property
    def bleed(self) -> Box:
        """The bounding box of all bleeds."""
        return bounding_box(slot.clip for slot in self.slots)


class _GridLayout(NamedTuple):
    """Grid of cards, possibly rotated, and the position of the slug line."""

    columns: int
    rows: int
    cell: Size
    turned: bool
    slug_on_left: bool
    strip: float

    @property
    def preference(self) -> tuple[int, bool, float]:
        """Sort key: more cards, then upright cards, then a wider slug strip."""
        return (self.columns * self.rows, not self.turned, self.strip)


def grid_sprue(
    paper: Size,
    card: Size,
    *,
    margin: float,
    gap: float,
    bleed: float,
    area: Box | None = None,
    may_turn: bool = True,
    count: int | None = None,
    edge: float = 0.0,
) -> Sprue:
    """Return a centered grid of as many cards as fit.

    Cards are upright unless rotating them fits more. All lengths are in millimeters. `area` limits the cards to a part
    of the paper. Cards with `may_turn` False are rotated only if none fits upright. Rows and columns that a `count` of
    cards does not need are left out if there is less than `edge` beside the grid. Raises ValueError with a message for
    the user if not even one card fits.
    """
    area = area or Box(0, 0, paper.width, paper.height)
    layouts = [
        _grid_layout(
            area, card.swap_sides() if turned else card, margin, gap, bleed, turned=turned, slug_on_left=slug_on_left
        )
        for turned in (False, True)
        for slug_on_left in (True, False)
    ]
    unturned = [layout for layout in layouts if layout.columns * layout.rows and not (layout.turned or may_turn)]
    best = max(unturned or layouts, key=lambda layout: layout.preference)
    if not best.columns * best.rows:
        sheet = "half a sheet of" if area.height < paper.height else "paper of"
        raise ValueError(
            f"a card of {card} does not fit on {sheet} {paper} with a margin of {margin:g} mm; "
            "choose larger paper or a smaller margin"
        )
    grid_slots: list[Slot] = []
    width, height = best.cell
    needed = best.columns * best.rows if count is None else count
    while _edge(area.height, best.rows, height, gap) < edge and best.columns * (best.rows - 1) >= needed:
        best = best._replace(rows=best.rows - 1)
    while _edge(area.width, best.columns, width, gap) < edge and best.rows * (best.columns - 1) >= needed:
        best = best._replace(columns=best.columns - 1)
    left = area.x + _edge(area.width, best.columns, width, gap)
    top = area.y + _edge(area.height, best.rows, height, gap)
    for row in range(best.rows):
        above, below = _bleeds(row, best.rows, gap, bleed)
        for column in range(best.columns):
            before, after = _bleeds(column, best.columns, gap, bleed)
            trim = Box(left + column * (width + gap), top + row * (height + gap), width, height)
            clip = Box(trim.x - before, trim.y - above, width + before + after, height + above + below)
            grid_slots.append(Slot(trim, clip, TURNED if best.turned else 0))
    return Sprue(paper, tuple(grid_slots), margin, best.slug_on_left)


def _grid_layout(
    area: Box, cell: Size, margin: float, gap: float, bleed: float, *, turned: bool, slug_on_left: bool
) -> _GridLayout:
    strip = margin + bleed + SLUG_STRIP
    columns = _fits(area.width - 2 * (strip if slug_on_left else margin), cell.width, gap)
    rows = _fits(area.height - 2 * (margin if slug_on_left else strip), cell.height, gap)
    free = area.width - columns * cell.width if slug_on_left else area.height - rows * cell.height
    return _GridLayout(columns, rows, cell, turned, slug_on_left, free)


def _fits(space: float, side: float, gap: float) -> int:
    return max(0, int((space + gap + _TOLERANCE) // (side + gap)))


def _edge(space: float, count: int, side: float, gap: float) -> float:
    """Return what is free on each side of a row of slots."""
    return (space - count * (side + gap) + gap) / 2


def _bleeds(index: int, count: int, gap: float, bleed: float) -> tuple[float, float]:
    """Return the bleed before and after a slot.

    Neighbors share the gap; outer edges have the full bleed.
    """
    inner = min(bleed, gap / 2)
    return (bleed if index == 0 else inner, bleed if index == count - 1 else inner)
