"""SVG transforms as matrices: (a, b, c, d, e, f) takes (x, y) to (ax + cy + e, bx + dy + f)."""

from __future__ import annotations

import math
import re

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

_CALL = re.compile(r"\s*,?\s*(\w+)\s*\(([^()]*)\)")
_SEPARATOR = re.compile(r"[\s,]+")
_LARGEST = 1e6


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    u, v, w, x, y, z = inner
    return (a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, a * y + c * z + e, b * y + d * z + f)


def parse(text: str) -> Matrix:
    """The matrix of an SVG `transform` attribute.

    Raises ValueError with a sentence for the user when it is none.
    """
    matrix, position = IDENTITY, 0
    text = text.rstrip()
    while position < len(text):
        call = _CALL.match(text, position)
        if call is None:
            raise ValueError(f"'{text}' is no transform")
        matrix = multiply(matrix, _single(call[1], call[2]))
        position = call.end()
    if not all(abs(number) < _LARGEST for number in matrix):
        raise ValueError(f"'{text}' leads out of all bounds")
    return matrix


def _single(name: str, arguments: str) -> Matrix:
    try:
        numbers = [float(number) for number in _SEPARATOR.split(arguments.strip()) if number]
    except ValueError:
        raise ValueError(f"'{name}({arguments})' is no transform") from None
    match name, numbers:
        case "translate", [x, *rest] if len(rest) <= 1:
            return (1, 0, 0, 1, x, rest[0] if rest else 0)
        case "scale", [x, *rest] if len(rest) <= 1:
            return (x, 0, 0, rest[0] if rest else x, 0, 0)
        case "rotate", [degrees]:
            return _rotation(degrees)
        case "rotate", [degrees, x, y]:
            return multiply(multiply((1, 0, 0, 1, x, y), _rotation(degrees)), (1, 0, 0, 1, -x, -y))
        case "skewX", [degrees]:
            return (1, 0, math.tan(math.radians(degrees)), 1, 0, 0)
        case "skewY", [degrees]:
            return (1, math.tan(math.radians(degrees)), 0, 1, 0, 0)
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
    raise ValueError(f"'{name}({arguments})' is no transform")


def _rotation(degrees: float) -> Matrix:
    angle = math.radians(degrees)
    return (math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle), 0, 0)
