"""Affine maps of the plane: matrices (a, b, c, d, e, f)."""

from __future__ import annotations

import math
from functools import reduce
from typing import TypeAlias

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    u, v, w, x, y, z = inner
    return (a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, a * y + c * z + e, b * y + d * z + f)


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a point comes to lie."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


def compose(*matrices: Matrix) -> Matrix:
    """The matrix that does the last of these first."""
    return reduce(multiply, matrices, IDENTITY)


def translation(x: float, y: float) -> Matrix:
    """The matrix that shifts."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def rotation(degrees: float) -> Matrix:
    """The matrix that turns about the origin; clockwise where y grows downward."""
    angle = math.radians(degrees)
    # A quarter turn has true zeros: in a PDF, 6e-17 is no number.
    cosine, sine = round(math.cos(angle), 15), round(math.sin(angle), 15)
    return (cosine, sine, -sine, cosine, 0.0, 0.0)
