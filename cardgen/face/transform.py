"""SVG transforms as matrices."""

from __future__ import annotations

import math
import re

from cardgen.affine import IDENTITY, Matrix, multiply, rotation

_TRANSFORM_CALL = re.compile(r"\s*,?\s*(\w+)\s*\(([^()]*)\)")
_SEPARATOR = re.compile(r"[\s,]+")
_MAX_COEFFICIENT = 1e6


def parse_transform(text: str) -> Matrix:
    """The matrix of an SVG `transform` attribute.

    Raises ValueError with a sentence for the user when it is none.
    """
    matrix, position = IDENTITY, 0
    text = text.rstrip()
    while position < len(text):
        call = _TRANSFORM_CALL.match(text, position)
        if call is None:
            raise ValueError(f"'{text}' is no transform")
        matrix = multiply(matrix, _parse_call(call[1], call[2]))
        position = call.end()
    if not all(abs(number) < _MAX_COEFFICIENT for number in matrix):
        raise ValueError(f"'{text}' leads out of all bounds")
    return matrix


def _parse_call(name: str, arguments: str) -> Matrix:
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
            return rotation(degrees)
        case "rotate", [degrees, x, y]:
            return multiply(multiply((1, 0, 0, 1, x, y), rotation(degrees)), (1, 0, 0, 1, -x, -y))
        case "skewX", [degrees]:
            return (1, 0, math.tan(math.radians(degrees)), 1, 0, 0)
        case "skewY", [degrees]:
            return (1, math.tan(math.radians(degrees)), 0, 1, 0, 0)
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
    raise ValueError(f"'{name}({arguments})' is no transform")
