"""Gradients and patterns of shapes (SVG 1.1, chapters 11 and 13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix, apply, inverse, multiply, translation
from cardgen.svg.scene import MAX_CHAIN, Context, Leaf, Scene, bounds, group_tag, matrix_text
from cardgen.svg.tree import Element
from cardgen.svg.values import (
    Colour,
    Metrics,
    box_matrix,
    collapses,
    parse_number,
    parse_share,
    parse_transform,
    parse_view_box,
    property_colour,
    view_box_matrix,
)
from cardgen.units import Box, Size

GRADIENT_TAGS = frozenset({"linearGradient", "radialGradient"})
_NAMES: Mapping[str, tuple[str, ...]] = {
    "linearGradient": ("x1", "y1", "x2", "y2"),
    "radialGradient": ("cx", "cy", "r", "fx", "fy"),
}
_COORDINATES = frozenset({*_NAMES["linearGradient"], *_NAMES["radialGradient"], "fr"})
# Repetitions of a gradient on each side, beyond which it is a blur of all its colors.
_MAX_PERIODS = 64


def inherited_attributes(element: Element, scene: Scene) -> tuple[dict[str, str], list[Element]]:
    """Return the attributes of a paint server and of those it refers to, and these elements.

    A gradient can refer to one of the other type, but has no coordinates from it.
    """
    family = GRADIENT_TAGS if element.tag in GRADIENT_TAGS else {element.tag}
    chain: list[Element] = []
    attributes: dict[str, str] = {}
    current: Element | None = element
    while current is not None and current not in chain and len(chain) < MAX_CHAIN:
        chain.append(current)
        own = current.attributes
        if current.tag != element.tag:
            own = {name: value for name, value in own.items() if name not in _COORDINATES}
        attributes = {**own, **attributes}
        current = scene.tree.ids.get(current.get("href").removeprefix("#"))
        current = current if current is not None and current.tag in family else None
    return attributes, chain


def require_plain_transform(attributes: Mapping[str, str], name: str) -> None:
    """Raise ValueError for a transform that programs treat in different ways."""
    if collapses(parse_transform(attributes.get(name, ""))):
        raise ValueError(f"the {name} leaves no area")
    if attributes.get("transform-origin"):
        raise ValueError("the property transform-origin is not supported")


class _Stop(NamedTuple):
    offset: float
    colour: Colour

    @property
    def source(self) -> str:
        """The stop as an element."""
        opacity = "" if self.colour.alpha == 1 else f' stop-opacity="{self.colour.alpha:.4g}"'
        return f'<stop offset="{self.offset:.6g}" stop-color="{self.colour.text}"{opacity}/>'


class GradientPaint:
    """A gradient for one shape."""

    def __init__(
        self, element: Element, scene: Scene, context: Context, style_of: Callable[[Element], Mapping[str, str]]
    ) -> None:
        self._scene = scene
        self._context = context
        self._style_of = style_of
        self._attributes, self._chain = inherited_attributes(element, scene)
        self._element = element

    def define(self, leaf: Leaf) -> Colour | str | None:
        """Return the color or the id of a new definition.

        Return None if nothing is painted.

        Raises ValueError if the gradient cannot be drawn.
        """
        stops = self._stops()
        matrix = self._matrix(leaf)
        if not stops or matrix is None:
            return None
        require_plain_transform(self._attributes, "gradientTransform")
        if collapses(matrix):
            return None
        coordinates = self._coordinates()
        if len(stops) == 1 or _is_point(coordinates):
            return stops[-1].colour
        spread = self._attributes.get("spreadMethod", "pad")
        if spread in ("repeat", "reflect"):
            coordinates, stops = _spread(coordinates, stops, _corners(leaf, matrix), is_mirrored=spread == "reflect")
        return self._add(coordinates, stops, matrix)

    def _add(self, coordinates: tuple[float, ...], stops: Sequence[_Stop], matrix: Matrix) -> str:
        name = self._scene.new_id()
        tag = self._tag
        numbers = "".join(f' {key}="{value:.9g}"' for key, value in zip(_NAMES[tag], coordinates, strict=True))
        self._scene.definitions.append(
            f'<{tag} id="{name}" gradientUnits="userSpaceOnUse" gradientTransform="{matrix_text(matrix)}"{numbers}>'
            f"{''.join(stop.source for stop in stops)}</{tag}>"
        )
        return name

    def _matrix(self, leaf: Leaf) -> Matrix | None:
        own = parse_transform(self._attributes.get("gradientTransform", ""))
        if self._in_user_space:
            return own
        box = bounds([leaf])
        return multiply(box_matrix(box), own) if box else None

    @property
    def _in_user_space(self) -> bool:
        return self._attributes.get("gradientUnits") == "userSpaceOnUse"

    def _coordinates(self) -> tuple[float, ...]:
        metrics = self._context.metrics if self._in_user_space else Metrics(Size(1, 1))

        def length(name: str, default: str) -> float:
            axis = "d" if name == "r" else name[-1] if name[-1] in "xy" else name[0]
            return metrics.length(self._attributes.get(name, default), axis)

        if self._tag == "linearGradient":
            return (length("x1", "0%"), length("y1", "0%"), length("x2", "100%"), length("y2", "0%"))
        if parse_length_or_zero(self._attributes.get("fr", "0")):
            raise ValueError("a gradient with a focal radius ('fr') is not supported")
        x, y, radius = (length(name, "50%") for name in ("cx", "cy", "r"))
        if radius < 0:
            raise ValueError("the radius of a gradient is negative")
        focus = (length("fx", f"{x}"), length("fy", f"{y}"))
        _require_focus_inside((x, y), radius, focus)
        return (x, y, radius, *focus)

    @property
    def _tag(self) -> str:
        return self._element.tag

    def _stops(self) -> list[_Stop]:
        owner = next((each for each in self._chain if any(child.tag == "stop" for child in each.children)), None)
        stops: list[_Stop] = []
        for child in owner.children if owner else ():
            if child.tag == "stop":
                offset = max(parse_share(child.get("offset") or "0"), stops[-1].offset if stops else 0.0)
                stops.append(_Stop(offset, self._stop_colour(child)))
        return stops

    def _stop_colour(self, stop: Element) -> Colour:
        style = self._style_of(stop)
        colour = property_colour(style["stop-color"], style["color"], self._context.is_mask)
        return Colour(colour.text, colour.alpha * parse_share(style["stop-opacity"]))


def parse_length_or_zero(text: str) -> float:
    """Return the number of a length, whatever its unit."""
    return parse_number(text.strip().rstrip("%abcdefghijklmnopqrstuvwxyz") or "0")


def _is_point(coordinates: tuple[float, ...]) -> bool:
    return coordinates[:2] == coordinates[2:] if len(coordinates) == 4 else coordinates[2] == 0


def _require_focus_inside(center: tuple[float, float], radius: float, focus: tuple[float, float]) -> None:
    """Raise ValueError for a focal point outside the circle, which programs draw in different ways."""
    if radius and hypot(focus[0] - center[0], focus[1] - center[1]) >= radius:
        raise ValueError("a gradient whose focal point is outside its circle is not supported")


def _corners(leaf: Leaf, matrix: Matrix) -> list[tuple[float, float]]:
    """Return the corners of a shape, with room for its stroke, in the space of its gradient."""
    box = bounds([leaf])
    if box is None:
        return []
    box = box.expand(max(box.width, box.height) * 0.25)
    back = inverse(matrix)
    return [apply(back, x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]


def _spread(
    coordinates: tuple[float, ...], stops: Sequence[_Stop], corners: Sequence[tuple[float, float]], *, is_mirrored: bool
) -> tuple[tuple[float, ...], list[_Stop]]:
    """Return a gradient that repeats, written out as far as the shape reaches.

    Raises ValueError if it repeats too often.
    """
    first, last = _periods(coordinates, corners)
    if last - first > 2 * _MAX_PERIODS:
        raise ValueError(f"a gradient that repeats more than {2 * _MAX_PERIODS} times is not supported")
    backward = [_Stop(1 - stop.offset, stop.colour) for stop in reversed(stops)]
    spread = [
        _Stop((period + stop.offset - first) / (last - first), stop.colour)
        for period in range(first, last)
        for stop in _whole(backward if is_mirrored and period % 2 else stops)
    ]
    if len(coordinates) == 4:
        x1, y1, x2, y2 = coordinates
        dx, dy = x2 - x1, y2 - y1
        return (x1 + dx * first, y1 + dy * first, x1 + dx * last, y1 + dy * last), spread
    x, y, radius, fx, fy = coordinates
    # The circles between the focal point and the circle go on beyond it.
    return (fx + (x - fx) * last, fy + (y - fy) * last, radius * last, fx, fy), spread


def _whole(stops: Sequence[_Stop]) -> list[_Stop]:
    """Return stops that reach from 0 to 1."""
    return [_Stop(0.0, stops[0].colour), *stops, _Stop(1.0, stops[-1].colour)]


def _periods(coordinates: tuple[float, ...], corners: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """Return the first and the last period that a shape reaches.

    The period of the gradient itself is from 0 to 1.
    """
    if len(coordinates) == 4:
        x1, y1, x2, y2 = coordinates
        dx, dy = x2 - x1, y2 - y1
        shares = [((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy) for x, y in corners]
        return int(min(shares, default=0) // 1), int(-(-max(shares, default=1) // 1)) or 1
    x, y, radius, fx, fy = coordinates
    slack = radius - hypot(x - fx, y - fy)  # how fast the circles grow where they grow slowest
    reach = max((hypot(px - fx, py - fy) for px, py in corners), default=0)
    return 0, max(1, int(-(-reach // slack)))


_PATTERN_BOX = ("x", "y", "width", "height")


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
            for name in _PATTERN_BOX
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
