"""What a sheet is made of: slots, placements, marks and pages.

All lengths are millimetres from the top left corner of the paper, y downward.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from cardgen.affine import IDENTITY, Matrix
from cardgen.units import Box, Shape, Size

FaceT = TypeVar("FaceT")
# Corners, in order.
Polygon: TypeAlias = tuple[tuple[float, float], ...]


class Layer(StrEnum):
    """What can be shown and hidden by itself; the names are what readers list."""

    CUTS = "Cut marks"
    FOLDS = "Fold lines"
    SAFE = "Safe zone"


class Side(StrEnum):
    """The side of a sheet of paper; BOTH where fronts and backs share one, to be folded."""

    FRONT = "front"
    BACK = "back"
    BOTH = "front and back"


class Slot(NamedTuple):
    """A place for one face.

    `trim` is where the cut runs, `clip` is the box around all that the face may paint: its bleed, as far as there is
    room. Beside neighbors that is not a whole box: then `clip_area` are the polygons that it consists of. Else a round
    slot paints the circle in its clip. `turn` is the angle in degrees, clockwise, by which the face stands turned
    on the paper.
    """

    trim: Box
    clip: Box
    turn: int = 0
    shape: Shape = Shape.RECTANGLE
    clip_area: tuple[Polygon, ...] = ()


class Placement(NamedTuple, Generic[FaceT]):
    """A face in its slot."""

    face: FaceT
    slot: Slot


class Stroke(NamedTuple):
    """A straight hairline; `dashed` for a fold. Without a layer it is always shown."""

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False
    layer: Layer | None = None


class Outline(NamedTuple):
    """The outline of a box, or of the circle in it. Without a layer it is always shown."""

    box: Box
    shape: Shape
    layer: Layer | None


class Label(NamedTuple):
    """A short text: where the middle of its baseline is, or its start, and the angle in degrees, clockwise.

    `size` is in points. Without a layer it is always shown.
    """

    text: str
    x: float
    y: float
    turn: int = 0
    anchor: Literal["start", "middle", "end"] = "middle"
    size: float = 6.0
    layer: Layer | None = None


class SheetPage(NamedTuple, Generic[FaceT]):
    """One side of one sheet, ready to be drawn.

    `trim` holds all cut lines, `bleed` everything that the faces may paint. `adjust` makes up for what the printer does
    with the page. `name` is how a reader numbers it ('3 back'), and `pieces` are the groups and names of the pieces
    whose fronts are on it.
    """

    paper: Size
    side: Side
    placements: tuple[Placement[FaceT], ...]
    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...]
    trim: Box
    bleed: Box
    outlines: tuple[Outline, ...] = ()
    correction: Matrix = IDENTITY
    name: str = ""
    pieces: tuple[tuple[str, str], ...] = ()
