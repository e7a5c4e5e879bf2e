"""Placing: a stretch of a row becomes a line of runs and icons at its place on the face."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from cardgen.text.breaks import hyphenated
from cardgen.text.lines import Glyph, Line, Run
from cardgen.text.measuring import ICON_BEARING, ICON_SIZE, Row, Stretch, packed
from cardgen.units import MM_PER_POINT

_DOUBLE = 8


class Segment(NamedTuple):
    """Characters `start` to `stop` of a row, which make one line; `hyphen` adds one."""

    row: Row
    start: int
    stop: int
    hyphen: bool = False

    @property
    def width(self) -> float:
        """In thousandths of the size, without the tracking behind the last character."""
        pen = self.row.pen
        if self.hyphen:
            return pen[self.stop - 1] - pen[self.start] + sum(hyphenated(self.row, self.stop))
        return max(0.0, pen[self.stop] - pen[self.start] - self.row.tracking)

    @property
    def spaces(self) -> int:
        """How many spaces can be widened."""
        return self.row.text.count(" ", self.start, self.stop)


def place(segment: Segment, x: float, y: float, size: float, *, space: float = 0.0) -> Line:
    """The line whose baseline begins at x, y (mm), at a size in points.

    `space` widens every space, in thousandths of the size, to justify the line.
    """
    scale = size * MM_PER_POINT / 1000
    pieces: list[Run | Glyph] = []
    stretches = segment.row.stretches
    for stretch in islice(stretches, segment.row.stretch_at(segment.start), None):
        if stretch.start >= segment.stop:
            break
        piece = _glyph(stretch, x, y, size) if stretch.outline else _run(segment, stretch, x, y, size, space)
        pieces.append(piece)
        x += segment.row.advances[stretch.start] * scale if stretch.outline else piece.width
    return Line(tuple(pieces))


def _run(segment: Segment, stretch: Stretch, x: float, y: float, size: float, space: float) -> Run:
    row = segment.row
    start, stop = max(segment.start, stretch.start), min(segment.stop, stretch.stop)
    text, doubles = row.text[start:stop], row.packed[_DOUBLE * start : _DOUBLE * stop]
    width = row.pen[stop] - row.pen[start]
    if space or row.tracking or segment.hyphen:
        advances = row.advances[start:stop]
        if space:
            advances = tuple(a + space if c == " " else a for a, c in zip(advances, text, strict=True))
        if stop == segment.stop:
            text, advances = _ended(segment, text, advances)
        width, doubles = sum(advances), packed(advances)
    millimetres = width * size * MM_PER_POINT / 1000
    return Run(text, stretch.font.key, size, stretch.colour, x, y, millimetres, doubles, stretch.link)


def _ended(segment: Segment, text: str, advances: tuple[float, ...]) -> tuple[str, tuple[float, ...]]:
    """The end of a line: a hyphen where there is one, and no tracking behind the last character."""
    if segment.hyphen:
        return text + "-", (*advances[:-1], *hyphenated(segment.row, segment.stop))
    return text, (*advances[:-1], advances[-1] - segment.row.tracking)


def _glyph(stretch: Stretch, x: float, y: float, size: float) -> Glyph:
    """An icon stands with its middle at that of the capitals."""
    assert stretch.outline is not None
    em = size * MM_PER_POINT
    capitals = stretch.font.cap_height * em
    side = capitals * ICON_SIZE
    left, bottom = x + side * ICON_BEARING, y + (side - capitals) / 2
    return Glyph(
        stretch.name, stretch.outline, side / MM_PER_POINT, stretch.colour, left, bottom, stretch.outline.width * side
    )
