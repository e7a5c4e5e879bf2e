"""Types of set text: styles, lines of runs and icons, and fit.

Coordinates are in millimeters from the top left corner of the face, y points down; type sizes are in points.
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
    """Text style: font family, size in points, and colors as '#rrggbb'.

    `leading` is the distance of baselines as a multiple of the size, `emphasis` is the color of bold text, `caps` sets
    the text in capitals, and `tracking` is the space between letters as a fraction of the size.
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
    """Part of a line in one font, size, and color.

    `x` and `y` are the start of its baseline, and `width` is in millimeters. `packed_advances` holds the advances as
    packed doubles, because a deck has hundreds of thousands of them. `link` is the name of the link's target, or ''.
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
        """The advance of each character, in thousandths of the size.

        Kerning and tracking are included.
        """
        return tuple(memoryview(self.packed_advances).cast("d"))


class IconArt(NamedTuple):
    """Icon with colors of its own, strokes, or transparency, as SVG of height 1, y downward.

    `prefix` starts all ids of the definitions. `text_colour` stands for the color of the text in both parts.
    """

    definitions: str
    body: str
    prefix: str
    text_colour: str

    def drawn(self, colour: str) -> str:
        """Return the SVG of the icon in a text of a color, such as '#7d2620'."""
        if not self.definitions:
            return self.body.replace(self.text_colour, colour)
        source = f"<defs>{self.definitions}</defs>{self.body}"
        if self.text_colour in self.definitions:  # other colors, other definitions
            source = source.replace(f"{self.prefix}-", f"{self.prefix}-{colour.strip('#')}-")
        return source.replace(self.text_colour, colour)


class Outline(NamedTuple):
    """Filled shape: paths of 'M', 'L', 'C', and 'Z' commands.

    The commands are ('M', x, y), ('L', x, y), ('C', x1, y1, x2, y2, x, y), and ('Z',). All coordinates are absolute, as
    fractions of the icon's size, with y pointing up from its lower edge; `width` is a fraction too. Each path is filled
    separately, with the even-odd rule if `evenodd`, else the nonzero rule. An icon that cannot be drawn like this has
    no paths, but `art`.
    """

    paths: tuple[tuple[PathCommand, ...], ...]
    width: float
    evenodd: bool = False
    art: IconArt | None = None


class IconGlyph(NamedTuple):
    """Icon: an outline in one color, placed by its lower left corner.

    The corner is at `x`, `y`. `size` (points) is the length of 1 in the outline; `width` is in millimeters. In SVG, the
    transform is `translate(x y) scale(s -s)`, with s = `size` in millimeters.
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
    """Fit of a text in its box at the chosen size (points).

    On a face, `size` includes the transforms of the template. `fill` is the used fraction of the box, over 1 if it is
    too full. `excess` is the number of characters outside the box, `missing` are the characters without a glyph, and
    `unknown_icons` the names of unknown icons. `field` is the path of the text in the card's data
    ('abilities/0/text'), and `markup` the text. `box` is its place on the face, if anything is printed.
    """

    field: str
    size: float
    fill: float
    excess: int = 0
    missing: str = ""
    unknown_icons: tuple[str, ...] = ()
    markup: str = ""
    box: Box | None = None

    @property
    def ok(self) -> bool:
        """True if everything fits and every character and icon is available."""
        return not (self.excess or self.missing or self.unknown_icons)


class TypesetText(NamedTuple):
    """Text set in its box."""

    lines: tuple[Line, ...]
    fit: Fit
