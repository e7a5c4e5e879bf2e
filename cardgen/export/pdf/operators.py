"""PDF operators for SVG: numbers, matrices, colors, shapes; and the parts of artwork that are translated to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import pairwise
from math import hypot
from typing import Literal, NamedTuple, TypeAlias

from cardgen.svg.scene import ellipse, extreme_points, parse_path, rounded_outline
from cardgen.svg.tree import parse_number, parse_numbers, parse_rgba, parse_share, parse_transform, read_style
from cardgen.text.lines import PathCommand
from cardgen.units import IDENTITY, Box, Matrix, Size, multiply, to_points

_PATH_OPERATORS = {"M": "%.5g %.5g m", "L": "%.5g %.5g l", "C": "%.5g %.5g %.5g %.5g %.5g %.5g c", "Z": "h"}


def format_number(value: float) -> str:
    """Format a number for PDF, which has no exponents."""
    text = f"{value:.5g}"
    if "e" in text:
        text = f"{value:.9f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def fill_in(template: str, numbers: tuple[float, ...]) -> str:
    """Return operators with numbers in the place of each '%.5g', which a space follows."""
    text = template % numbers
    if "e+" in text or "e-" in text or "-0 " in text:
        return template.replace("%.5g", "%s") % tuple(map(format_number, numbers))
    return text


def matrix_operator(matrix: Matrix) -> str:
    """Return the operator that applies a matrix.

    Raises ValueError if the matrix collapses the area to zero.
    """
    a, b, c, d, _, _ = matrix
    if abs(a * d - b * c) < 1e-12:
        raise ValueError("the transform collapses the area to zero")
    return fill_in("%.5g %.5g %.5g %.5g %.5g %.5g cm", matrix)


def colour_operator(colour: Iterable[float], operator: str) -> str:
    """Return red, green, and blue as an 'rg' (fill) or 'RG' (stroke) operator."""
    return f"{' '.join(f'{level:.4g}' for level in colour)} {operator}"


def has_inside(outline: str) -> bool:
    """Return whether a path can enclose an area.

    PDF viewers fill a single line as a hairline.
    """
    return outline.count(" l") > 1 or " c" in outline or " re" in outline


def outline_box(outline: str) -> Box:
    """Return the smallest box around path operators.

    Raises ValueError if there are none.
    """
    points: list[tuple[float, float]] = []
    numbers: list[float] = []
    for word in outline.split():
        if word[-1] in "0123456789.":
            numbers.append(float(word))
            continue
        points += _extreme_points(points[-1] if points else (0.0, 0.0), word, numbers)
        numbers = []
    if not points:
        raise ValueError("the shape is empty")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _extreme_points(
    current: tuple[float, float], operator: str, numbers: Sequence[float]
) -> Iterator[tuple[float, float]]:
    """Yield the points that bound one path operator.

    The last one is the new current point, except after `h`.
    """
    if operator == "re":
        x, y, width, height = numbers
        yield from ((x + width, y + height), (x, y))
        return
    if operator == "c":
        yield from extreme_points([current, *zip(numbers[::2], numbers[1::2], strict=True)])
    if numbers:
        yield numbers[-2], numbers[-1]


def path_operators(pen: Iterable[PathCommand]) -> str:
    """Return the commands of a path as operators."""
    templates: list[str] = []
    numbers: list[float] = []
    for command in pen:
        templates.append(_PATH_OPERATORS[command[0]])
        numbers += command[1:]
    return fill_in(" ".join(templates), tuple(numbers))


def shape_operators(tag: str, attributes: Mapping[str, str]) -> str:
    """Return the path operators of a basic shape or path.

    Raises ValueError if it is empty or cannot be parsed.
    """
    return _SHAPE_OPERATORS[tag](attributes)


def _path(attributes: Mapping[str, str]) -> str:
    return _path_data_operators(attributes["d"]) if "d" in attributes else ""


@lru_cache(maxsize=1024)
def _path_data_operators(data: str) -> str:
    return path_operators(parse_path(data))


def _rect(attributes: Mapping[str, str]) -> str:
    x, y = (parse_number(attributes.get(name, "0")) for name in ("x", "y"))
    width, height = (_positive(attributes, name) for name in ("width", "height"))
    rx = parse_number(attributes.get("rx", attributes.get("ry", "0")))
    ry = parse_number(attributes.get("ry", attributes.get("rx", "0")))
    if min(rx, ry) < 0:
        raise ValueError("the radius is negative")
    if rx == 0 or ry == 0:
        return fill_in("%.5g %.5g %.5g %.5g re", (x, y, width, height))
    return path_operators(rounded_outline(Box(x, y, width, height), min(rx, width / 2), min(ry, height / 2)))


def _circle(attributes: Mapping[str, str]) -> str:
    radius = _positive(attributes, "r")
    return _ellipse_operators(attributes, radius, radius)


def _ellipse(attributes: Mapping[str, str]) -> str:
    return _ellipse_operators(attributes, _positive(attributes, "rx"), _positive(attributes, "ry"))


def _ellipse_operators(attributes: Mapping[str, str], rx: float, ry: float) -> str:
    x, y = (parse_number(attributes.get(name, "0")) for name in ("cx", "cy"))
    return path_operators(ellipse(x, y, rx, ry))


def _line(attributes: Mapping[str, str]) -> str:
    x1, y1, x2, y2 = (parse_number(attributes.get(name, "0")) for name in ("x1", "y1", "x2", "y2"))
    return path_operators((("M", x1, y1), ("L", x2, y2)))


def _polyline(attributes: Mapping[str, str]) -> str:
    coordinates = parse_numbers(attributes.get("points", ""))
    if len(coordinates) % 2:
        raise ValueError("the last point has no y coordinate")
    points = list(zip(coordinates[::2], coordinates[1::2], strict=True))
    return path_operators((("L" if index else "M"), *point) for index, point in enumerate(points))


def _polygon(attributes: Mapping[str, str]) -> str:
    lines = _polyline(attributes)
    return f"{lines} h" if lines else ""


def _positive(attributes: Mapping[str, str], name: str) -> float:
    value = parse_number(attributes.get(name, "0"))
    if value <= 0:
        raise ValueError(f"'{name}' must be greater than 0")
    return value


_SHAPE_OPERATORS: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    "path": _path, "rect": _rect, "circle": _circle, "ellipse": _ellipse, "line": _line, "polyline": _polyline,
    "polygon": _polygon,
}  # fmt: skip
SHAPE_TAGS = frozenset(_SHAPE_OPERATORS)


BBox: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SharedPath:
    """A long path and its fill operator, in the current fill color."""

    content: str

    @property
    def digest(self) -> bytes:
        """Short key, the same for the same content."""
        return blake2b(self.content.encode(), digest_size=16).digest()

    @property
    def box(self) -> BBox:
        """Left, bottom, right, and top.

        Includes the handles of curves, so that nothing is clipped.
        """
        numbers = [float(word) for word in self.content.split() if word[-1] in "0123456789"]
        across, upward = numbers[::2], numbers[1::2]
        return (min(across), min(upward), max(across), max(upward)) if numbers else (0, 0, 0, 0)


class Resource(NamedTuple):
    """A pattern or graphics state, as a dictionary in the syntax of PDF.

    If a graphics state has `content`, '%s' in the dictionary is where the reference to its form belongs. The content of
    a pattern is its tile.
    """

    kind: Literal["Pattern", "ExtGState"]
    definition: str
    content: Mask | Group | None = None

    @property
    def name(self) -> str:
        """Name for the operators, the same for the same content."""
        return _resource_name(self)


@lru_cache(maxsize=1024)
def _resource_name(resource: Resource) -> str:
    return f"{resource.kind[0]}{blake2b(repr(resource).encode(), digest_size=6).hexdigest()}"


class Mask(NamedTuple):
    """Shading whose luminosity is the opacity of a soft mask."""

    box: BBox
    content: str
    shading: str


@dataclass(frozen=True)
class Translation:
    """Operators in paint order, and the resources they name."""

    parts: tuple[str | SharedPath | Group, ...]
    resources: frozenset[Resource] = frozenset()

    @cached_property
    def length(self) -> int:
        """Number of characters of all operators that are not shared."""
        return sum(len(part) for part in self.parts if isinstance(part, str))


@dataclass(frozen=True)
class Group:
    """Parts that are composed as a whole, in the current graphics state."""

    box: BBox
    content: Translation


def joined(parts: list[str | SharedPath | Group]) -> tuple[str | SharedPath | Group, ...]:
    """Return the parts with adjacent operators joined into one text."""
    result: list[str | SharedPath | Group] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] = f"{result[-1]}\n{part}"
        else:
            result.append(part)
    return tuple(result)


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
    red, green, blue, alpha = parse_rgba(attributes.get("stop-color", "black"))
    alpha *= parse_share(attributes.get("stop-opacity", "1"))
    return Stop(parse_share(attributes.get("offset", "0")), (red, green, blue), alpha)


def resolve(elements: Mapping[str, GradientElement], name: str, box: Callable[[], Box], viewport: Size) -> Gradient:
    """Return the gradient of a shape.

    Its matrix is degenerate if the box of the shape is. Takes attributes and stops from the gradients that it refers
    to. Raises ValueError if there is no such gradient, or it cannot be translated.
    """
    following = name
    chain: list[GradientElement] = []
    while following:
        if following not in elements:
            raise ValueError(f"'#{following}' is not a gradient")
        if len(chain) == _MAX_CHAIN:
            raise ValueError(f"'#{following}' is part of a long chain of references")
        chain.append(elements[following])
        own = elements[following].attributes
        following = own.get("href", own.get("xlink:href", "")).removeprefix("#")
    attributes = {key: value for element in reversed(chain) for key, value in element.attributes.items()}
    if attributes.get("spreadMethod", "pad") != "pad":
        raise ValueError(f"'#{name}' has the spreadMethod '{attributes['spreadMethod']}'")
    in_user_space = attributes.get("gradientUnits") == "userSpaceOnUse"
    matrix = IDENTITY if in_user_space else _box_matrix(box())
    if "gradientTransform" in attributes:
        matrix = multiply(matrix, parse_transform(attributes["gradientTransform"]))
    coordinates = _coordinates(chain[0].tag, attributes, viewport if in_user_space else Size(1, 1))
    stops = next((tuple(element.stops) for element in chain if element.stops), ())
    if stops:
        # With ascending offsets, the first 0 and the last 1.
        ascending: list[Stop] = [stops[0]._replace(offset=0.0)]
        for stop in stops:
            ascending.append(stop._replace(offset=max(stop.offset, ascending[-1].offset)))
        stops = (*ascending, stops[-1]._replace(offset=1.0))
    return Gradient(coordinates, matrix, stops)


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


INITIAL_STYLE = {
    "fill": "black", "fill-rule": "nonzero", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1",
    "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-miterlimit": "4",
    "stroke-dasharray": "none", "stroke-dashoffset": "0", "visibility": "visible", "color": "black",
}  # fmt: skip
GEOMETRY = {
    "path": {"d"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
    "g": set[str](),
    "a": {"href", "xlink:href"},
    "use": {"x", "y", "width", "height", "href", "xlink:href"},
}
_COMMON_ATTRIBUTES = {
    *INITIAL_STYLE, "transform", "clip-path", "opacity", "display", "overflow", "shape-rendering", "clip-rule", "id",
    "class", "style", "role", "stop-color", "stop-opacity", "mask", "mix-blend-mode", "isolation",
}  # fmt: skip
_SUPPORTED = {tag: _COMMON_ATTRIBUTES | geometry for tag, geometry in GEOMETRY.items()}
_IGNORED_PREFIXES = ("data-", "aria-")
_CLIP_OPERATORS = {"nonzero": "W n", "evenodd": "W* n"}


def require_supported(tag: str, attributes: Mapping[str, str]) -> None:
    """Raise ValueError if an element has an attribute that is not translated."""
    supported = _SUPPORTED[tag]
    if supported.issuperset(attributes):
        return
    for name in attributes:
        if name not in supported and not name.startswith(_IGNORED_PREFIXES):
            raise ValueError(f"<{tag}> has the attribute '{name}'")


def clip_operators(tag: str, attributes: Mapping[str, str]) -> str:
    """Return the operators that clip to a shape.

    Raises ValueError if it is empty or not supported.
    """
    if unsupported := attributes.keys() - GEOMETRY[tag] - {"clip-rule"}:
        raise ValueError(f"<{tag}> in <clipPath> has the attribute '{min(unsupported)}'")
    outline = shape_operators(tag, attributes)
    rule = attributes.get("clip-rule", "nonzero")
    if not outline or rule not in _CLIP_OPERATORS:
        raise ValueError(f"<{tag}> in <clipPath> is empty" if not outline else f"'{rule}' is not a clip rule")
    return f"{outline} {_CLIP_OPERATORS[rule]}"


@lru_cache(maxsize=256)
def parse_opacity(text: str) -> float:
    """Return an opacity from 0 to 1; raises ValueError if it is not a number."""
    return min(1.0, max(0.0, parse_number(text)))


def merge_style(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes with the properties of `style`, which have priority."""
    if "style" not in attributes:
        return attributes
    merged = {**attributes, **read_style(attributes["style"])}
    del merged["style"]
    return merged


DEFINITION_TAGS = frozenset({"clipPath", *GRADIENT_TAGS})


class RootSpace(NamedTuple):
    """Coordinates of a chunk: its size, its box in points, and the matrix to points with its operator."""

    viewport: Size
    box: Box
    matrix: Matrix
    operator: str


@lru_cache(maxsize=64)
def root_space(view_box: str, given_width: str | None, given_height: str | None) -> RootSpace:
    """Return the coordinates of an `svg` element with these attributes; the bleed is equally wide on all sides."""
    x, y, width, height = parse_numbers(view_box)
    if given_width != f"{width:g}mm" or given_height != f"{height:g}mm":
        raise ValueError("the SVG has no size in mm")
    if x != y:
        raise ValueError("the viewBox has bleeds of different widths")
    scale = to_points(1)
    matrix = (scale, 0.0, 0.0, -scale, 0.0, (height + 2 * y) * scale)
    box = Box(*(to_points(side) for side in (x, y, width, height)))
    return RootSpace(Size(width, height), box, matrix, matrix_operator(matrix))


@lru_cache(maxsize=1024)
def transform_operator(text: str) -> tuple[Matrix, str]:
    """Return the matrix of a `transform` attribute, and its operator."""
    matrix = parse_transform(text)
    return matrix, matrix_operator(matrix)
