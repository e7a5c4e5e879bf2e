"""Text that follows a circle: a set line, bent glyph by glyph."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from cardgen.affine import Matrix, compose, rotation, translation
from cardgen.face.face import Text
from cardgen.text.lines import IconGlyph, Line, Run
from cardgen.units import MM_PER_POINT


class Arc(NamedTuple):
    """Part of a circle, which is the baseline of a text.

    Center and radius are in millimeters. `angle` is the middle of the text in degrees, clockwise from the top, and
    `sweep` the most degrees that it may take. Text `inside` has its head towards the center.
    """

    cx: float
    cy: float
    r: float
    angle: float = 0.0
    sweep: float = 180.0
    inside: bool = False

    @property
    def length(self) -> float:
        """The length of the baseline in millimeters."""
        return math.radians(self.sweep) * self.r


def bend(line: Line, arc: Arc, matrix: Matrix) -> Iterator[Text]:
    """Yield the glyphs of a line that starts at x = 0, each at its place on the arc.

    `matrix` applies to the bent text.
    """
    glyphs = list(_glyphs(line.pieces))
    width = max((glyph.x + glyph.width for glyph in glyphs), default=0.0)
    for glyph in glyphs:
        middle = glyph.x + glyph.width / 2
        turned = math.degrees((middle - width / 2) / arc.r)
        at = arc.angle + (-turned if arc.inside else turned)
        place = compose(matrix, _on_circle(arc, at), translation(-middle, 0))
        yield Text((Line((glyph,)),), place)


def _on_circle(arc: Arc, angle: float) -> Matrix:
    """Return the matrix that moves the origin to a point of the circle, upright in the direction of reading."""
    x, y = arc.cx + arc.r * math.sin(math.radians(angle)), arc.cy - arc.r * math.cos(math.radians(angle))
    return compose(translation(x, y), rotation(angle - 180 if arc.inside else angle))


def _glyphs(pieces: Iterable[Run | IconGlyph]) -> Iterator[Run | IconGlyph]:
    """Yield each character as a run of its own, with the marks that combine with it."""
    for piece in pieces:
        if isinstance(piece, IconGlyph):
            yield piece
        else:
            yield from _characters(piece)


def _characters(run: Run) -> Iterator[Run]:
    x, scale = run.x, run.size * MM_PER_POINT / 1000
    advances, number = run.advances, 0
    clusters: list[int] = []
    for advance in advances:
        # A mark has no advance: the character before it has all.
        number += bool(advance) or not clusters
        clusters.append(number)
    for _, indexes in groupby(range(len(run.text)), key=clusters.__getitem__):
        span = list(indexes)
        start, stop = span[0], span[-1] + 1
        width = sum(advances[start:stop]) * scale
        packed = run.packed_advances[8 * start : 8 * stop]
        yield run._replace(text=run.text[start:stop], x=x, width=width, packed_advances=packed)
        x += width
