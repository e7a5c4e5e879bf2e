"""Duplex: backs behind their fronts, and the correction of a printer's misregistration."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cardgen.affine import Matrix, compose, rotation, translation
from cardgen.sheet.page import Polygon, Slot, Stroke
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
    sideways = _flips_sideways(paper, backs)
    mirror = _mirror_x if sideways else _mirror_y
    return slot._replace(
        trim=mirror(slot.trim, paper),
        clip=mirror(slot.clip, paper),
        clip_area=tuple(_mirror_polygon(each, paper, sideways=sideways) for each in slot.clip_area),
        turn=(-slot.turn if sideways else 180 - slot.turn) % 360,
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


def _mirror_polygon(polygon: Polygon, paper: Size, *, sideways: bool) -> Polygon:
    if sideways:
        return tuple((paper.width - x, y) for x, y in polygon)
    return tuple((x, paper.height - y) for x, y in polygon)


def _mirror_x(box: Box, paper: Size) -> Box:
    return box._replace(x=paper.width - box.right)


def _mirror_y(box: Box, paper: Size) -> Box:
    return box._replace(y=paper.height - box.bottom)


@dataclass(frozen=True, slots=True)
class Misregistration:
    """How a printer's sheets differ from their pages.

    `dx` and `dy` are how far the middle of the back lies from that of the front, and `rotation` by how much the back is
    turned about it: in millimetres and in degrees, clockwise, both as seen through the front against the light.
    `scale_x` and `scale_y` are how long a millimetre becomes across and along the sheet, on both sides.
    """

    dx: float = 0.0
    dy: float = 0.0
    rotation: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def front_correction(self, paper: Size) -> Matrix:
        """What a front page has to be put through, so that lengths on paper are true."""
        return _about_middle(paper, (1 / self.scale_x, 0.0, 0.0, 1 / self.scale_y, 0.0, 0.0))

    def back_correction(self, paper: Size, backs: Backs) -> Matrix:
        """What a back page has to be put through, so that it comes to lie behind the front.

        The printer scales the page, and what it then does is seen through the front: turned about the middle, and
        shifted. So the page is taken to the front's view, shifted and turned back there, and scaled back.
        """
        shift_back = compose(_about_middle(paper, rotation(-self.rotation)), translation(-self.dx, -self.dy))
        flip = flip_matrix(paper, backs)
        return compose(self.front_correction(paper), flip, shift_back, flip)


def _about_middle(paper: Size, matrix: Matrix) -> Matrix:
    x, y = paper.width / 2, paper.height / 2
    return compose(translation(x, y), matrix, translation(-x, -y))
