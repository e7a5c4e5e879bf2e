"""Outlines and paints of shapes (SVG 1.1, chapters 9, 11, and 13)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from cardgen.affine import Matrix, apply, inverse, multiply
from cardgen.face.vector_art.document import (
    MAX_CHAIN,
    MAX_NUMBER,
    Context,
    Element,
    Metrics,
    Scene,
    box_matrix,
    collapses,
    matrix_text,
    parse_number,
    parse_numbers,
    parse_share,
    parse_transform,
)
from cardgen.text.lines import PathCommand
from cardgen.text.svg_path import extreme_points, parse_path
from cardgen.units import Box, Size

Outline = tuple[PathCommand, ...]
# An outline, and the matrix to the user space of the caller.
Leaf = tuple[Outline, Matrix]

_CIRCLE_HANDLE = 4 * (2**0.5 - 1) / 3


def outline_of(element: Element, metrics: Metrics) -> Outline:
    """Return the outline of a shape.

    It is empty if nothing is drawn.

    Raises ValueError with a message for the user if an attribute is invalid.
    """
    outline = _OUTLINES[element.tag](element, metrics)
    if any(abs(number) > MAX_NUMBER for _, *numbers in outline for number in numbers):
        raise ValueError(f"a coordinate is out of range (at most {MAX_NUMBER:,.0f})")
    return outline


def _path(element: Element, _: Metrics) -> Outline:
    data = element.get("d")
    return () if data in ("", "none") else parse_path(data)


def _length(element: Element, metrics: Metrics, name: str, axis: str, default: str = "0") -> float:
    return metrics.length(element.get(name) or default, axis)


def _radii(element: Element, metrics: Metrics) -> tuple[float, float]:
    """Return the radii of a corner or an ellipse.

    Each defaults to the other; negative ones are invalid.
    """
    across, down = (element.get(name) or "auto" for name in ("rx", "ry"))
    rx, ry = (None if text == "auto" else metrics.length(text, axis) for text, axis in ((across, "x"), (down, "y")))
    rx, ry = (None if radius is not None and radius < 0 else radius for radius in (rx, ry))
    return (rx if rx is not None else ry) or 0.0, (ry if ry is not None else rx) or 0.0


def _rect(element: Element, metrics: Metrics) -> Outline:
    x, y = (_length(element, metrics, name, name) for name in "xy")
    width, height = (_length(element, metrics, name, axis) for name, axis in (("width", "x"), ("height", "y")))
    if width <= 0 or height <= 0:
        return ()
    rx, ry = _radii(element, metrics)
    if not rx or not ry:
        return box_outline(Box(x, y, width, height))
    return rounded_outline(Box(x, y, width, height), min(rx, width / 2), min(ry, height / 2))


def box_outline(box: Box) -> Outline:
    """Return the outline of a rectangle."""
    return (
        ("M", box.x, box.y),
        ("L", box.right, box.y),
        ("L", box.right, box.bottom),
        ("L", box.x, box.bottom),
        ("Z",),
    )


def rounded_outline(box: Box, rx: float, ry: float) -> Outline:
    """Return a rounded rectangle, without lines of no length."""
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    near_x, near_y = rx * (1 - _CIRCLE_HANDLE), ry * (1 - _CIRCLE_HANDLE)
    commands: tuple[PathCommand, ...] = (
        ("M", x + rx, y),
        ("L", right - rx, y),
        ("C", right - near_x, y, right, y + near_y, right, y + ry),
        ("L", right, bottom - ry),
        ("C", right, bottom - near_y, right - near_x, bottom, right - rx, bottom),
        ("L", x + rx, bottom),
        ("C", x + near_x, bottom, x, bottom - near_y, x, bottom - ry),
        ("L", x, y + ry),
        ("C", x, y + near_y, x + near_x, y, x + rx, y),
    )
    moves = (after for before, after in pairwise(commands) if after[0] == "C" or before[-2:] != after[1:])
    return (commands[0], *moves, ("Z",))


def _circle(element: Element, metrics: Metrics) -> Outline:
    radius = _length(element, metrics, "r", "d")
    return _round_outline(element, metrics, radius, radius)


def _ellipse(element: Element, metrics: Metrics) -> Outline:
    return _round_outline(element, metrics, *_radii(element, metrics))


def _round_outline(element: Element, metrics: Metrics, rx: float, ry: float) -> Outline:
    if rx <= 0 or ry <= 0:
        return ()
    x, y = _length(element, metrics, "cx", "x"), _length(element, metrics, "cy", "y")
    # It starts at the right, as dashes and markers do.
    hx, hy = rx * _CIRCLE_HANDLE, ry * _CIRCLE_HANDLE
    return (
        ("M", x + rx, y),
        ("C", x + rx, y + hy, x + hx, y + ry, x, y + ry),
        ("C", x - hx, y + ry, x - rx, y + hy, x - rx, y),
        ("C", x - rx, y - hy, x - hx, y - ry, x, y - ry),
        ("C", x + hx, y - ry, x + rx, y - hy, x + rx, y),
        ("Z",),
    )


def _line(element: Element, metrics: Metrics) -> Outline:
    x1, y1, x2, y2 = (_length(element, metrics, name, name[0]) for name in ("x1", "y1", "x2", "y2"))
    return (("M", x1, y1), ("L", x2, y2))


def _polyline(element: Element, _: Metrics) -> Outline:
    numbers = parse_numbers(element.get("points"))
    if len(numbers) % 2:
        raise ValueError("the last point has no y coordinate")
    points = zip(numbers[::2], numbers[1::2], strict=True)
    return tuple((("L" if index else "M"), *point) for index, point in enumerate(points))


def _polygon(element: Element, metrics: Metrics) -> Outline:
    lines = _polyline(element, metrics)
    return (*lines, ("Z",)) if lines else ()


_OUTLINES: Mapping[str, Callable[[Element, Metrics], Outline]] = {
    "path": _path, "rect": _rect, "circle": _circle, "ellipse": _ellipse, "line": _line, "polyline": _polyline,
    "polygon": _polygon,
}  # fmt: skip
SHAPE_TAGS = frozenset(_OUTLINES)


def transformed(outline: Outline, matrix: Matrix) -> Outline:
    """Return the outline after a transformation."""
    return tuple((kind, *_moved(numbers, matrix)) for kind, *numbers in outline)


def _moved(numbers: list[float], matrix: Matrix) -> Iterable[float]:
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        yield from apply(matrix, x, y)


def path_data(outline: Outline) -> str:
    """Return an outline as the `d` of a path."""
    return "".join(f"{kind}{' '.join(f'{number:.7g}' for number in numbers)}" for kind, *numbers in outline)


def bounds(leaves: Iterable[Leaf]) -> Box | None:
    """Return the smallest box around outlines, without their strokes.

    Return None if there are none.
    """
    points = [point for outline, matrix in leaves for point in _extremes(transformed(outline, matrix))]
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _extremes(outline: Outline) -> Iterable[tuple[float, float]]:
    at = (0.0, 0.0)
    for kind, *numbers in outline:
        if kind == "C":
            yield from extreme_points([at, *zip(numbers[::2], numbers[1::2], strict=True)])
        if numbers:
            at = (numbers[-2], numbers[-1])
            yield at


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
