"""Patterns of SVG art (SVG 1.1, 13.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.affine import IDENTITY, Matrix, multiply, translation
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import (
    Metrics,
    box_matrix,
    parse_transform,
    parse_view_box,
    view_box_matrix,
)
from cardgen.face.vector_art.outlines import Leaf, bounds
from cardgen.face.vector_art.paint import inherited_attributes, require_plain_transform
from cardgen.face.vector_art.scene import Context, Scene, group_tag, matrix_text
from cardgen.units import Box, Size

_SIDES = ("x", "y", "width", "height")


class PatternPaint:
    """A pattern for one shape."""

    def __init__(
        self,
        element: Element,
        scene: Scene,
        context: Context,
        style_of: Callable[[Element], Mapping[str, str]],
        draw: Callable[[Element, Context], list[Leaf]],
    ) -> None:
        self._element = element
        self._scene = scene
        self._context = context
        self._style_of = style_of
        self._draw = draw
        self._attributes, self._chain = inherited_attributes(element, scene)

    def define(self, leaf: Leaf) -> str | None:
        """Return the id of a new definition; None if nothing is painted.

        Raises ValueError for invalid attributes.
        """
        box = bounds([leaf])
        tile = self._tile(box)
        owner = next((each for each in self._chain if each.children), None)
        inside = self._context.entered(self._element)
        if inside is None:
            self._scene.refuse(self._element, "circular reference", "<pattern> refers to itself")
        matrix = parse_transform(self._attributes.get("patternTransform", ""))
        content = self._content_matrix(tile, box) if tile else None
        require_plain_transform(self._attributes, "patternTransform")
        if tile is None or content is None or owner is None or inside is None:
            return None
        return self._add(tile, matrix, content, self._body(owner, inside, tile))

    def _add(self, tile: Box, matrix: Matrix, content: Matrix, body: list[str]) -> str | None:
        if not body:
            return None
        name = self._scene.new_id()
        matrix = multiply(matrix, translation(tile.x, tile.y))
        self._scene.definitions.append(
            f'<pattern id="{name}" patternUnits="userSpaceOnUse" patternTransform="{matrix_text(matrix)}" '
            f'width="{tile.width:.9g}" height="{tile.height:.9g}">'
            f"{group_tag(content)}{''.join(body)}</g></pattern>"
        )
        return name

    def _body(self, owner: Element, inside: Context, tile: Box) -> list[str]:
        style = self._style_of(owner)
        if style["overflow"] in ("visible", "auto"):
            self._scene.refuse(owner, "overflow of a pattern")
        view = parse_view_box(self._attributes.get("viewBox", ""))
        viewport = Size(*(view or tile)[2:]) if view else inside.metrics.viewport
        content = inside._replace(style=style, metrics=inside.metrics._replace(viewport=viewport))
        with self._scene.apart() as body:
            for child in owner.children:
                self._draw(child, content)
        return body

    def _tile(self, box: Box | None) -> Box | None:
        in_user_space = self._attributes.get("patternUnits") == "userSpaceOnUse"
        metrics = self._context.metrics if in_user_space else Metrics(Size(1, 1))
        sides = [
            metrics.length(self._attributes.get(name, "").strip() or "0", "x" if name in ("x", "width") else "y")
            for name in _SIDES
        ]
        if not in_user_space:
            if box is None or box.width <= 0 or box.height <= 0:
                return None
            x, y, width, height = sides
            sides = [box.x + x * box.width, box.y + y * box.height, width * box.width, height * box.height]
        return Box(*sides) if sides[2] > 0 and sides[3] > 0 else None

    def _content_matrix(self, tile: Box, box: Box | None) -> Matrix | None:
        view = parse_view_box(self._attributes.get("viewBox", ""))
        if view:
            if view.width <= 0 or view.height <= 0:
                return None
            return view_box_matrix(
                view, Box(0, 0, tile.width, tile.height), self._attributes.get("preserveAspectRatio", "").strip()
            )
        if self._attributes.get("patternContentUnits") == "objectBoundingBox":
            return box_matrix(box._replace(x=0, y=0)) if box else None
        return IDENTITY
