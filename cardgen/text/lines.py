"""Types of set text: styles, lines of runs and icons, and fit.

Coordinates are millimetres from the top left corner of the face, y downward; type sizes are points.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from cardgen.units import Box

__all__ = [
    "Align",
    "Anchor",
    "Box",
    "Fit",
    "IconGlyph",
    "Line",
    "Outline",
    "PathCommand",
    "Run",
    "Style",
    "TypesetText",
    "Valign",
]

Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]
Anchor = Literal["start", "middle", "end"]
PathCommand = tuple[Any, ...]


class Style(NamedTuple):
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


class Run(NamedTuple):
    """A piece of one line in one font, size and colour.

    `x` and `y` are the start of its baseline, `width` is in millimetres. `packed` holds its advances as doubles, since
    a deck has hundreds of thousands of them. `link` names the place that it leads to, or is ''.
    """

    text: str
    font: str
    size: float
    colour: str
    x: float
    y: float
    width: float
    packed_advances: bytes
    link: str = ""

    @property
    def advances(self) -> tuple[float, ...]:
        """One for each character, in thousandths of the size: how far the pen moves, kerning and tracking included."""
        return tuple(memoryview(self.packed_advances).cast("d"))


class Outline(NamedTuple):
    """A shape to be filled: paths of the strokes ('M', x, y), ('L', x, y), ('C', x1, y1, x2, y2, x, y) and ('Z',).

    All are absolute, in shares of the icon's size, y upward from its lower edge; `width` is its share too. Each path
    is filled by itself, where `evenodd` names the rule (else: nonzero).
    """

    paths: tuple[tuple[PathCommand, ...], ...]
    width: float
    evenodd: bool = False


class IconGlyph(NamedTuple):
    """An icon: an outline filled with one colour, whose origin (lower left) stands at `x`, `y`.

    `size` (points) is what a 1 in the outline becomes; `width` is in millimetres. In SVG that is the transform
    `translate(x y) scale(s -s)`, with s = `size` in millimetres.
    """

    name: str
    outline: Outline
    size: float
    colour: str
    x: float
    y: float
    width: float


class Line(NamedTuple):
    """One line: its runs and icons from left to right."""

    pieces: tuple[Run | IconGlyph, ...]

    @property
    def text(self) -> str:
        """The line's characters, without its icons."""
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Run))


class Fit(NamedTuple):
    """How a text filled its box at the size that was taken in the end.

    `fill` is the share of the box that is used, over 1 when it is too full; `excess` is the number of characters
    that stand outside it, `missing` the characters that the font cannot draw, and `unknown_icons` the names that
    no icon has. `field` is the place in the card's data that the text came from ('abilities/0/text').
    """

    field: str
    size: float
    fill: float
    excess: int = 0
    missing: str = ""
    unknown_icons: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True when everything stands inside and every character and icon can be drawn."""
        return not (self.excess or self.missing or self.unknown_icons)


class TypesetText(NamedTuple):
    """A text set into its box."""

    lines: tuple[Line, ...]
    fit: Fit
