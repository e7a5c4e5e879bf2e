"""Parts of a sheet: slots, placements, marks, and pages.

All lengths are in millimeters from the top left corner of the paper; y points down.
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
    """Layers that readers can show and hide, by their displayed names."""

    CUTS = "Cut marks"
    FOLDS = "Fold lines"
    SAFE = "Safe zone"


class Side(StrEnum):
    """Side of a sheet.

    BOTH holds fronts and backs, to be folded.
    """

    FRONT = "front"
    BACK = "back"
    BOTH = "front and back"


class Slot(NamedTuple):
    """Slot for one face.

    `trim` is the cut line, and `clip` is the box around everything that the face may paint: the trim plus the available
    bleed. Beside neighbors the bleed is not a full box: `clip_area` then has its polygons. Otherwise a round slot
    paints the circle in its clip. `turn` is the clockwise rotation of the face in degrees, and `radius` that of the
    corners of the clip.
    """

    trim: Box
    clip: Box
    turn: int = 0
    shape: Shape = Shape.RECTANGLE
    clip_area: tuple[Polygon, ...] = ()
    radius: float = 0.0


class Placement(NamedTuple, Generic[FaceT]):
    """Face in its slot; `name` is that of its card."""

    face: FaceT
    slot: Slot
    name: str = ""


class Stroke(NamedTuple):
    """Straight hairline; `dashed` for a fold, and with a white `halo` to be seen on a dark drawing.

    Without a layer, it is always visible.
    """

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False
    layer: Layer | None = None
    halo: bool = False


class Outline(NamedTuple):
    """Outline of a box, or of the circle in it.

    Without a layer, it is always visible.
    """

    box: Box
    shape: Shape
    layer: Layer | None


class Label(NamedTuple):
    """Short text at the start, middle, or end of its baseline.

    `turn` is in degrees, clockwise, and `size` in points. Without a layer, it is always visible.
    """

    text: str
    x: float
    y: float
    turn: int = 0
    anchor: Literal["start", "middle", "end"] = "middle"
    size: float = 6.0
    layer: Layer | None = None


class SheetPage(NamedTuple, Generic[FaceT]):
    """One side of one sheet, ready to draw.

    `trim` contains all cut lines, and `bleed` everything that faces may paint. `correction` compensates for the
    printer. `name` is the page label ('3 back'), and `pieces` are the groups and names of the pieces with fronts on
    this page. `fills` are black areas, such as registration marks.
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
    fills: tuple[Box, ...] = ()
