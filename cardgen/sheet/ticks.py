"""Ticks with the numbers of their cuts, wherever a cut leaves bare paper; and how round pieces are marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardgen.sheet.bleeding import overlap
from cardgen.sheet.cutting import Cut, Direction
from cardgen.sheet.page import Label, Layer, Slot, Stroke
from cardgen.sheet.sprue import Sprue
from cardgen.units import MM_PER_POINT, Box, Shape

_LONGEST = 4.0
_SHORTEST = 0.8
_GAP = 0.5
_RIM = 3.0
_CROSS = 1.0
_SIZE = 5.0
_DIGIT = 0.55 * _SIZE * MM_PER_POINT
_HEIGHT = 0.7 * _SIZE * MM_PER_POINT


def numbered(sprue: Sprue) -> tuple[tuple[Stroke, ...], tuple[Label, ...]]:
    """A tick at both ends of every cut, and beside it the cut's number, as far as paper is bare there."""
    painted = [slot.clip for slot in sprue.slots]
    strokes: list[Stroke] = []
    labels: list[Label] = []
    for cut in (cut for step in sprue.steps for cut in step.cuts()):
        for box in _ends(cut, sprue, painted):
            strokes.append(_tick(cut, box))
            labels += _number(cut, box, sprue, painted)
    return tuple(dict.fromkeys(strokes)), tuple(dict.fromkeys(labels))


def crosses(slots: Iterable[Slot]) -> Iterator[Stroke]:
    """Four short ticks around each round piece, to centre the punch by."""
    for slot in slots:
        if slot.shape is Shape.ROUND:
            trim, clip = slot.trim, slot.clip
            x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
            for near, far in ((clip.x, clip.x - _CROSS), (clip.right, clip.right + _CROSS)):
                yield Stroke(min(near, far), y, max(near, far), y, layer=Layer.CUTS)
            for near, far in ((clip.y, clip.y - _CROSS), (clip.bottom, clip.bottom + _CROSS)):
                yield Stroke(x, min(near, far), x, max(near, far), layer=Layer.CUTS)


def _ends(cut: Cut, sprue: Sprue, painted: Sequence[Box]) -> Iterator[Box]:
    """The bare stretches of a line before and behind what the cut parts, as boxes without a breadth.

    They may lie outside of the part: there they show on the whole sheet where the cut will run.
    """
    upright, part = cut.direction is Direction.UPRIGHT, cut.part
    length = sprue.paper.height if upright else sprue.paper.width
    start, end = (part.y, part.bottom) if upright else (part.x, part.right)
    spans = [_along(box, upright=upright) for box in painted if overlap(_thin(cut, 0, length), box)]
    inside = [span for span in spans if start <= (span[0] + span[1]) / 2 <= end]
    if not inside:
        return
    first, last = min(span[0] for span in inside) - _GAP, max(span[1] for span in inside) + _GAP
    before = max([_RIM, first - _LONGEST, *(span[1] + _GAP for span in spans if span[1] <= first + _GAP)])
    behind = min([length - _RIM, last + _LONGEST, *(span[0] - _GAP for span in spans if span[0] >= last - _GAP)])
    for near, far in ((before, first), (last, behind)):
        if far - near >= _SHORTEST:
            yield Box(cut.at, near, 0, far - near) if upright else Box(near, cut.at, far - near, 0)


def _along(box: Box, *, upright: bool) -> tuple[float, float]:
    return (box.y, box.bottom) if upright else (box.x, box.right)


def _thin(cut: Cut, start: float, end: float) -> Box:
    """The line of a cut as a narrow box, so that pieces on both sides of it touch it."""
    if cut.direction is Direction.UPRIGHT:
        return Box(cut.at - _GAP / 2, start, _GAP, end - start)
    return Box(start, cut.at - _GAP / 2, end - start, _GAP)


def _tick(cut: Cut, box: Box) -> Stroke:
    return Stroke(box.x, box.y, box.right, box.bottom, layer=Layer.CUTS)


def _number(cut: Cut, box: Box, sprue: Sprue, painted: Sequence[Box]) -> Iterator[Label]:
    """The number right of an upright tick, above a level one; on whichever side the paper is bare."""
    width = _DIGIT * len(str(cut.number))
    if cut.direction is Direction.UPRIGHT:
        middle = box.y + box.height / 2
        places = [Box(x, middle - _HEIGHT / 2, width, _HEIGHT) for x in (box.x + 0.4, box.x - 0.4 - width)]
    else:
        places = [Box(box.x, y, width, _HEIGHT) for y in (box.y - 0.4 - _HEIGHT, box.y + 0.4)]
    for place in places:
        if not any(overlap(place, other) for other in painted):
            yield Label(str(cut.number), place.x, place.bottom, anchor="start", size=_SIZE, layer=Layer.CUTS)
            return
