"""Extents of texts on a face."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.affine import IDENTITY, Matrix, apply
from cardgen.face.face import Text
from cardgen.units import MM_PER_POINT, Box

# Bounds of the glyphs of any font above and below the baseline, as multiples of the size.
_ASCENT, _DESCENT = 1.0, 0.35


def joined_box(boxes: Iterable[Box]) -> Box | None:
    """Return the box around boxes; None if there are none."""
    parts = list(boxes)
    if not parts:
        return None
    x, y = min(box.x for box in parts), min(box.y for box in parts)
    return Box(x, y, max(box.right for box in parts) - x, max(box.bottom for box in parts) - y)


def mapped_box(box: Box, matrix: Matrix) -> Box:
    """Return the box around a box that a matrix moves or turns."""
    if matrix == IDENTITY and box.width >= 0 and box.height >= 0:
        x, y = box.x + 0.0, box.y + 0.0
        return Box(x, y, box.right - x, box.bottom - y)
    corners = [apply(matrix, x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    xs, ys = zip(*corners, strict=True)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def text_extent(texts: Iterable[Text]) -> Box | None:
    """Return the box around the glyphs of texts; None if nothing is printed."""
    return joined_box(mapped_box(box, text.matrix) for text in texts for box in _piece_boxes(text))


def _piece_boxes(text: Text) -> Iterable[Box]:
    for piece in (piece for line in text.lines for piece in line.pieces):
        em = piece.size * MM_PER_POINT
        yield Box(piece.x, piece.y - _ASCENT * em, piece.width, (_ASCENT + _DESCENT) * em)
