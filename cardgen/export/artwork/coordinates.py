"""Coordinates of artwork: those of a whole chunk, and transforms. Many chunks have the same."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from cardgen.affine import Matrix
from cardgen.export.pdf import operators as pdf_operators
from cardgen.face.svg import subset
from cardgen.units import Box, Size, to_points


class RootSpace(NamedTuple):
    """Coordinates of a chunk: its size, its box in points, and the matrix to points with its operator."""

    viewport: Size
    box: Box
    matrix: Matrix
    operator: str


@lru_cache(maxsize=64)
def root_space(view_box: str, given_width: str | None, given_height: str | None) -> RootSpace:
    """Return the coordinates of an `svg` element with these attributes; the bleed is equally wide on all sides."""
    x, y, width, height = pdf_operators.parse_numbers(view_box)
    if given_width != f"{width:g}mm" or given_height != f"{height:g}mm":
        raise ValueError("the SVG has no size in mm")
    if x != y:
        raise ValueError("the viewBox has bleeds of different widths")
    scale = to_points(1)
    matrix = (scale, 0.0, 0.0, -scale, 0.0, (height + 2 * y) * scale)
    box = Box(*(to_points(side) for side in (x, y, width, height)))
    return RootSpace(Size(width, height), box, matrix, pdf_operators.matrix_operator(matrix))


@lru_cache(maxsize=1024)
def transform_operator(text: str) -> tuple[Matrix, str]:
    """Return the matrix of a `transform` attribute, and its operator."""
    matrix = subset.parse_transform(text)
    return matrix, pdf_operators.matrix_operator(matrix)
