"""Values of SVG attributes: numbers, lengths, transforms, viewBoxes, colors, and references."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from math import hypot, isfinite
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix, compose, multiply, rotation, translation
from cardgen.units import Box, Size

# Numbers beyond this would lose precision in PDF viewers.
MAX_NUMBER = 1e6
MIN_AREA = 1e-12
_LENGTH = re.compile(r"([-+]?(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+)\s*+([a-zA-Z%]*+)", re.ASCII)
# Pixels per unit; a pixel is 1/96 inch.
_UNITS = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6,
}  # fmt: skip
_SEPARATOR = re.compile(r"[\s,]+")
_ALIGNMENT = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_TRANSFORM_CALL = re.compile(r"\s*+,?+\s*+(\w++)\s*+\(([^()]*+)\)")
_MAX_COEFFICIENT = 1e6
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_NAMED_COLOURS = {"black": "#000000", "white": "#ffffff"}
_URL = re.compile(r"""url\(\s*+(?:(["'])([^"']*+)\1\s*+|([^)]*+))\)\s*+(.*)""", re.DOTALL)
_RGB_SPACES = ("srgb", "hsl", "hwb")


class Metrics(NamedTuple):
    """What relative lengths refer to: the viewport, and the type size in pixels."""

    viewport: Size
    em: float = 16.0

    def length(self, text: str, axis: str) -> float:
        """Return a length in pixels.

        `axis` is 'x', 'y', or 'd' for the diagonal.

        Raises ValueError if it is not a length or out of range.
        """
        match = _LENGTH.fullmatch(text.strip())
        unit = match[2].lower() if match else ""
        if match is None or unit not in _UNITS.keys() | {"%", "em", "ex"}:
            raise ValueError(f"'{text[:40]}' is not a valid length")
        scale = self._whole(axis) / 100 if unit == "%" else self._relative(unit)
        return in_range(float(match[1]) * scale, text)

    def _relative(self, unit: str) -> float:
        return {"em": self.em, "ex": self.em / 2}.get(unit) or _UNITS[unit]

    def _whole(self, axis: str) -> float:
        width, height = self.viewport
        return {"x": width, "y": height}.get(axis, hypot(width, height) / 2**0.5)


def in_range(value: float, text: str) -> float:
    """Return a number; raises ValueError if it is too large."""
    if not abs(value) <= MAX_NUMBER:
        raise ValueError(f"'{text[:40]}' is out of range (at most {MAX_NUMBER:,.0f})")
    return value


def parse_number(text: str) -> float:
    """Return a number without a unit.

    Raises ValueError if it is not one.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None or match[2]:
        raise ValueError(f"'{text[:40]}' is not a plain number")
    return in_range(float(match[1]), text)


def parse_share(text: str) -> float:
    """Return a number or percentage as a number from 0 to 1.

    Raises ValueError if it is not one.
    """
    text = text.strip()
    value = parse_number(text[:-1]) / 100 if text.endswith("%") else parse_number(text)
    return _clamped(value)


def parse_numbers(text: str) -> list[float]:
    """Return numbers separated by spaces or commas; raises ValueError."""
    return [parse_number(part) for part in _SEPARATOR.split(text.strip()) if part]


def parse_view_box(text: str) -> Box | None:
    """Return a viewBox; None if there is none.

    Raises ValueError if it is invalid.
    """
    if not text:
        return None
    numbers = parse_numbers(text)
    if len(numbers) != 4 or min(numbers[2:]) < 0:
        raise ValueError(f"'{text[:40]}' is not a valid viewBox")
    return Box(*numbers)


def view_box_matrix(view: Box, target: Box, aspect: str) -> Matrix:
    """Return the matrix from a viewBox to its viewport, under a `preserveAspectRatio`.

    Raises ValueError if that is invalid, or the viewBox is empty.
    """
    words = aspect.removeprefix("defer ").split() or ["xMidYMid"]
    across, down = target.width / view.width, target.height / view.height
    if words[0] == "none":
        return compose(translation(target.x, target.y), (across, 0, 0, down, 0, 0), translation(-view.x, -view.y))
    match = _ALIGNMENT.fullmatch(words[0])
    if match is None or words[1:] not in ([], ["meet"], ["slice"]):
        raise ValueError(f"'{aspect[:40]}' is not a valid preserveAspectRatio")
    scale = max(across, down) if words[1:] == ["slice"] else min(across, down)
    x = target.x + (target.width - view.width * scale) * _SHARES[match[1]]
    y = target.y + (target.height - view.height * scale) * _SHARES[match[2]]
    return compose(translation(x, y), (scale, 0, 0, scale, 0, 0), translation(-view.x, -view.y))


def parse_transform(text: str) -> Matrix:
    """Return the matrix of an SVG `transform` attribute.

    Raises ValueError with a message for the user if it is invalid.
    """
    matrix, position = IDENTITY, 0
    text = "" if text == "none" else text.rstrip()
    while position < len(text):
        call = _TRANSFORM_CALL.match(text, position)
        if call is None:
            raise ValueError(f"'{text[:40]}' is not a valid transform")
        matrix = multiply(matrix, _parse_call(call[1], call[2]))
        position = call.end()
    if not all(abs(number) < _MAX_COEFFICIENT for number in matrix):
        raise ValueError(f"'{text[:40]}' is out of range")
    return matrix


def _parse_call(name: str, arguments: str) -> Matrix:
    try:
        numbers = [float(number) for number in _SEPARATOR.split(arguments.strip()) if number]
    except ValueError:
        raise ValueError(f"'{name}({arguments})'"[:40] + " is not a valid transform") from None
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
    raise ValueError(f"'{name}({arguments})' is not a valid transform")


def collapses(matrix: Matrix) -> bool:
    """Return whether a matrix leaves no area, so that nothing is visible."""
    a, b, c, d, _, _ = matrix
    return not all(map(isfinite, matrix)) or abs(a * d - b * c) < MIN_AREA


def box_matrix(box: Box) -> Matrix:
    """Return the matrix from the unit square to a box."""
    return (box.width, 0.0, 0.0, box.height, box.x, box.y)


def shift(matrix: Matrix, x: float, y: float) -> Matrix:
    """Return a matrix that first moves."""
    return multiply(matrix, translation(x, y))


class Colour(NamedTuple):
    """A color: its notation in hexadecimal digits, and its opacity."""

    text: str
    alpha: float = 1.0


class Reference(NamedTuple):
    """A reference to a paint server, with the paint that replaces a missing one."""

    name: str
    fallback: str


@lru_cache(maxsize=4096)
def parse_rgba(text: str) -> tuple[float, float, float, float]:
    """Return red, green, blue, and alpha from 0 to 1.

    Raises ValueError for anything that is not a color of CSS in the color space of screens.
    """
    text = _NAMED_COLOURS.get(text, text)
    if _HEX.fullmatch(text):
        digits = text[1:] if len(text) > 4 else "".join(digit * 2 for digit in text[1:])
        red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
        return (red, green, blue, 1.0)
    # Loaded here because most artwork has colors such as #rrggbb.
    from tinycss2.color4 import parse_color

    colour = parse_color(text.partition("icc-color(")[0].strip())
    if colour is None or isinstance(colour, str) or colour.space not in _RGB_SPACES:
        raise ValueError(f"'{text[:40]}' is not a valid color")
    red, green, blue = map(_clamped, colour.to("srgb").coordinates)
    return (red, green, blue, _clamped(colour.alpha))


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> Colour:
    """Return a color of CSS.

    Raises ValueError if it is not one that is supported.
    """
    *levels, alpha = parse_rgba(text)
    red, green, blue = (round(level * 255) for level in levels)
    return Colour(f"#{red:02x}{green:02x}{blue:02x}", alpha)


def gray_of(colour: Colour) -> Colour:
    """Return the luminance of a color as gray, by which masks measure opacity (SVG 1.1, 14.4)."""
    red, green, blue = (int(colour.text[at : at + 2], 16) for at in (1, 3, 5))
    level = round(0.2125 * red + 0.7154 * green + 0.0721 * blue)
    return Colour(f"#{level:02x}{level:02x}{level:02x}", colour.alpha)


def parse_reference(text: str) -> Reference | None:
    """Return a reference such as 'url(#leaf) red'.

    Return None if it is not one.

    Raises ValueError if it refers to another file.
    """
    match = _URL.match(text)
    if match is None:
        return None
    target = match[2] if match[1] else match[3].strip()
    if not target.startswith("#"):
        raise ValueError(f"'{target[:40]}' is in another file")
    return Reference(target[1:], match[4].strip())


def property_colour(text: str, context_colour: str, is_mask: bool) -> Colour:
    """Return the color of a property.

    Raises ValueError if it is not one.
    """
    colour = parse_colour(context_colour if text.lower() == "currentcolor" else text)
    return gray_of(colour) if is_mask else colour
