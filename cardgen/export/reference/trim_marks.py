"""Trim marks of a reference sheet, and the rounded corners to cut after lamination."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reportlab.pdfgen.canvas import Canvas

from cardgen.units import Box, Size, to_points

_COLOUR = "#444444"
_HAIRLINE = 0.25
# Distance of a mark from the trim, and from the edge of the paper, in millimeters.
_OFFSET = 0.7


class Trim(NamedTuple):
    """Trim of a page: the edge of the paper to cut off, and the radius of the corners, in millimeters."""

    margin: float
    corners: float

    def box(self, paper: Size) -> Box:
        """Return the trimmed page."""
        return Box(0, 0, *paper).expand(-self.margin)


def draw_trim(canvas: Canvas, trim: Trim, paper: Size) -> None:
    """Draw two marks at each corner outside the trim, and the arc of the corner inside; set the TrimBox."""
    box = trim.box(paper)
    canvas.setTrimBox(tuple(map(to_points, (box.x, box.y, box.right, box.bottom))))
    canvas.saveState()
    canvas.setStrokeColor(_COLOUR)
    canvas.setLineWidth(_HAIRLINE)
    for line in _marks(trim, paper):
        canvas.line(*map(to_points, line))
    radius = min(trim.corners, box.width / 2, box.height / 2)
    for x, y, start in _corners(box, radius) if radius else ():
        canvas.arc(*map(to_points, (x, y, x + 2 * radius, y + 2 * radius)), startAng=start, extent=90)
    canvas.restoreState()


def _marks(trim: Trim, paper: Size) -> Iterator[tuple[float, float, float, float]]:
    box, length = trim.box(paper), trim.margin - _OFFSET
    for x in (box.x, box.right):
        yield x, 0, x, length
        yield x, paper.height, x, paper.height - length
    for y in (box.y, box.bottom):
        yield 0, y, length, y
        yield paper.width, y, paper.width - length, y


def _corners(box: Box, radius: float) -> Iterator[tuple[float, float, int]]:
    """Yield the lower left corner of the box around each corner's circle, and where its arc starts in degrees."""
    right, high = box.right - 2 * radius, box.bottom - 2 * radius
    yield from ((box.x, box.y, 180), (right, box.y, 270), (right, high, 0), (box.x, high, 90))
