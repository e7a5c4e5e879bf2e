"""What helps to cut and to prove the print: ticks in the margin, a 100 mm rule, a legend, a fold line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.sheet.page import Label, Layer, Stroke
from cardgen.sheet.sprue import Sprue
from cardgen.units import Box, Size

RULE_LENGTH = 100.0
_TICK = 4.0
_TICK_GAP = 0.5
_RIM = 3.0
_RULE_STOP = 1.6
_RULE_STEP = 0.9


def ticks(sprue: Sprue, slots: Iterable[Box], bleed: Box) -> Iterator[Stroke]:
    """A tick at both ends of every cut line, just outside of all that is painted, in millimetres.

    Ticks end before the rule, and before the edge of the paper as far as there is room.
    """
    boxes, paper, behind_rule = tuple(slots), sprue.paper, sprue.margin + _RULE_STOP + 0.4
    left_rim, foot_rim = (behind_rule, _RIM) if sprue.upright_legend else (_RIM, behind_rule)
    above, below = bleed.y - _TICK_GAP, bleed.bottom + _TICK_GAP
    for x in _edges((box.x, box.right) for box in boxes):
        yield _cut(x, max(min(_RIM, above), above - _TICK), x, above)
        yield _cut(x, below, x, min(max(paper.height - foot_rim, below), below + _TICK))
    before, after = bleed.x - _TICK_GAP, bleed.right + _TICK_GAP
    for y in _edges((box.y, box.bottom) for box in boxes):
        yield _cut(max(min(left_rim, before), before - _TICK), y, before, y)
        yield _cut(after, y, min(max(paper.width - _RIM, after), after + _TICK), y)


def _cut(x1: float, y1: float, x2: float, y2: float) -> Stroke:
    return Stroke(x1, y1, x2, y2, layer=Layer.CUTS)


def _edges(pairs: Iterable[tuple[float, float]]) -> list[float]:
    return sorted({round(edge, 6) for pair in pairs for edge in pair})


def fold(paper: Size) -> Stroke:
    """The dashed line across the middle, where a gutterfold sheet is folded."""
    return Stroke(0, paper.height / 2, paper.width, paper.height / 2, dashed=True, layer=Layer.FOLDS)


def rule(sprue: Sprue) -> tuple[Stroke, ...]:
    """A rule of 100 mm with a mark every 10 mm, in the free strip.

    Measured on paper, it shows whether the printer has scaled the sheet.
    """
    start = _length(sprue) / 2 - RULE_LENGTH / 2
    marks = (
        _strip_stroke(sprue, start + 10 * step, start + 10 * step, 0, _RULE_STEP if step % 10 else _RULE_STOP)
        for step in range(11)
    )
    return (_strip_stroke(sprue, start, start + RULE_LENGTH, 0, 0), *marks)


def labels(sprue: Sprue, legend: str) -> tuple[Label, ...]:
    """The name of the rule behind its end, and before its start what the sheet is."""
    middle = _length(sprue) / 2
    return (
        _strip_label(sprue, middle + RULE_LENGTH / 2 + 6, "100 mm"),
        _strip_label(sprue, (middle - RULE_LENGTH / 2 + sprue.margin) / 2, legend),
    )


def _length(sprue: Sprue) -> float:
    return sprue.paper.height if sprue.upright_legend else sprue.paper.width


def _strip_stroke(sprue: Sprue, start: float, end: float, near: float, far: float) -> Stroke:
    """A stroke in the strip, from positions along it and distances from the printable margin."""
    height, margin = sprue.paper.height, sprue.margin
    if sprue.upright_legend:
        return Stroke(margin + near, height - start, margin + far, height - end)
    return Stroke(start, height - margin - near, end, height - margin - far)


def _strip_label(sprue: Sprue, at: float, text: str) -> Label:
    height, margin = sprue.paper.height, sprue.margin
    if sprue.upright_legend:
        return Label(text, margin + _RULE_STOP, height - at, turn=270)
    return Label(text, at, height - margin)
