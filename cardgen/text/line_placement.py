"""Place a segment of a row as a line of runs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cardgen.text.line_breaks import BreakItems, hyphen_advances, resume
from cardgen.text.lines import IconGlyph, Line, Run
from cardgen.text.shaped_row import ICON_BEARING, ICON_SIZE, ShapedRow, StyledRun
from cardgen.units import MM_PER_POINT


@dataclass(slots=True, eq=False)
class Segment:
    """Characters `start` to `stop` of a row that form one line.

    `hyphen` appends a hyphen.
    """

    row: ShapedRow
    start: int
    stop: int
    hyphen: bool = False

    @property
    def width(self) -> float:
        """The width in thousandths of the size.

        It excludes the tracking after the last character.
        """
        pen = self.row.pen_positions
        if self.hyphen:
            return pen[self.stop - 1] - pen[self.start] + sum(hyphen_advances(self.row, self.stop))
        width = pen[self.stop] - pen[self.start] - self.row.tracking
        return width if width > 0.0 else 0.0

    @property
    def spaces(self) -> int:
        """The number of spaces that can be stretched."""
        return self.row.text.count(" ", self.start, self.stop)


def line_segments(items: BreakItems, lasts: Sequence[int]) -> list[Segment]:
    """Return the lines of a row, given the last item of each."""
    segments, start = [], 0
    for last in lasts:
        stop = items.stops[last]
        segments.append(Segment(items.row, start, stop, items.hyphens[last]))
        start = resume(items.row, stop)
    return segments


def place_line(segment: Segment, x: float, y: float, size: float, *, space: float = 0.0) -> Line:
    """Place a line with its baseline starting at x, y (mm).

    `size` is in points. `space` is added to every space, in thousandths of the size, to justify the line.
    """
    scale = size * MM_PER_POINT / 1000
    pieces: list[Run | IconGlyph] = []
    row = segment.row
    for styled_run in row.styled_runs[row.run_index_at(segment.start) :]:
        if styled_run.start >= segment.stop:
            break
        if styled_run.outline:
            pieces.append(_make_glyph(styled_run, x, y, size))
            x += row.advances[styled_run.start] * scale
        else:
            run = _make_run(segment, styled_run, x, y, size, space)
            pieces.append(run)
            x += run.width
    return Line(tuple(pieces))


def _make_run(segment: Segment, styled_run: StyledRun, x: float, y: float, size: float, space: float) -> Run:
    row = segment.row
    start = styled_run.start if styled_run.start > segment.start else segment.start
    stop = styled_run.stop if styled_run.stop < segment.stop else segment.stop
    text, advances = row.text[start:stop], row.advances[start:stop]
    width = row.pen_positions[stop] - row.pen_positions[start]
    if space or row.tracking or segment.hyphen:
        if space:
            advances = array("d", [a + space if c == " " else a for a, c in zip(advances, text, strict=True)])
        if stop == segment.stop:
            text = _finish_line(segment, text, advances)
        width = sum(advances)
    width_mm = width * size * MM_PER_POINT / 1000
    text, doubles = _interned(text, advances.tobytes())
    return Run(text, styled_run.font.key, size, styled_run.colour, x, y, width_mm, doubles, styled_run.link)


@lru_cache(maxsize=1 << 12)
def _interned(text: str, doubles: bytes) -> tuple[str, bytes]:
    """Return an equal text and its advances, which all lines with the same words share.

    They take more memory than the rest of a line, and most lines of a deck recur.
    """
    return text, doubles


def _finish_line(segment: Segment, text: str, advances: array[float]) -> str:
    """Finish the end of a line, and return its text.

    Adds the hyphen, if any, or removes the tracking after the last character.
    """
    if segment.hyphen:
        advances[-1:] = array("d", hyphen_advances(segment.row, segment.stop))
        return text + "-"
    advances[-1] -= segment.row.tracking
    return text


def _make_glyph(icon_run: StyledRun, x: float, y: float, size: float) -> IconGlyph:
    """Place an icon, vertically centered on the capitals."""
    assert icon_run.outline is not None
    em = size * MM_PER_POINT
    capitals = icon_run.font.cap_height * em
    side = capitals * ICON_SIZE
    left, bottom = x + side * ICON_BEARING, y + (side - capitals) / 2
    return IconGlyph(
        icon_run.name,
        icon_run.outline,
        side / MM_PER_POINT,
        icon_run.colour,
        left,
        bottom,
        icon_run.outline.width * side,
    )
