"""SVG colors and gradients as brushes of PDF."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from cardgen.affine import Matrix, apply, inverse, multiply
from cardgen.export.artwork import gradients as svg_gradients
from cardgen.export.artwork.gradients import Gradient, GradientElement
from cardgen.export.artwork.translation import Mask, Resource
from cardgen.export.pdf.operators import colour_operator, format_number, matrix_operator, parse_colour
from cardgen.export.pdf.stream import Brush
from cardgen.units import Box, Size

_URL = re.compile(r"url\(\s*#([-\w.:]+)\s*\)")
_MIN_AREA = 1e-12
_COLOUR_OPERATORS = {"fill": "rg", "stroke": "RG"}
PATTERN_OPERATORS = {"fill": ("cs", "scn"), "stroke": ("CS", "SCN")}


def referenced_id(value: str) -> str | None:
    """Return the id in a value such as 'url(#leaf)'; None if it is not one."""
    match = _URL.fullmatch(value.strip()) if "url" in value else None
    return match[1] if match else None


class Space(NamedTuple):
    """User space of a shape.

    `matrix` leads to the form, which paints only inside `box`; percentages refer to `viewport`.
    """

    matrix: Matrix
    box: Box
    viewport: Size

    def visible_box(self) -> Box:
        """Return a box around all that is painted, in user space."""
        back = inverse(self.matrix)
        corners = [apply(back, x, y) for x in (self.box.x, self.box.right) for y in (self.box.y, self.box.bottom)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def make_brush(
    use: str,
    paint: str,
    alpha: float,
    gradients: Mapping[str, GradientElement],
    shape: Callable[[], Box],
    space: Space,
) -> Brush | None:
    """Return the brush of a fill or stroke; None if it paints nothing.

    `use` is 'fill' or 'stroke', and `shape` returns the box of the shape. Raises ValueError for paints that are not
    supported.
    """
    if paint == "none" or alpha <= 0:
        return None
    name = referenced_id(paint)
    if name is not None:
        return _gradient_brush(use, svg_gradients.resolve(gradients, name, shape, space.viewport), alpha, space)
    brush = _colour_brush(use, paint)
    return brush if alpha == 1 else Brush(brush.operator, brush.alpha * alpha)


@lru_cache(maxsize=1024)
def _colour_brush(use: str, text: str) -> Brush:
    *colour, alpha = parse_colour(text)
    return Brush(colour_operator(colour, _COLOUR_OPERATORS[use]), alpha)


def _gradient_brush(use: str, gradient: Gradient, alpha: float, space: Space) -> Brush | None:
    a, b, c, d, _, _ = gradient.matrix
    if not gradient.stops or abs(a * d - b * c) < _MIN_AREA:
        return None
    stops = gradient.stops[-1:] if svg_gradients.is_point(gradient) else gradient.stops
    operator, resources = _gradient_operator(use, gradient._replace(stops=stops), space)
    if len({stop.alpha for stop in stops}) == 1:
        return Brush(operator, alpha * stops[0].alpha, resources)
    return Brush(operator, alpha, resources, _mask(gradient, space))


def _gradient_operator(use: str, gradient: Gradient, space: Space) -> tuple[str, tuple[Resource, ...]]:
    """Return the operator that selects the colors, without their opacity."""
    if len({stop.colour for stop in gradient.stops}) == 1:
        return colour_operator(gradient.stops[0].colour, _COLOUR_OPERATORS[use]), ()
    matrix = " ".join(map(format_number, multiply(space.matrix, gradient.matrix)))
    shading = svg_gradients.colour_shading(gradient)
    pattern = Resource("Pattern", f"<< /PatternType 2 /Matrix [{matrix}] /Shading {shading} >>")
    space_operator, operator = PATTERN_OPERATORS[use]
    return f"/Pattern {space_operator} /{pattern.name} {operator}", (pattern,)


def _mask(gradient: Gradient, space: Space) -> Resource:
    """Return a graphics state with a gradient's opacity as soft mask.

    It applies in user space.
    """
    visible = space.visible_box()
    box = (visible.x, visible.y, visible.right, visible.bottom)
    mask = Mask(box, f"{matrix_operator(gradient.matrix)} /S sh", svg_gradients.alpha_shading(gradient))
    return Resource("ExtGState", "<< /SMask << /Type /Mask /S /Luminosity /G %s >> >>", mask)
