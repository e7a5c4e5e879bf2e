"""What the text stage hands on: lines of runs at their places, and how well they fitted.

Coordinates are millimetres from the top left corner of the face, y downward; type sizes are points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]


@dataclass(frozen=True, slots=True)
class Style:
    """How text looks: a family of the fonts at hand, sizes in points, colours as '#rrggbb'.

    `leading` is the distance of baselines as a multiple of the size; `emphasis` colours bold text, `caps` sets
    it in capitals, `tracking` adds that share of the size between letters.
    """

    family: str
    size: float
    colour: str = "#000000"
    bold: bool = False
    italic: bool = False
    leading: float = 1.2
    tracking: float = 0.0
    caps: bool = False
    emphasis: str | None = None
    paragraph_gap: float = 0.4


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in millimetres; x and y are its top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of one line in one font, size and colour.

    `x` and `y` are the start of its baseline, `width` is in millimetres. `advances` holds one number for each
    character of `text`, in thousandths of the size: how far the pen moves, kerning and tracking included.
    """

    text: str
    font: str
    size: float
    colour: str
    x: float
    y: float
    width: float
    advances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Glyph:
    """An icon drawn as an outline: an SVG path in millimetres with its place worked in, filled with one colour."""

    name: str
    path: str
    colour: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its runs and icons from left to right."""

    pieces: tuple[Run | Glyph, ...]

    @property
    def text(self) -> str:
        """The line's characters, without its icons."""
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Run))


@dataclass(frozen=True, slots=True)
class Fit:
    """How a text filled its box at the size that was taken in the end.

    `fill` is the share of the box that is used, over 1 when it is too full; `excess` is the number of characters
    that stand outside it, and `missing` the characters that no font at hand can draw. `field` is the place in the
    card's data that the text came from ('abilities/0/text').
    """

    field: str
    size: float
    fill: float
    excess: int = 0
    missing: str = ""

    @property
    def ok(self) -> bool:
        """True when everything stands inside and every character can be drawn."""
        return not self.excess and not self.missing


@dataclass(frozen=True, slots=True)
class Setting:
    """A text set into its box."""

    lines: tuple[Line, ...]
    fit: Fit
