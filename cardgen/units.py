"""Lengths in millimetres, and the names of card and paper sizes.

Everything inside the program is in millimetres, type sizes are in points; both are floats.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72

# No paper is longer, and no piece that can be cut is smaller.
LONGEST = 5_000.0
SHORTEST_SIDE = 4.0

_UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "inch": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_POINT}
_LENGTH = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(mm|cm|inch|in|\"|pt)?\s*\Z")
_BETWEEN = re.compile(r"\s*[x×]\s*")


class Shape(StrEnum):
    """How a piece is cut out: along the sides of its box, or with a round punch of the box's width."""

    RECTANGLE = "rectangle"
    ROUND = "round"


class Size(NamedTuple):
    """Width and height in millimetres."""

    width: float
    height: float

    @property
    def landscape(self) -> bool:
        """True where it is wider than high."""
        return self.width > self.height

    def turned(self) -> Size:
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

    def grown(self, by: float) -> Box:
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


def shortened(text: str, most: int = 40) -> str:
    """A text for a message, cut where it is long."""
    return text if len(text) <= most else text[: most - 1] + "…"


def points(mm: float) -> float:
    """Millimetres to points."""
    return mm / MM_PER_POINT


def millimetres(pt: float) -> float:
    """Points to millimetres."""
    return pt * MM_PER_POINT


def length(text: str | float, *, unit: str = "mm") -> float:
    """A length such as '3mm', '0.125in' or '8pt' in millimetres; a bare number is taken in `unit`.

    Raises ValueError with a sentence for the user when it is no length.
    """
    match = _LENGTH.match(str(text))
    if match is None:
        raise ValueError(
            f"'{shortened(str(text))}' is no length; write a number with a unit, such as 3mm, 0.125in or 8pt"
        )
    found = float(match[1]) * _UNITS[match[2] or unit]
    if found > LONGEST:
        raise ValueError(f"'{shortened(str(text))}' is longer than {LONGEST:g} mm")
    return found


def size(text: str, named: dict[str, Size]) -> Size:
    """A size by name ('tarot') or as width x height ('70mm x 120mm').

    Raises ValueError with a sentence for the user when it is neither.
    """
    known = named.get(text.strip().lower())
    if known is not None:
        return known
    sides = _BETWEEN.split(text.strip())
    if len(sides) != 2:
        raise ValueError(f"'{text}' is no known size; write one of {', '.join(named)}, or for instance 70mm x 120mm")
    found = Size(length(sides[0]), length(sides[1]))
    if min(found) <= 0:
        raise ValueError(f"'{text}' has a side of no length")
    if min(found) < SHORTEST_SIDE:
        raise ValueError(f"'{text}' has a side of less than {SHORTEST_SIDE:g} mm")
    return found
