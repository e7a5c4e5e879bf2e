"""Printer's marks: cut marks, numbers, punch marks, scale bar, slug, fold line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from cardgen.sheet.bleed import overlap, painted_boxes
from cardgen.sheet.cut_sequence import Cut, Direction
from cardgen.sheet.leaf import Label, Layer, Slot, Stroke
from cardgen.sheet.sprue import Sprue
from cardgen.units import MM_PER_POINT, Box, Shape, Size

SCALE_BAR_LENGTH = 100.0
_MARK_LENGTH = 4.0
_MARK_OFFSET = 0.5
_MARK_MARGIN = 3.0
_LONG_TICK = 1.6
_SHORT_TICK = 0.9


def cut_marks(sprue: Sprue, trims: Iterable[Box], bleed: Box) -> Iterator[Stroke]:
    """Yield cut marks at both ends of every cut line; millimeters.

    They lie just outside everything that is painted, and end before the scale bar, and before the edge of the paper if
    there is room.
    """
    boxes, paper, bar_margin = tuple(trims), sprue.paper, sprue.margin + _LONG_TICK + 0.4
    left_margin, foot_margin = (bar_margin, _MARK_MARGIN) if sprue.slug_on_left else (_MARK_MARGIN, bar_margin)
    above, below = bleed.y - _MARK_OFFSET, bleed.bottom + _MARK_OFFSET
    for x in _edges((box.x, box.right) for box in boxes):
        yield _cut_stroke(x, max(min(_MARK_MARGIN, above), above - _MARK_LENGTH), x, above)
        yield _cut_stroke(x, below, x, min(max(paper.height - foot_margin, below), below + _MARK_LENGTH))
    before, after = bleed.x - _MARK_OFFSET, bleed.right + _MARK_OFFSET
    for y in _edges((box.y, box.bottom) for box in boxes):
        yield _cut_stroke(max(min(left_margin, before), before - _MARK_LENGTH), y, before, y)
        yield _cut_stroke(after, y, min(max(paper.width - _MARK_MARGIN, after), after + _MARK_LENGTH), y)


def _cut_stroke(x1: float, y1: float, x2: float, y2: float) -> Stroke:
    return Stroke(x1, y1, x2, y2, layer=Layer.CUTS)


def _edges(pairs: Iterable[tuple[float, float]]) -> list[float]:
    return sorted({round(edge, 6) for pair in pairs for edge in pair})


def fold_line(paper: Size) -> Stroke:
    """Return the dashed fold line across the middle of a gutterfold sheet."""
    return Stroke(0, paper.height / 2, paper.width, paper.height / 2, dashed=True, layer=Layer.FOLDS)


def scale_bar(sprue: Sprue) -> tuple[Stroke, ...]:
    """Return a 100 mm scale bar in the slug strip.

    It has a mark every 10 mm. Measured on paper, it shows whether the printer scaled the sheet.
    """
    start = _strip_length(sprue) / 2 - SCALE_BAR_LENGTH / 2
    ticks = (
        _strip_stroke(sprue, start + 10 * step, start + 10 * step, 0, _SHORT_TICK if step % 10 else _LONG_TICK)
        for step in range(11)
    )
    return (_strip_stroke(sprue, start, start + SCALE_BAR_LENGTH, 0, 0), *ticks)


def slug_line(sprue: Sprue, text: str) -> tuple[Label, ...]:
    """Return the labels: the scale bar's length, and the sheet's title."""
    middle = _strip_length(sprue) / 2
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
            strokes.append(_tick(cut, box))
            labels += _cut_number(cut, box, sprue, kept_clear)
    return tuple(dict.fromkeys(strokes)), tuple(dict.fromkeys(labels))


def punch_marks(slots: Sequence[Slot]) -> Iterator[Stroke]:
    """Yield four short marks around each round piece, on its diagonals, to center the punch.

    There the paper is blank, whatever the bleed of other round pieces.
    """
    for number, slot in enumerate(slots):
        if slot.shape is Shape.ROUND:
            painted = [box for index, each in enumerate(slots) if index != number for box in painted_boxes(each)]
            yield from (mark for mark in _diagonal_marks(slot) if not _touches(mark, painted))


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


def _tick(cut: Cut, box: Box) -> Stroke:
    return Stroke(box.x, box.y, box.right, box.bottom, layer=Layer.CUTS)


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
