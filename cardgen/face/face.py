"""The Face, one side of a piece: items in paint order, in millimetres from the trim's corner."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.affine import IDENTITY, Matrix
from cardgen.text.lines import Fit, Line
from cardgen.units import Box, Size


@dataclass(frozen=True, slots=True)
class Artwork:
    """A chunk of vector artwork: a whole SVG document that covers trim and bleed.

    Chunks of equal content are equal, so that a frame shared by 300 cards is rendered once. `template` is the file
    that it came from first.
    """

    svg: bytes
    template: Path | None = field(default=None, compare=False)


class Picture(NamedTuple):
    """A picture file in its box; `focus` is what stays in sight, as shares of its sides, `radius` is in mm."""

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
    """How much room something takes and has, in mm: what a template has added up itself (`cg:room`)."""

    field: str
    used: float
    available: float

    @property
    def ok(self) -> bool:
        """True when it takes no more than it has; a hundredth of a millimetre is rounding."""
        return self.used <= self.available + 0.01


class Fold(NamedTuple):
    """A straight line along which the printed piece is folded (`cg:fold`)."""

    x1: float
    y1: float
    x2: float
    y2: float


class Field(NamedTuple):
    """A box that is filled in on the screen, before the piece is printed (`cg:field`).

    `name` is unique on its face, `size` is that of its type in points, `multiline` lets text run on to further lines.
    """

    name: str
    box: Box
    size: float
    multiline: bool = False
    align: Literal["left", "center"] = "left"


class Face(NamedTuple):
    """One side of a piece: its trim size, the bleed around it, its items, and how its parts fitted.

    `folds` and `fields` lie over the items.
    """

    size: Size
    bleed: float
    items: tuple[Item, ...]
    fits: tuple[Fit | Room, ...] = ()
    folds: tuple[Fold, ...] = ()
    fields: tuple[Field, ...] = ()
