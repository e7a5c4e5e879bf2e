"""Ticks with the numbers of their cuts, wherever a cut leaves bare paper; and how round pieces are marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardgen.sheet.bleeding import overlap
from cardgen.sheet.cutting import Cut, Direction
from cardgen.sheet.page import Label, Layer, Slot, Stroke
from cardgen.sheet.sprue import Sprue
from cardgen.units import MM_PER_POINT, Box, Shape

_MAX_LENGTH = 4.0
_MIN_LENGTH = 0.8
_NUMBERED_OFFSET = 0.5
_NUMBERED_MARGIN = 3.0
_PUNCH_MARK_LENGTH = 1.0
_NUMBER_SIZE = 5.0
_DIGIT_WIDTH = 0.55 * _NUMBER_SIZE * MM_PER_POINT
_DIGIT_HEIGHT = 0.7 * _NUMBER_SIZE * MM_PER_POINT


def numbered_cut_marks(sprue: Sprue) -> tuple[tuple[Stroke, ...], tuple[Label, ...]]:
    """A tick at both ends of every cut, and beside it the cut's number, as far as paper is bare there."""
    painted = [slot.clip for slot in sprue.slots]
    strokes: list[Stroke] = []
    labels: list[Label] = []
    for cut in (cut for step in sprue.cut_steps for cut in step.cuts()):
        for box in _bare_ends(cut, sprue, painted):
            strokes.append(_tick(cut, box))
            labels += _cut_number(cut, box, sprue, painted)
    return tuple(dict.fromkeys(strokes)), tuple(dict.fromkeys(labels))


def punch_marks(slots: Iterable[Slot]) -> Iterator[Stroke]:
    """Four short ticks around each round piece, to centre the punch by."""
    for slot in slots:
        if slot.shape is Shape.ROUND:
            trim, clip = slot.trim, slot.clip
            x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
            for near, far in ((clip.x, clip.x - _PUNCH_MARK_LENGTH), (clip.right, clip.right + _PUNCH_MARK_LENGTH)):
                yield Stroke(min(near, far), y, max(near, far), y, layer=Layer.CUTS)
            for near, far in ((clip.y, clip.y - _PUNCH_MARK_LENGTH), (clip.bottom, clip.bottom + _PUNCH_MARK_LENGTH)):
                yield Stroke(x, min(near, far), x, max(near, far), layer=Layer.CUTS)


def _bare_ends(cut: Cut, sprue: Sprue, painted: Sequence[Box]) -> Iterator[Box]:
    """The bare stretches of a line before and behind what the cut parts, as boxes without a breadth.

    They may lie outside of the part: there they show on the whole sheet where the cut will run.
    """
    vertical, part = cut.direction is Direction.VERTICAL, cut.part
    length = sprue.paper.height if vertical else sprue.paper.width
    start, end = (part.y, part.bottom) if vertical else (part.x, part.right)
    spans = [_along(box, vertical=vertical) for box in painted if overlap(_thin_box(cut, 0, length), box)]
    inside = [span for span in spans if start <= (span[0] + span[1]) / 2 <= end]
    if not inside:
        return
    first, last = min(span[0] for span in inside) - _NUMBERED_OFFSET, max(span[1] for span in inside) + _NUMBERED_OFFSET
    before = max(
        [
            _NUMBERED_MARGIN,
            first - _MAX_LENGTH,
            *(span[1] + _NUMBERED_OFFSET for span in spans if span[1] <= first + _NUMBERED_OFFSET),
        ]
    )
    behind = min(
        [
            length - _NUMBERED_MARGIN,
            last + _MAX_LENGTH,
            *(span[0] - _NUMBERED_OFFSET for span in spans if span[0] >= last - _NUMBERED_OFFSET),
        ]
    )
    for near, far in ((before, first), (last, behind)):
        if far - near >= _MIN_LENGTH:
            yield Box(cut.at, near, 0, far - near) if vertical else Box(near, cut.at, far - near, 0)


def _along(box: Box, *, vertical: bool) -> tuple[float, float]:
    return (box.y, box.bottom) if vertical else (box.x, box.right)


def _thin_box(cut: Cut, start: float, end: float) -> Box:
    """The line of a cut as a narrow box, so that pieces on both sides of it touch it."""
    if cut.direction is Direction.VERTICAL:
        return Box(cut.at - _NUMBERED_OFFSET / 2, start, _NUMBERED_OFFSET, end - start)
    return Box(start, cut.at - _NUMBERED_OFFSET / 2, end - start, _NUMBERED_OFFSET)


def _tick(cut: Cut, box: Box) -> Stroke:
    return Stroke(box.x, box.y, box.right, box.bottom, layer=Layer.CUTS)


def _cut_number(cut: Cut, box: Box, sprue: Sprue, painted: Sequence[Box]) -> Iterator[Label]:
    """The number right of an upright tick, above a level one; on whichever side the paper is bare."""
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
