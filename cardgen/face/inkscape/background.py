"""Backgrounds of a drawing: how far they extend beyond the page, for the bleed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from cardgen.affine import Matrix, apply, multiply
from cardgen.face.inkscape.document import DrawingElement
from cardgen.face.inkscape.objects import SHAPES, SILENT, is_left_out, object_matrix
from cardgen.text.svg_path import parse_path

_SIDES = ("left", "top", "right", "bottom")
# A shape along this much of a side is a background.
_MOST_OF_A_SIDE = 0.9
_WHITE = frozenset({"#ffffff", "#fff", "white"})
# What is nearer to the edge of the page does not extend beyond it, in mm.
_EDGE = 0.3

_Extent = tuple[float, float, float, float]


def background_checks(root: DrawingElement, matrix: Matrix, width: float, height: float) -> dict[int, str]:
    """Return template code that compares backgrounds with the bleed, by the identity of their shapes.

    `matrix` leads from the units of the drawing to millimeters on the page. Only backgrounds that extend beyond the
    page count: who draws none up to the edge may want a white border.
    """
    reaches: dict[str, tuple[float, DrawingElement]] = {}
    for shape, extent in _extents(root, matrix):
        for side, reach in _reaches(extent, width, height):
            if reach > reaches.get(side, (_EDGE, shape))[0]:
                reaches[side] = (reach, shape)
    by_shape: dict[int, dict[str, float]] = {}
    for side, (reach, shape) in reaches.items():
        by_shape.setdefault(id(shape), {})[side] = round(reach, 3)
    return {shape: f"{{{{ require_bleed({sides}, page_, bleed) }}}}" for shape, sides in by_shape.items()}


def _reaches(extent: _Extent, width: float, height: float) -> Iterator[tuple[str, float]]:
    """Yield how far a shape extends beyond each side of the page along which it is a background."""
    left, top, right, bottom = extent
    covers = (min(bottom, height) - max(top, 0)) / height, (min(right, width) - max(left, 0)) / width
    reaches = (-left, -top, right - width, bottom - height)
    for index, side in enumerate(_SIDES):
        if covers[index % 2] >= _MOST_OF_A_SIDE:
            yield side, reaches[index]


def _extents(element: DrawingElement, outer: Matrix) -> Iterator[tuple[DrawingElement, _Extent]]:
    """Yield the painted shapes inside an element with their extents on the page."""
    for child in element.children:
        if is_left_out(child) or child.tag in SILENT:
            continue
        try:
            matrix = multiply(outer, object_matrix(child))
            points = [apply(matrix, x, y) for x, y in _points(child)] if _is_painted(child) else []
        except (ValueError, OverflowError):  # placing it reports the error
            continue
        if points:
            across, down = zip(*points, strict=True)
            yield child, (min(across), min(down), max(across), max(down))
        yield from _extents(child, matrix)


def _is_painted(element: DrawingElement) -> bool:
    fill = element.style.get("fill", element.attributes.get("fill", ""))
    return element.tag in SHAPES and fill not in _WHITE | {"none"}


def _points(element: DrawingElement) -> Iterator[tuple[float, float]]:
    """Yield the corners of a shape's extent, or the points of its outline."""
    if element.tag == "path":
        commands = parse_path(element.attributes.get("d", ""))
        numbers = (command[1:] for command in commands)
        return ((float(x), float(y)) for each in numbers for x, y in zip(each[::2], each[1::2], strict=True))
    if element.tag != "rect":
        return iter(())
    x, y, width, height = (float(element.attributes.get(name) or 0) for name in ("x", "y", "width", "height"))
    return product((x, x + width), (y, y + height))
