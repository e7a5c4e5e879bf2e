"""Lengths in millimetres, and named card and paper sizes.

Everything inside the program is in millimetres, type sizes are in points; both are floats.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72

# No paper is longer, and no piece that can be cut is smaller.
MAX_LENGTH = 5_000.0
MIN_SIDE = 4.0

_UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "inch": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_POINT}
_LENGTH = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(mm|cm|inch|in|\"|pt)?\s*\Z")
_TIMES_SIGN = re.compile(r"\s*[x×]\s*")


class Shape(StrEnum):
    """How a piece is cut out: along the sides of its box, or with a round punch of the box's width."""

    RECTANGLE = "rectangle"
    ROUND = "round"


class Size(NamedTuple):
    """Width and height in millimetres."""

    width: float
    height: float

    @property
    def is_landscape(self) -> bool:
        """True where it is wider than high."""
        return self.width > self.height

    def swap_sides(self) -> Size:
        """The same size, turned by a quarter."""
        return Size(self.height, self.width)

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g} mm"


class Box(NamedTuple):
    """A rectangle in millimetres; x and y are its top left corner, y grows downward."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its bottom edge."""
        return self.y + self.height

    def expand(self, by: float) -> Box:
        """The box with as many millimetres more on every side."""
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
    """A text for a message, cut where it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def to_points(mm: float) -> float:
    """Millimetres to points."""
    return mm / MM_PER_POINT


def to_mm(pt: float) -> float:
    """Points to millimetres."""
    return pt * MM_PER_POINT


def parse_length(text: str | float, *, unit: str = "mm") -> float:
    """A length such as '3mm', '0.125in' or '8pt' in millimetres; a bare number is taken in `unit`.

    Raises ValueError with a sentence for the user when it is no length.
    """
    match = _LENGTH.match(str(text))
    if match is None:
        raise ValueError(
            f"'{shorten(str(text))}' is no length; write a number with a unit, such as 3mm, 0.125in or 8pt"
        )
    mm = float(match[1]) * _UNITS[match[2] or unit]
    if mm > MAX_LENGTH:
        raise ValueError(f"'{shorten(str(text))}' is longer than {MAX_LENGTH:g} mm")
    return mm


def parse_size(text: str, names: dict[str, Size]) -> Size:
    """A size by name ('tarot') or as width x height ('70mm x 120mm').

    Raises ValueError with a sentence for the user when it is neither.
    """
    named_size = names.get(text.strip().lower())
    if named_size is not None:
        return named_size
    sides = _TIMES_SIGN.split(text.strip())
    if len(sides) != 2:
        raise ValueError(f"'{text}' is no known size; write one of {', '.join(names)}, or for instance 70mm x 120mm")
    custom_size = Size(parse_length(sides[0]), parse_length(sides[1]))
    if min(custom_size) <= 0:
        raise ValueError(f"'{text}' has a side of no length")
    if min(custom_size) < MIN_SIDE:
        raise ValueError(f"'{text}' has a side of less than {MIN_SIDE:g} mm")
    return custom_size
