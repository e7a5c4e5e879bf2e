"""SVG gradients as PDF shadings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix, multiply
from cardgen.export.pdf.operators import format_number, parse_colour, parse_number
from cardgen.face.svg import subset
from cardgen.units import Box, Size

GRADIENT_TAGS = frozenset({"linearGradient", "radialGradient"})
_COORDINATES = {"linearGradient": ("x1", "y1", "x2", "y2"), "radialGradient": ("cx", "cy", "r", "fx", "fy")}
_DEFAULTS = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%", "cx": "50%", "cy": "50%", "r": "50%"}
_SHARED = frozenset({"id", "href", "xlink:href", "gradientUnits", "gradientTransform", "spreadMethod"})
_STOP_ATTRIBUTES = frozenset({"offset", "stop-color", "stop-opacity", "id", "class", "style"})
_MAX_CHAIN = 16


class Stop(NamedTuple):
    """Color stop: offset, and red, green, blue, and alpha from 0 to 1."""

    offset: float
    colour: tuple[float, float, float]
    alpha: float


@dataclass(frozen=True, slots=True)
class GradientElement:
    """A gradient as written."""

    tag: str
    attributes: Mapping[str, str]
    stops: list[Stop] = field(default_factory=list)


class Gradient(NamedTuple):
    """Gradient with its coordinates, and their matrix to user space.

    The coordinates are those of a shading: the ends of an axis (4 numbers), or two circles (6 numbers).
    """

    coordinates: tuple[float, ...]
    matrix: Matrix
    stops: tuple[Stop, ...]


def gradient_element(tag: str, attributes: Mapping[str, str]) -> GradientElement:
    """Return a gradient that has no stops yet.

    Raises ValueError for attributes that are not supported.
    """
    allowed = _SHARED | {*_COORDINATES[tag], "class", "style"}
    if unsupported := attributes.keys() - allowed:
        raise ValueError(f"<{tag}> has the attribute '{min(unsupported)}'")
    return GradientElement(tag, attributes)


def gradient_stop(attributes: Mapping[str, str]) -> Stop:
    """Return a color stop.

    Raises ValueError for attributes and values that are not supported.
    """
    if unsupported := attributes.keys() - _STOP_ATTRIBUTES:
        raise ValueError(f"<stop> has the attribute '{min(unsupported)}'")
    red, green, blue, alpha = parse_colour(attributes.get("stop-color", "black"))
    alpha *= _clamped(_length(attributes.get("stop-opacity", "1"), 1))
    return Stop(_clamped(_length(attributes.get("offset", "0"), 1)), (red, green, blue), alpha)


def resolve(elements: Mapping[str, GradientElement], name: str, box: Callable[[], Box], viewport: Size) -> Gradient:
    """Return the gradient of a shape.

    Its matrix is degenerate if the box of the shape is. Takes attributes and stops from the gradients that it refers
    to. Raises ValueError if there is no such gradient, or it cannot be translated.
    """
    chain = _reference_chain(elements, name)
    attributes = {key: value for element in reversed(chain) for key, value in element.attributes.items()}
    if attributes.get("spreadMethod", "pad") != "pad":
        raise ValueError(f"'#{name}' has the spreadMethod '{attributes['spreadMethod']}'")
    in_user_space = attributes.get("gradientUnits") == "userSpaceOnUse"
    matrix = IDENTITY if in_user_space else _box_matrix(box())
    if "gradientTransform" in attributes:
        matrix = multiply(matrix, subset.parse_transform(attributes["gradientTransform"]))
    coordinates = _coordinates(chain[0].tag, attributes, viewport if in_user_space else Size(1, 1))
    stops = next((tuple(element.stops) for element in chain if element.stops), ())
    return Gradient(coordinates, matrix, _padded_stops(stops))


def _reference_chain(elements: Mapping[str, GradientElement], name: str) -> list[GradientElement]:
    chain: list[GradientElement] = []
    while name:
        if name not in elements:
            raise ValueError(f"'#{name}' is not a gradient")
        if len(chain) == _MAX_CHAIN:
            raise ValueError(f"'#{name}' is part of a long chain of references")
        chain.append(elements[name])
        attributes = elements[name].attributes
        name = attributes.get("href", attributes.get("xlink:href", "")).removeprefix("#")
    return chain


def _box_matrix(box: Box) -> Matrix:
    return (box.width, 0, 0, box.height, box.x, box.y)


def _coordinates(tag: str, attributes: Mapping[str, str], viewport: Size) -> tuple[float, ...]:
    diagonal = hypot(viewport.width, viewport.height) / 2**0.5

    def length(name: str, default: str = "") -> float:
        whole = diagonal if name == "r" else viewport.height if name.endswith(("y", "y1", "y2")) else viewport.width
        return _length(attributes.get(name, default or _DEFAULTS[name]), whole)

    if tag == "linearGradient":
        return tuple(length(name) for name in _COORDINATES[tag])
    x, y, radius = length("cx"), length("cy"), length("r")
    focus_x, focus_y = length("fx", f"{x}"), length("fy", f"{y}")
    if radius < 0:
        raise ValueError("the radius is negative")
    if radius and hypot(focus_x - x, focus_y - y) >= radius:
        raise ValueError("the focal point of a gradient is outside its circle")
    return (focus_x, focus_y, 0, x, y, radius)


def _length(text: str, whole: float) -> float:
    text = text.strip()
    return parse_number(text[:-1]) / 100 * whole if text.endswith("%") else parse_number(text)


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _padded_stops(stops: Sequence[Stop]) -> tuple[Stop, ...]:
    """Return stops with ascending offsets, the first 0 and the last 1."""
    if not stops:
        return ()
    ascending: list[Stop] = [stops[0]._replace(offset=0.0)]
    for stop in stops:
        ascending.append(stop._replace(offset=max(stop.offset, ascending[-1].offset)))
    return (*ascending, stops[-1]._replace(offset=1.0))


def is_point(gradient: Gradient) -> bool:
    """Return whether the gradient has no extent.

    If so, its last color fills everything.
    """
    coordinates = gradient.coordinates
    return coordinates[:2] == coordinates[2:] if len(coordinates) == 4 else coordinates[-1] == 0


def colour_shading(gradient: Gradient) -> str:
    """Return the shading of the colors, as a dictionary in the syntax of PDF."""
    return _shading(gradient, "/DeviceRGB", [stop.colour for stop in gradient.stops])


def alpha_shading(gradient: Gradient) -> str:
    """Return the shading of the opacity, as gray levels."""
    return _shading(gradient, "/DeviceGray", [(stop.alpha,) for stop in gradient.stops])


def _shading(gradient: Gradient, space: str, levels: Sequence[tuple[float, ...]]) -> str:
    coordinates, offsets, levels = _with_hard_ends(
        gradient.coordinates, [stop.offset for stop in gradient.stops], levels
    )
    kind = 2 if len(coordinates) == 4 else 3
    return (
        f"<< /ShadingType {kind} /ColorSpace {space} /Coords [{_row(coordinates)}] /Extend [true true] "
        f"/Function {_function(offsets, levels)} >>"
    )


def _with_hard_ends(
    coordinates: tuple[float, ...], offsets: list[float], levels: Sequence[tuple[float, ...]]
) -> tuple[tuple[float, ...], list[float], Sequence[tuple[float, ...]]]:
    """Extend a gradient that changes abruptly at an end.

    Viewers would extend the color inside the end. The new interval is as long as the gradient, and has the color
    outside. Circles have no outside at their start.
    """
    half = len(coordinates) // 2
    before = half == 2 and _color_at_start(offsets, levels) != levels[0]
    after = _color_at_start([1 - each for each in reversed(offsets)], levels[::-1]) != levels[-1]
    first, last = -1.0 if before else 0.0, 2.0 if after else 1.0
    ends = zip(coordinates[:half], coordinates[half:], strict=True)
    pairs = [(start + (end - start) * first, start + (end - start) * last) for start, end in ends]
    scaled = [(offset - first) / (last - first) for offset in offsets]
    return (
        (*(start for start, _ in pairs), *(end for _, end in pairs)),
        [0.0, *scaled, 1.0],
        [levels[0], *levels, levels[-1]],
    )


def _color_at_start(offsets: Sequence[float], levels: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Return the color inside the start, where the last stop at offset 0 counts."""
    return [level for offset, level in zip(offsets, levels, strict=True) if offset == 0][-1]


def _function(offsets: Sequence[float], levels: Sequence[tuple[float, ...]]) -> str:
    """Return the PDF function that interpolates the levels.

    Its domain is 0 to 1; steps have no length.
    """
    stops = list(zip(offsets, levels, strict=True))
    intervals = [(start, end) for start, end in pairwise(stops) if start[0] < end[0]]
    parts = [
        f"<< /FunctionType 2 /Domain [0 1] /C0 [{_row(start[1])}] /C1 [{_row(end[1])}] /N 1 >>"
        for start, end in intervals
    ]
    if len(parts) == 1:
        return parts[0]
    bounds = _row([start[0] for start, _ in intervals[1:]])
    encode = _row([0, 1] * len(parts))
    return f"<< /FunctionType 3 /Domain [0 1] /Functions [{' '.join(parts)}] /Bounds [{bounds}] /Encode [{encode}] >>"


def _row(numbers: Sequence[float]) -> str:
    return " ".join(map(format_number, numbers))
