"""Printer's marks: all that is printed beside pieces, or over them, to cut, fold, punch, glue, and scan them.

`sheet_marks` draws those of sheets of pieces. For another one, write a function of a `SheetSide`, and add it to
`_SHEET_MARKS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import chain
from string import ascii_uppercase
from typing import NamedTuple, TypeAlias

from cardgen.sheet.leaf import (
    Backs,
    CornerArc,
    FilledBox,
    Label,
    Layer,
    Outline,
    PaperMark,
    Side,
    Slot,
    Stroke,
    back_slot,
    back_stroke,
)
from cardgen.sheet.sprue import Cut, Direction, PrinterMark, Sprue, bounding_box, overlap, painted_boxes
from cardgen.units import MM_PER_POINT, Box, Shape, Size

SCALE_BAR_LENGTH = 100.0
# Distance from the trim that is safe from imprecise cuts, in millimeters.
SAFE_MARGIN = 3.0
_MARK_LENGTH = 4.0
_MARK_OFFSET = 0.5
_MARK_MARGIN = 3.0
_SHORTEST_MARK = 1.5
_LEAST_BLEED = 1.0
_LONG_TICK = 1.6
_SHORT_TICK = 0.9


class SheetSide(NamedTuple):
    """One side of a sheet of pieces: the slots that hold a face there, and how backs are printed."""

    side: Side
    slots: tuple[Slot, ...]
    sprue: Sprue
    backs: Backs

    def has(self, mark: PrinterMark) -> bool:
        """Return whether a mark is wanted."""
        return mark in self.sprue.marks


Marks: TypeAlias = Iterator[PaperMark]


def sheet_marks(sheet: SheetSide) -> tuple[PaperMark, ...]:
    """Return all marks of one side of a sheet."""
    return tuple(mark for draw in _SHEET_MARKS for mark in draw(sheet))


def punch_marks(sheet: SheetSide) -> Marks:
    """Yield four short marks around each round piece, on its diagonals, to center the punch.

    There the paper is blank, whatever the bleed of other round pieces.
    """
    if not sheet.has(PrinterMark.TICKS):
        return
    for number, slot in enumerate(sheet.slots):
        if slot.shape is Shape.ROUND and not sheet.sprue.is_cut_out(slot):
            others = (*sheet.slots[:number], *sheet.slots[number + 1 :])
            painted = [box for each in others for box in painted_boxes(each)]
            yield from (mark for mark in _diagonal_marks(slot) if not _touches(mark, painted))


def cut_marks(sheet: SheetSide) -> Marks:
    """Yield the marks of all cuts. If these are numbered, fronts have the numbers."""
    if not sheet.has(PrinterMark.TICKS):
        return
    if not (sheet.sprue.cut_steps and sheet.has(PrinterMark.NUMBERS)):
        yield from _plain_cut_marks(sheet.sprue, sheet.slots)
    elif sheet.side is not Side.BACK:
        yield from chain(*numbered_cut_marks(sheet.sprue, sheet.slots))
    else:
        paper, backs = sheet.sprue.paper, sheet.backs
        strokes, _ = numbered_cut_marks(sheet.sprue, [back_slot(slot, paper, backs) for slot in sheet.slots])
        yield from (back_stroke(stroke, paper, backs) for stroke in strokes)


def _plain_cut_marks(sprue: Sprue, slots: Sequence[Slot]) -> Iterator[Stroke]:
    """Yield cut marks at both ends of every cut line; millimeters.

    They lie just outside everything that is painted, and end before the scale bar, and before the edge of the paper if
    there is room.
    """
    boxes, bleed = [slot.trim for slot in slots], bounding_box(slot.clip for slot in slots)
    paper, bar_margin = sprue.paper, sprue.margin + _LONG_TICK + 0.4
    left_margin, foot_margin = (bar_margin, _MARK_MARGIN) if sprue.slug_on_left else (_MARK_MARGIN, bar_margin)
    above, below = bleed.y - _MARK_OFFSET, bleed.bottom + _MARK_OFFSET
    for x in _edges((box.x, box.right) for box in boxes):
        yield _cut_stroke(x, max(min(_MARK_MARGIN, above), above - _MARK_LENGTH), x, above)
        yield _cut_stroke(x, below, x, min(max(paper.height - foot_margin, below), below + _MARK_LENGTH))
    before, after = bleed.x - _MARK_OFFSET, bleed.right + _MARK_OFFSET
    for y in _edges((box.y, box.bottom) for box in boxes):
        yield _cut_stroke(max(min(left_margin, before), before - _MARK_LENGTH), y, before, y)
        yield _cut_stroke(after, y, min(max(paper.width - _MARK_MARGIN, after), after + _MARK_LENGTH), y)


@lru_cache(maxsize=256)
def bleed_area(slots: tuple[Slot, ...], sprue: Sprue) -> Box:
    """Return the part of the paper that bleed may paint, so that plain cut marks have room at its edges.

    At least 1 mm of bleed is left. Where pieces are nearer to an edge than printers print, the paper is painted.
    """
    paper = Box(0, 0, *sprue.paper)
    if not slots or sprue.cut_steps or PrinterMark.TICKS not in sprue.marks:
        return paper
    trims = bounding_box(slot.trim for slot in slots)
    left, above = _blank_edge(trims.x), _blank_edge(trims.y)
    right, below = _blank_edge(paper.right - trims.right), _blank_edge(paper.bottom - trims.bottom)
    return Box(left, above, paper.width - left - right, paper.height - above - below)


def mark_edge(bleed: float) -> float:
    """Return how far pieces are from the edge of the paper if their cut marks have their full length; millimeters."""
    return _MARK_MARGIN + _MARK_LENGTH + _MARK_OFFSET + bleed


def _blank_edge(free: float) -> float:
    needed = _MARK_MARGIN + _SHORTEST_MARK + _MARK_OFFSET
    return min(needed, free - _LEAST_BLEED) if free >= needed else 0.0


def _cut_stroke(x1: float, y1: float, x2: float, y2: float) -> Stroke:
    return Stroke(x1, y1, x2, y2, layer=Layer.CUTS)


def _edges(pairs: Iterable[tuple[float, float]]) -> list[float]:
    return sorted({round(edge, 6) for pair in pairs for edge in pair})


def fold_line(sheet: SheetSide) -> Marks:
    """Yield the dashed fold line across the middle of a gutterfold sheet."""
    if sheet.side is Side.BOTH:
        width, height = sheet.sprue.paper
        yield Stroke(0, height / 2, width, height / 2, dashed=True, layer=Layer.FOLDS)


def scale_bar(sheet: SheetSide) -> Marks:
    """Yield a 100 mm scale bar in the slug strip.

    It has a mark every 10 mm. Measured on paper, it shows whether the printer scaled the sheet.
    """
    sprue = sheet.sprue
    if sheet.has(PrinterMark.RULE):
        start = _strip_length(sprue) / 2 - SCALE_BAR_LENGTH / 2
        yield _strip_stroke(sprue, start, start + SCALE_BAR_LENGTH, 0, 0)
        for step in range(11):
            at = start + 10 * step
            yield _strip_stroke(sprue, at, at, 0, _SHORT_TICK if step % 10 else _LONG_TICK)


def safe_zones(sheet: SheetSide) -> Marks:
    """Yield the outlines of the safe zones."""
    for slot in sheet.slots:
        inner = slot.trim.expand(-min(SAFE_MARGIN, slot.trim.width / 8, slot.trim.height / 8))
        yield Outline(inner, slot.shape, Layer.SAFE)


def cut_circles(sheet: SheetSide) -> Marks:
    """Yield the cut lines of round fronts; on a sheet to fold, these are in its upper half."""
    if sheet.side is Side.BACK:
        return
    height = sheet.sprue.paper.height
    lowest = height / 2 if sheet.side is Side.BOTH else height
    for slot in sheet.slots:
        if sheet.sprue.is_cut_out(slot) and slot.trim.y < lowest:
            yield Outline(slot.trim, Shape.ROUND, Layer.CUTS)


_SHEET_MARKS: tuple[Callable[[SheetSide], Marks], ...] = (
    punch_marks,
    cut_marks,
    fold_line,
    scale_bar,
    safe_zones,
    cut_circles,
)


def slug_line(sprue: Sprue, text: str) -> tuple[Label, ...]:
    """Return the labels of a scale bar: its length, and the sheet's title; none without the bar."""
    middle = _strip_length(sprue) / 2
    if PrinterMark.RULE not in sprue.marks:
        return ()
    return (
        _strip_label(sprue, middle + SCALE_BAR_LENGTH / 2 + 6, "100 mm"),
        _strip_label(sprue, (middle - SCALE_BAR_LENGTH / 2 + sprue.margin) / 2, text),
    )


def _strip_length(sprue: Sprue) -> float:
    return sprue.paper.height if sprue.slug_on_left else sprue.paper.width


def _strip_stroke(sprue: Sprue, start: float, end: float, near: float, far: float) -> Stroke:
    """Return a stroke in the slug strip.

    `start` and `end` are positions along the strip, `near` and `far` are distances from the printable margin.
    """
    height, margin = sprue.paper.height, sprue.margin
    if sprue.slug_on_left:
        return Stroke(margin + near, height - start, margin + far, height - end)
    return Stroke(start, height - margin - near, end, height - margin - far)


def _strip_label(sprue: Sprue, at: float, text: str) -> Label:
    height, margin = sprue.paper.height, sprue.margin
    if sprue.slug_on_left:
        return Label(text, margin + _LONG_TICK, height - at, turn=270)
    return Label(text, at, height - margin)


_MAX_LENGTH = 4.0
_MIN_LENGTH = 0.8
_NUMBERED_OFFSET = 0.5
_NUMBERED_MARGIN = 3.0
_PUNCH_MARK_LENGTH = 1.2
_PUNCH_MARK_OFFSET = 0.4
_NUMBER_SIZE = 5.0
_DIGIT_WIDTH = 0.55 * _NUMBER_SIZE * MM_PER_POINT
_DIGIT_HEIGHT = 0.7 * _NUMBER_SIZE * MM_PER_POINT


def numbered_cut_marks(sprue: Sprue, slots: Sequence[Slot]) -> tuple[tuple[Stroke, ...], tuple[Label, ...]]:
    """Return a mark for both ends of every cut, and beside it the cut's number, wherever the paper is blank.

    `slots` are the slots that hold a face.
    """
    painted = [box for slot in slots for box in painted_boxes(slot)]
    kept_clear = [*painted, *(slot.trim for slot in sprue.slots)]
    strokes: list[Stroke] = []
    labels: list[Label] = []
    for cut in (cut for step in sprue.cut_steps for cut in step.cuts()):
        for box in _bare_ends(cut, sprue, kept_clear):
            strokes.append(Stroke(box.x, box.y, box.right, box.bottom, layer=Layer.CUTS))
            labels += _cut_number(cut, box, sprue, kept_clear)
    return tuple(dict.fromkeys(strokes)), tuple(dict.fromkeys(labels))


def _diagonal_marks(slot: Slot) -> Iterator[Stroke]:
    x, y = slot.trim.x + slot.trim.width / 2, slot.trim.y + slot.trim.height / 2
    near = (slot.clip.width / 2 + _PUNCH_MARK_OFFSET) * math.sqrt(0.5)
    far = near + _PUNCH_MARK_LENGTH * math.sqrt(0.5)
    for right, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        yield Stroke(x + right * near, y + down * near, x + right * far, y + down * far, layer=Layer.CUTS)


def _touches(mark: Stroke, painted: Iterable[Box]) -> bool:
    x, y = min(mark.x1, mark.x2), min(mark.y1, mark.y2)
    box = Box(x, y, abs(mark.x2 - mark.x1), abs(mark.y2 - mark.y1))
    return any(overlap(box, other) for other in painted)


def _bare_ends(cut: Cut, sprue: Sprue, painted: Sequence[Box]) -> Iterator[Box]:
    """Yield a cut line's blank segments before and after its pieces.

    They are boxes of zero width. They may lie outside the part: on the whole sheet, they show where the cut will run.
    """
    vertical, part = cut.direction is Direction.VERTICAL, cut.part
    length = sprue.paper.height if vertical else sprue.paper.width
    start, end = (part.y, part.bottom) if vertical else (part.x, part.right)
    spans = [_along(box, vertical=vertical) for box in painted if overlap(_thin_box(cut, 0, length), box)]
    inside = [span for span in spans if start <= (span[0] + span[1]) / 2 <= end]
    if not inside:
        return
    first, last = min(span[0] for span in inside) - _NUMBERED_OFFSET, max(span[1] for span in inside) + _NUMBERED_OFFSET
    before = [
        max(_NUMBERED_MARGIN, first - _MAX_LENGTH),
        *(high + _NUMBERED_OFFSET for low, high in spans if low < first),
    ]
    behind = [
        min(length - _NUMBERED_MARGIN, last + _MAX_LENGTH),
        *(low - _NUMBERED_OFFSET for low, high in spans if high > last),
    ]
    for near, far in ((max(before), first), (last, min(behind))):
        if far - near >= _MIN_LENGTH:
            yield Box(cut.at, near, 0, far - near) if vertical else Box(near, cut.at, far - near, 0)


def _along(box: Box, *, vertical: bool) -> tuple[float, float]:
    return (box.y, box.bottom) if vertical else (box.x, box.right)


def _thin_box(cut: Cut, start: float, end: float) -> Box:
    """Return a cut line as a box thick enough to touch neighbors."""
    if cut.direction is Direction.VERTICAL:
        return Box(cut.at - _NUMBERED_OFFSET / 2, start, _NUMBERED_OFFSET, end - start)
    return Box(start, cut.at - _NUMBERED_OFFSET / 2, end - start, _NUMBERED_OFFSET)


def _cut_number(cut: Cut, box: Box, sprue: Sprue, painted: Sequence[Box]) -> Iterator[Label]:
    """Yield the number of a cut next to its mark.

    It is right of a vertical mark and above a horizontal one, or on the other side if the paper is blank only there.
    """
    width = _DIGIT_WIDTH * len(str(cut.number))
    if cut.direction is Direction.VERTICAL:
        middle = box.y + box.height / 2
        places = [Box(x, middle - _DIGIT_HEIGHT / 2, width, _DIGIT_HEIGHT) for x in (box.x + 0.4, box.x - 0.4 - width)]
    else:
        places = [Box(box.x, y, width, _DIGIT_HEIGHT) for y in (box.y - 0.4 - _DIGIT_HEIGHT, box.y + 0.4)]
    for place in places:
        if not any(overlap(place, other) for other in painted):
            yield Label(str(cut.number), place.x, place.bottom, anchor="start", size=_NUMBER_SIZE, layer=Layer.CUTS)
            return


# Tiles: parts of a piece that is larger than the paper, which are glued onto each other.

# The strip that neighbors share, and the room for marks around a tile, in millimeters.
TILE_OVERLAP = 10.0
TILE_MARKS = 7.0
_TILE_OFFSET = 0.8
_LABEL_DISTANCE = 4.4
_GLUE_MARK = 4.0
_TITLE_SIZE = 7.0


class Tile(NamedTuple):
    """One tile of a piece: its trim, what it paints, and its place in a grid of equal tiles."""

    box: Box
    clip: Box
    row: int
    column: int
    rows: int
    columns: int

    @property
    def has_right(self) -> bool:
        """Whether another tile is glued onto it at the right."""
        return self.column < self.columns - 1

    @property
    def has_below(self) -> bool:
        """Whether another tile is glued onto it at the bottom."""
        return self.row < self.rows - 1


def tile_name(row: int, column: int) -> str:
    """Return the name of a tile: 'B3' is the third one of the second row."""
    letter = ascii_uppercase[row] if row < len(ascii_uppercase) else f"Z{row}-"
    return f"{letter}{column + 1}"


def tile_marks(tile: Tile, title: str) -> Marks:
    """Yield cut marks at the left and the top and at the outer edges of the piece, glue marks, and labels."""
    box, clip = tile.box, tile.clip
    yield from _beside(clip, x=box.x)
    yield from _beside(clip, y=box.y)
    if not tile.has_right:
        yield from _beside(clip, x=box.right)
    if not tile.has_below:
        yield from _beside(clip, y=box.bottom)
    yield from _glue_marks(tile)
    middle, center = clip.x + clip.width / 2, clip.y + clip.height / 2
    place = f"row {tile.row + 1} of {tile.rows}, column {tile.column + 1} of {tile.columns}"
    yield Label(f"{title} · {place}", middle, clip.y - 2, size=_TITLE_SIZE)
    if tile.has_right:
        text = f"glue {tile_name(tile.row, tile.column + 1)} here, up to the marks"
        yield Label(text, clip.right + _LABEL_DISTANCE - 2, center, turn=90)
    if tile.has_below:
        text = f"glue {tile_name(tile.row + 1, tile.column)} here, up to the marks"
        yield Label(text, middle, clip.bottom + _LABEL_DISTANCE)


def _glue_marks(tile: Tile) -> Iterator[Stroke]:
    """Yield dashed marks where the edges of the next tiles lie, and short ones inside the overlap.

    Those beside the tile are cut off or covered by the time the next tile is glued. Those inside begin at its edge, and
    it covers them.
    """
    box, clip = tile.box, tile.clip
    if tile.has_right:
        edge = box.right - TILE_OVERLAP
        yield from _beside(clip, x=edge, dashed=True)
        for y in _spread(box.y, box.bottom):
            yield Stroke(edge, y, edge + _GLUE_MARK, y, layer=Layer.FOLDS, halo=True)
    if tile.has_below:
        edge = box.bottom - TILE_OVERLAP
        yield from _beside(clip, y=edge, dashed=True)
        for x in _spread(box.x, box.right):
            yield Stroke(x, edge, x, edge + _GLUE_MARK, layer=Layer.FOLDS, halo=True)


def _spread(start: float, end: float) -> Iterator[float]:
    """Yield where marks cross an edge: near both ends, outside the strips that others overlap, and in the middle."""
    yield from (start + 1.5 * TILE_OVERLAP, (start + end) / 2, end - 1.5 * TILE_OVERLAP)


def _beside(clip: Box, *, x: float | None = None, y: float | None = None, dashed: bool = False) -> Iterator[Stroke]:
    """Yield the marks of a vertical or horizontal line at both sides of what is painted."""
    layer = Layer.FOLDS if dashed else Layer.CUTS
    if x is not None:
        for near, far in ((clip.y - _TILE_OFFSET, -_MARK_LENGTH), (clip.bottom + _TILE_OFFSET, _MARK_LENGTH)):
            yield Stroke(x, near, x, near + far, dashed, layer)
    if y is not None:
        for near, far in ((clip.x - _TILE_OFFSET, -_MARK_LENGTH), (clip.right + _TILE_OFFSET, _MARK_LENGTH)):
            yield Stroke(near, y, near + far, y, dashed, layer)


# Pages that are trimmed.

_TRIM_COLOUR = "#444444"
# Distance of a mark from the trim, and from the edge of the paper, in millimeters.
_TRIM_OFFSET = 0.7


def trim_marks(trim: Box, paper: Size, radius: float) -> Marks:
    """Yield two marks at each corner outside the trim of a page, and the arc of the corner inside."""
    margin = trim.x - _TRIM_OFFSET
    for x in (trim.x, trim.right):
        yield Stroke(x, 0, x, margin, colour=_TRIM_COLOUR)
        yield Stroke(x, paper.height, x, paper.height - margin, colour=_TRIM_COLOUR)
    for y in (trim.y, trim.bottom):
        yield Stroke(0, y, margin, y, colour=_TRIM_COLOUR)
        yield Stroke(paper.width, y, paper.width - margin, y, colour=_TRIM_COLOUR)
    side = 2 * min(radius, trim.width / 2, trim.height / 2)
    right, low = trim.right - side, trim.bottom - side
    for x, y, start in ((trim.x, low, 180), (right, low, 270), (right, trim.y, 0), (trim.x, trim.y, 90)):
        if side:
            yield CornerArc(Box(x, y, side, side), start, _TRIM_COLOUR)


# Registration marks, which optical cutters read.

# The lines of the marks, and how far their outer edges are outside the inset at the near (top, left) and far sides.
REGISTRATION_THICKNESS = 1.058
_SQUARE = 6.054
_NEAR, _FAR = 0.52, 0.58
# How far an arm, from its outer edge to its tip, is longer than the length of the mark.
_TIP = 0.555


class MarkPattern(IntEnum):
    """Number of registration marks: a square and two corners, or four corners."""

    THREE = 3
    FOUR = 4


def registration_marks(paper: Size, pattern: MarkPattern, inset: float, length: float) -> Iterator[FilledBox]:
    """Yield the filled boxes of the marks on a page in landscape.

    The edges are those of the official sheets to 0.05 mm; `length` is that of the arms, from the inset.
    """
    near, arm = inset - _NEAR, length + _TIP
    right, bottom = paper.width - inset + _FAR, paper.height - inset + _FAR
    if pattern is MarkPattern.THREE:
        yield FilledBox(Box(near, near, _SQUARE, _SQUARE))
    else:
        yield from _corner(near, near, arm, arm)
        yield from _corner(right, bottom, -arm, -arm)
    yield from _corner(right, near, -arm, arm)
    yield from _corner(near, bottom, arm, -arm)


def _corner(x: float, y: float, across: float, down: float) -> Iterator[FilledBox]:
    """Yield the two arms of a corner mark, from the outer corner inward."""
    thickness = REGISTRATION_THICKNESS
    for width, height in ((across, math.copysign(thickness, down)), (math.copysign(thickness, across), down)):
        yield FilledBox(Box(min(x, x + width), min(y, y + height), abs(width), abs(height)))
