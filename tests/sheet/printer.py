"""A simulated printer that shifts, rotates, and scales pages.

It uses complex numbers instead of the program's matrices, so that it can verify them independently.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Any

from cardgen.sheet.leaf import Backs, Misregistration, SheetPage, Side, Slot
from cardgen.units import Box, Matrix, Size

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Crooked:
    """Prints pages with a `misprint`.

    Points are in mm from the top left of the front.
    """

    misprint: Misregistration
    paper: Size
    backs: Backs

    def front(self, point: Point) -> Point:
        x, y = point
        middle_x, middle_y = self.paper.width / 2, self.paper.height / 2
        return (
            middle_x + (x - middle_x) * self.misprint.scale_x,
            middle_y + (y - middle_y) * self.misprint.scale_y,
        )

    def back(self, point: Point) -> Point:
        x, y = self.front(point)
        # The sheet is turned over: about its upright axis where the edge that stays in place is upright.
        upright = (self.backs is Backs.LONG_EDGE) == (self.paper.height >= self.paper.width)
        seen = complex(self.paper.width - x, y) if upright else complex(x, self.paper.height - y)
        middle = complex(self.paper.width / 2, self.paper.height / 2)
        turned = (seen - middle) * cmath.exp(1j * math.radians(self.misprint.rotation)) + middle
        return turned.real + self.misprint.dx, turned.imag + self.misprint.dy

    def on_paper(self, page: SheetPage[Any], point: Point) -> Point:
        moved = put_through(page.correction, point)
        return self.back(moved) if page.side is Side.BACK else self.front(moved)


def put_through(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def face_corners(slot: Slot) -> list[Point]:
    """Return the corners of a slot's face, clockwise from its top left."""
    corners = box_corners(slot.trim)
    start = -slot.turn // 90 % 4
    return [corners[(start + index) % 4] for index in range(4)]


def box_corners(box: Box) -> list[Point]:
    return [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)]
