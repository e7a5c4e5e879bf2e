"""What helps to cut and to prove the print: ticks in the margin, a 100 mm rule, a legend, a fold line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.sheet.page import Label, Layer, Stroke
from cardgen.sheet.sprue import Sprue
from cardgen.units import Box, Size

SCALE_BAR_LENGTH = 100.0
_MARK_LENGTH = 4.0
_MARK_OFFSET = 0.5
_MARK_MARGIN = 3.0
_LONG_TICK = 1.6
_SHORT_TICK = 0.9


def cut_marks(sprue: Sprue, trims: Iterable[Box], bleed: Box) -> Iterator[Stroke]:
    """A tick at both ends of every cut line, just outside of all that is painted, in millimetres.

    Ticks end before the rule, and before the edge of the paper as far as there is room.
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
    """The dashed line across the middle, where a gutterfold sheet is folded."""
    return Stroke(0, paper.height / 2, paper.width, paper.height / 2, dashed=True, layer=Layer.FOLDS)


def scale_bar(sprue: Sprue) -> tuple[Stroke, ...]:
    """A rule of 100 mm with a mark every 10 mm, in the free strip.

    Measured on paper, it shows whether the printer has scaled the sheet.
    """
    start = _strip_length(sprue) / 2 - SCALE_BAR_LENGTH / 2
    ticks = (
        _strip_stroke(sprue, start + 10 * step, start + 10 * step, 0, _SHORT_TICK if step % 10 else _LONG_TICK)
        for step in range(11)
    )
    return (_strip_stroke(sprue, start, start + SCALE_BAR_LENGTH, 0, 0), *ticks)


def slug_line(sprue: Sprue, text: str) -> tuple[Label, ...]:
    """The name of the rule behind its end, and before its start what the sheet is."""
    middle = _strip_length(sprue) / 2
    return (
        _strip_label(sprue, middle + SCALE_BAR_LENGTH / 2 + 6, "100 mm"),
        _strip_label(sprue, (middle - SCALE_BAR_LENGTH / 2 + sprue.margin) / 2, text),
    )


def _strip_length(sprue: Sprue) -> float:
    return sprue.paper.height if sprue.slug_on_left else sprue.paper.width


def _strip_stroke(sprue: Sprue, start: float, end: float, near: float, far: float) -> Stroke:
    """A stroke in the strip, from positions along it and distances from the printable margin."""
    height, margin = sprue.paper.height, sprue.margin
    if sprue.slug_on_left:
        return Stroke(margin + near, height - start, margin + far, height - end)
    return Stroke(start, height - margin - near, end, height - margin - far)


def _strip_label(sprue: Sprue, at: float, text: str) -> Label:
    height, margin = sprue.paper.height, sprue.margin
    if sprue.slug_on_left:
        return Label(text, margin + _LONG_TICK, height - at, turn=270)
    return Label(text, at, height - margin)
