"""What a sheet is made of: slots, placements, marks and pages.

All lengths are millimetres from the top left corner of the paper, y downward.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from cardgen.units import Box, Size

FaceT = TypeVar("FaceT")


class Side(StrEnum):
    """The side of a sheet of paper; BOTH where fronts and backs share one, to be folded."""

    FRONT = "front"
    BACK = "back"
    BOTH = "front and back"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one face.

    `trim` is where the cut runs, `clip` is as far as the face may paint (its bleed, as far as there is room), and
    `turn` is the angle in degrees, clockwise, by which the face stands turned on the paper.
    """

    trim: Box
    clip: Box
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Placement(Generic[FaceT]):
    """A face in its slot."""

    face: FaceT
    slot: Slot


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight hairline; `dashed` for a fold."""

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A short text beside the cards: the middle of its baseline, and the angle in degrees, clockwise."""

    text: str
    x: float
    y: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Page(Generic[FaceT]):
    """One side of one sheet, ready to be drawn.

    `trim` holds all cut lines, `bleed` everything that the faces may paint.
    """

    paper: Size
    side: Side
    placements: tuple[Placement[FaceT], ...]
    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...]
    trim: Box
    bleed: Box
