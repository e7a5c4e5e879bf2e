"""Face: one side of a piece, as items in paint order.

Coordinates are in millimeters from the corner of the trim.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.text.lines import Fit, Line, PathCommand
from cardgen.units import IDENTITY, Box, Matrix, Size


@dataclass(frozen=True, slots=True)
class Artwork:
    """Chunk of vector artwork: an SVG document that covers trim and bleed.

    Chunks with equal content are equal, so that a frame shared by 300 cards is rendered once. `template` is the file
    that it first came from. The picture of an SVG file, `is_art`, is reduced to what is always translated.
    """

    svg: bytes
    template: Path | None = field(default=None, compare=False)
    is_art: bool = False


class Picture(NamedTuple):
    """Picture file in its box.

    `focus` is the point that stays visible, as fractions of width and height; `radius` is in millimeters.
    """

    path: Path
    box: Box
    fit: Literal["cover", "contain"] = "cover"
    focus: tuple[float, float] = (0.5, 0.5)
    radius: float = 0.0
    matrix: Matrix = IDENTITY


class Text(NamedTuple):
    """Lines of text, laid out before `matrix` applies."""

    lines: tuple[Line, ...]
    matrix: Matrix = IDENTITY


Item = Artwork | Picture | Text


class Room(NamedTuple):
    """Space that a template has used and has available, in mm (`cg:room`)."""

    field: str
    used: float
    available: float

    @property
    def ok(self) -> bool:
        """True if the used space fits; 0.01 mm is a rounding error."""
        return self.used <= self.available + 0.01


class Fold(NamedTuple):
    """Straight fold line of the printed piece (`cg:fold`)."""

    x1: float
    y1: float
    x2: float
    y2: float


class CutPath(NamedTuple):
    """Cut line of a piece with an outline of its own, as closed paths (`cg:cut`)."""

    outline: tuple[PathCommand, ...]


class Field(NamedTuple):
    """Form field to fill in on screen before printing (`cg:field`).

    `name` is unique on its face, `size` is its type size in points, and `multiline` allows several lines. `is_box` is
    a box to tick. `family` is the font of what is typed; empty for that of the sheet's labels.
    """

    name: str
    box: Box
    size: float
    multiline: bool = False
    align: Literal["left", "center"] = "left"
    is_box: bool = False
    family: str = ""


class Face(NamedTuple):
    """One side of a piece: trim size, bleed, items, and fits.

    `folds` and `fields` are on top of the items. `cuts` replace the trim as cut line on presses.
    """

    size: Size
    bleed: float
    items: tuple[Item, ...]
    fits: tuple[Fit | Room, ...] = ()
    folds: tuple[Fold, ...] = ()
    fields: tuple[Field, ...] = ()
    cuts: tuple[CutPath, ...] = ()

    @property
    def rest(self) -> Face:
        """What pages need of a face that is drawn already: all but its artwork and texts, which take most memory."""
        pictures = tuple(item for item in self.items if isinstance(item, Picture))
        return self if len(pictures) == len(self.items) else self._replace(items=pictures, fits=())
