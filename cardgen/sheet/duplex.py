"""Duplex: backs behind their fronts, and correction of misregistration."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from cardgen.affine import Matrix, compose, rotation, translation
from cardgen.sheet.page import Polygon, Slot, Stroke
from cardgen.units import Box, Size


class Backs(StrEnum):
    """Ways to print backs behind their fronts."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    GUTTERFOLD = "gutterfold"
    NONE = "none"


def back_slot(slot: Slot, paper: Size, backs: Backs) -> Slot:
    """Return the slot of the back, as seen after the flip.

    The reader turns a card about its own vertical axis, like a page. A flip about the vertical axis of the paper
    mirrors x. A flip about the horizontal axis, such as a fold across the middle, mirrors y, so the back is rotated by
    180 degrees.
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
    """Return the stroke on the back behind one on the front."""
    if _flips_sideways(paper, backs):
        return stroke._replace(x1=paper.width - stroke.x1, x2=paper.width - stroke.x2)
    return stroke._replace(y1=paper.height - stroke.y1, y2=paper.height - stroke.y2)


def flip_matrix(paper: Size, backs: Backs) -> Matrix:
    """Return the map between back page and view through the front.

    It is its own inverse.
    """
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


class Misregistration(NamedTuple):
    """Deviation of a printer's sheets from their pages.

    `dx` and `dy` are the offset of the back's center from the front's, and `rotation` is the rotation of the back about
    it: millimeters and degrees, clockwise, both as seen through the front against the light. `scale_x` and `scale_y`
    are the printed length of one millimeter across and along the sheet, on both sides.
    """

    dx: float = 0.0
    dy: float = 0.0
    rotation: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def front_correction(self, paper: Size) -> Matrix:
        """Return the transformation of a front page that makes lengths true."""
        return _about_middle(paper, (1 / self.scale_x, 0.0, 0.0, 1 / self.scale_y, 0.0, 0.0))

    def back_correction(self, paper: Size, backs: Backs) -> Matrix:
        """Return the transformation of a back page that restores registration.

        The printer scales the page, then rotates it about the center and shifts it, as seen through the front. So the
        page is flipped to the front's view, shifted and rotated back, flipped again, and scaled back.
        """
        shift_back = compose(_about_middle(paper, rotation(-self.rotation)), translation(-self.dx, -self.dy))
        flip = flip_matrix(paper, backs)
        return compose(self.front_correction(paper), flip, shift_back, flip)


def _about_middle(paper: Size, matrix: Matrix) -> Matrix:
    x, y = paper.width / 2, paper.height / 2
    return compose(translation(x, y), matrix, translation(-x, -y))
