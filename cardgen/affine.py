"""Affine transformations of the plane, as matrices of six numbers."""

from __future__ import annotations

import math
from functools import reduce
from typing import TypeAlias

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    u, v, w, x, y, z = inner
    return (a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, a * y + c * z + e, b * y + d * z + f)


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Transform a point."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


def inverse(matrix: Matrix) -> Matrix:
    """Return the matrix that undoes another.

    Raises ValueError if it collapses the area to zero.
    """
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    if not area:
        raise ValueError("the transform collapses the area to zero")
    return (d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)


def compose(*matrices: Matrix) -> Matrix:
    """Return the product of the matrices; the last one is applied first."""
    return reduce(multiply, matrices, IDENTITY)


def translation(x: float, y: float) -> Matrix:
    """Return the matrix of a translation."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def rotation(degrees: float) -> Matrix:
    """Return the matrix of a rotation about the origin, in degrees.

    Positive angles turn clockwise if y points down.
    """
    angle = math.radians(degrees)
    # Round, so that quarter turns have exact zeros: 6e-17 is not a valid number in a PDF.
    cosine, sine = round(math.cos(angle), 15), round(math.sin(angle), 15)
    return (cosine, sine, -sine, cosine, 0.0, 0.0)
