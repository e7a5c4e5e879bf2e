"""Lengths in millimeters, named card and paper sizes, affine transformations, and quantities in words.

Internally, all lengths are in millimeters and type sizes in points; both are floats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import reduce
from typing import NamedTuple, TypeAlias

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72

# Longest paper and smallest piece that can be cut, in millimeters.
MAX_LENGTH = 5_000.0
MIN_SIDE = 4.0

MINUS = "\N{MINUS SIGN}"
NBSP = "\N{NO-BREAK SPACE}"

_UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "inch": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_POINT}
UNITS = tuple(_UNITS)
_LENGTH = re.compile(r"\s*+([0-9]++(?:\.[0-9]++)?|\.[0-9]++)\s*+(mm|cm|inch|in|\"|pt)?\s*+\Z")
_TIMES_SIGN = re.compile(r"(?<!\s)\s*+[x×]\s*+")


class Shape(StrEnum):
    """Outline of a piece: its rectangle, or a circle of its width."""

    RECTANGLE = "rectangle"
    ROUND = "round"


class Size(NamedTuple):
    """Width and height in millimeters."""

    width: float
    height: float

    @property
    def is_landscape(self) -> bool:
        """True if the size is wider than high."""
        return self.width > self.height

    def swap_sides(self) -> Size:
        """Return the size rotated by a quarter turn."""
        return Size(self.height, self.width)

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g} mm"


class Box(NamedTuple):
    """Rectangle in millimeters, from its top left corner; y points down."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the bottom edge."""
        return self.y + self.height

    def expand(self, by: float) -> Box:
        """Return the box enlarged by `by` millimeters on every side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


CARD_SIZES: dict[str, Size] = {
    "poker": Size(63.5, 88.9),
    "standard": Size(63, 88),
    "bridge": Size(57.15, 88.9),
    "usa": Size(56, 87),
    "euro": Size(59, 92),
    "japanese": Size(59, 86),
    "tarot": Size(70, 120),
    "mini-usa": Size(41, 63),
    "mini-euro": Size(44, 68),
    "jumbo": Size(88.9, 139.7),
    "square": Size(70, 70),
    "a6": Size(105, 148),
    "a7": Size(74, 105),
}

PAPER_SIZES: dict[str, Size] = {
    "a4": Size(210, 297),
    "letter": Size(215.9, 279.4),
    "a3": Size(297, 420),
    "legal": Size(215.9, 355.6),
    "tabloid": Size(279.4, 431.8),
    "a5": Size(148, 210),
}


def shorten(text: str, limit: int = 40) -> str:
    """Shorten a text for a message."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def signed(value: float) -> str:
    """Return a number with its sign: '+2', '−1'."""
    return f"{MINUS if value < 0 else '+'}{abs(value)}"


def to_points(mm: float) -> float:
    """Convert millimeters to points."""
    return mm / MM_PER_POINT


def to_mm(pt: float) -> float:
    """Convert points to millimeters."""
    return pt * MM_PER_POINT


def parse_length(text: str | float, *, unit: str = "mm") -> float:
    """Parse a length such as '3mm', '0.125in', or '8pt' to millimeters.

    A bare number is in `unit`. Raises ValueError with a message for the user if the text is not a valid length.
    """
    match = _LENGTH.match(str(text))
    if match is None:
        raise ValueError(
            f"'{shorten(str(text))}' is not a valid length; write a number with a unit, such as 3mm, 0.125in, or 8pt"
        )
    mm = float(match[1]) * _UNITS[match[2] or unit]
    if mm > MAX_LENGTH:
        raise ValueError(f"'{shorten(str(text))}' is longer than the maximum of {MAX_LENGTH:g} mm")
    return mm


def to_unit(mm: float, unit: str) -> float:
    """Convert millimeters to a unit such as 'cm', rounded to a thousandth."""
    return round(mm / _UNITS[unit], 3)


_BARE = re.compile(r"\d{1,4}(?:\.\d{1,3})?")


def parse_size(text: str, names: dict[str, Size]) -> Size:
    """Parse a size by name or as width x height.

    Examples are 'tarot' and '70mm x 120mm'. Raises ValueError with a message for the user if the text is neither.
    """
    named_size = names.get(text.strip().lower())
    if named_size is not None:
        return named_size
    sides = _TIMES_SIGN.split(text.strip())
    if len(sides) != 2:
        if _BARE.fullmatch(text.strip()):
            raise ValueError(f"the size {text.strip()} has no unit; write {text.strip()}mm")
        raise ValueError(
            f"unknown size '{shorten(text)}'; write one of {', '.join(names)}, or a custom size such as 70mm x 120mm"
        )
    custom_size = Size(parse_length(sides[0]), parse_length(sides[1]))
    if min(custom_size) <= 0:
        raise ValueError(f"'{text}' has a side of zero length")
    if min(custom_size) < MIN_SIDE:
        raise ValueError(f"'{text}' has a side shorter than {MIN_SIDE:g} mm")
    return custom_size


# Nouns that begin with a vowel but are spoken with a consonant.
_CONSONANT = re.compile(r"one|uni(?!m|n)|us[eu]|eu", re.IGNORECASE)


def quantity(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, '1 die' or '3 dice'; `many` is its plural unless that only adds an 's'.

    Names and labels from cards come with both forms: no plural of them is guessed.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def file_size(size: int) -> str:
    """Return the size of a file in bytes for people: '12 KiB', '3.4 MiB'."""
    return f"{size / 2**20:.1f} MiB" if size >= 2**20 else f"{max(round(size / 1024), 1)} KiB"


def with_article(noun: str) -> str:
    """Return a noun with its article: 'an attack', 'a disk', or 'a unit'."""
    is_vowel = noun[:1].lower() in (*"aeiou",) and not _CONSONANT.match(noun)
    return f"{'an' if is_vowel else 'a'} {noun}"


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
