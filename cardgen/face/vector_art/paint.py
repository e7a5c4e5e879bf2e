"""Paints of SVG art (SVG 1.1, chapters 11 and 13)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from cardgen.affine import Matrix, apply, inverse, multiply
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import (
    Metrics,
    box_matrix,
    collapses,
    parse_number,
    parse_share,
    parse_transform,
)
from cardgen.face.vector_art.outlines import Leaf, bounds
from cardgen.face.vector_art.scene import MAX_CHAIN, Context, Scene, matrix_text
from cardgen.units import Size

GRADIENT_TAGS = frozenset({"linearGradient", "radialGradient"})
_NAMES: Mapping[str, tuple[str, ...]] = {
    "linearGradient": ("x1", "y1", "x2", "y2"),
    "radialGradient": ("cx", "cy", "r", "fx", "fy"),
}
_COORDINATES = frozenset({*_NAMES["linearGradient"], *_NAMES["radialGradient"], "fr"})
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_URL = re.compile(r"""url\(\s*+(?:(["'])([^"']*+)\1\s*+|([^)]*+))\)\s*+(.*)""", re.DOTALL)
_RGB_SPACES = ("srgb", "hsl", "hwb")
# Repetitions of a gradient on each side, beyond which it is a blur of all its colors.
_MAX_PERIODS = 64


class Colour(NamedTuple):
    """A color: its notation in hexadecimal digits, and its opacity."""

    text: str
    alpha: float = 1.0


class Reference(NamedTuple):
    """A reference to a paint server, with the paint that replaces a missing one."""

    name: str
    fallback: str


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> Colour:
    """Return a color of CSS.

    Raises ValueError if it is not one that is supported.
    """
    if _HEX.fullmatch(text):
        return Colour(text.lower())
    from tinycss2.color4 import parse_color

    colour = parse_color(text.partition("icc-color(")[0].strip())
    if colour is None or isinstance(colour, str) or colour.space not in _RGB_SPACES:
        raise ValueError(f"'{text[:40]}' is not a valid color")
    red, green, blue = (round(min(1.0, max(0.0, value)) * 255) for value in colour.to("srgb").coordinates)
    return Colour(f"#{red:02x}{green:02x}{blue:02x}", min(1.0, max(0.0, float(colour.alpha))))


def gray_of(colour: Colour) -> Colour:
    """Return the luminance of a color as gray, by which masks measure opacity (SVG 1.1, 14.4)."""
    red, green, blue = (int(colour.text[at : at + 2], 16) for at in (1, 3, 5))
    level = round(0.2125 * red + 0.7154 * green + 0.0721 * blue)
    return Colour(f"#{level:02x}{level:02x}{level:02x}", colour.alpha)


def parse_reference(text: str) -> Reference | None:
    """Return a reference such as 'url(#leaf) red'.

    Return None if it is not one.

    Raises ValueError if it refers to another file.
    """
    match = _URL.match(text)
    if match is None:
        return None
    target = match[2] if match[1] else match[3].strip()
    if not target.startswith("#"):
        raise ValueError(f"'{target[:40]}' is in another file")
    return Reference(target[1:], match[4].strip())


def property_colour(text: str, context_colour: str, is_mask: bool) -> Colour:
    """Return the color of a property.

    Raises ValueError if it is not one.
    """
    colour = parse_colour(context_colour if text.lower() == "currentcolor" else text)
    return gray_of(colour) if is_mask else colour


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
