"""Where backs lie so that they meet their fronts: a flip on the long or the short edge, or a fold."""

from __future__ import annotations

from enum import StrEnum

from cardgen.affine import Matrix
from cardgen.sheet.page import Slot, Stroke
from cardgen.units import Box, Size


class Backs(StrEnum):
    """How backs come to lie behind their fronts."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    GUTTERFOLD = "gutterfold"
    NONE = "none"


def back_slot(slot: Slot, paper: Size, backs: Backs) -> Slot:
    """The slot of the back, on the sheet as it is seen after the flip.

    The reader turns a card about its own upright axis, as one turns a page.
    A flip about the paper's upright axis mirrors x; about the level axis, as in a fold across the middle, it mirrors
    y, and there the back stands on its head.
    """
    if _flips_sideways(paper, backs):
        return slot._replace(trim=_mirror_x(slot.trim, paper), clip=_mirror_x(slot.clip, paper), turn=-slot.turn % 360)
    return slot._replace(
        trim=_mirror_y(slot.trim, paper), clip=_mirror_y(slot.clip, paper), turn=(180 - slot.turn) % 360
    )


def back_stroke(stroke: Stroke, paper: Size, backs: Backs) -> Stroke:
    """The stroke on the back that lies behind one on the front."""
    if _flips_sideways(paper, backs):
        return stroke._replace(x1=paper.width - stroke.x1, x2=paper.width - stroke.x2)
    return stroke._replace(y1=paper.height - stroke.y1, y2=paper.height - stroke.y2)


def flip_matrix(paper: Size, backs: Backs) -> Matrix:
    """The map from a point on the back page to where it lies seen through the front, and the other way."""
    if _flips_sideways(paper, backs):
        return (-1.0, 0.0, 0.0, 1.0, paper.width, 0.0)
    return (1.0, 0.0, 0.0, -1.0, 0.0, paper.height)


def _flips_sideways(paper: Size, backs: Backs) -> bool:
    if backs is Backs.GUTTERFOLD:
        return False
    return (backs is Backs.LONG_EDGE) != paper.is_landscape


def _mirror_x(box: Box, paper: Size) -> Box:
    return box._replace(x=paper.width - box.right)


def _mirror_y(box: Box, paper: Size) -> Box:
    return box._replace(y=paper.height - box.bottom)
