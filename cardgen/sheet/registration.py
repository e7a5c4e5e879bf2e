"""What a printer does to a page, as it was measured, and what makes up for it."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.affine import Matrix, compose, rotation, translation
from cardgen.sheet.duplex import Backs, flip_matrix
from cardgen.units import Size


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
