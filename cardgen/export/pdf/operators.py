"""PDF operators for SVG numbers, matrices, colors, and basic shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from cardgen.affine import Matrix
from cardgen.svg.values import parse_number, parse_numbers
from cardgen.text.lines import PathCommand
from cardgen.text.svg_path import extreme_points, parse_path
from cardgen.units import Box

_PATH_OPERATORS = {"M": "%.5g %.5g m", "L": "%.5g %.5g l", "C": "%.5g %.5g %.5g %.5g %.5g %.5g c", "Z": "h"}
# The handle length of a quarter-circle curve, as a fraction of the radius.
_CIRCLE_HANDLE = 4 * (2**0.5 - 1) / 3


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
    return path_operators(_rounded_rect(x, y, width, height, min(rx, width / 2), min(ry, height / 2)))


def _rounded_rect(x: float, y: float, width: float, height: float, rx: float, ry: float) -> Iterator[PathCommand]:
    """Yield the path, without lines of no length.

    If a path has them, pdfium underestimates the box of its stroke.
    """
    right, bottom = x + width, y + height
    near_x, near_y = rx * (1 - _CIRCLE_HANDLE), ry * (1 - _CIRCLE_HANDLE)
    is_wide, is_high = width > 2 * rx, height > 2 * ry
    yield ("M", x + rx, y)
    if is_wide:
        yield ("L", right - rx, y)
    yield ("C", right - near_x, y, right, y + near_y, right, y + ry)
    if is_high:
        yield ("L", right, bottom - ry)
    yield ("C", right, bottom - near_y, right - near_x, bottom, right - rx, bottom)
    if is_wide:
        yield ("L", x + rx, bottom)
    yield ("C", x + near_x, bottom, x, bottom - near_y, x, bottom - ry)
    if is_high:
        yield ("L", x, y + ry)
    yield ("C", x, y + near_y, x + near_x, y, x + rx, y)
    yield ("Z",)


def _circle(attributes: Mapping[str, str]) -> str:
    radius = _positive(attributes, "r")
    return _ellipse_operators(attributes, radius, radius)


def _ellipse(attributes: Mapping[str, str]) -> str:
    return _ellipse_operators(attributes, _positive(attributes, "rx"), _positive(attributes, "ry"))


def _ellipse_operators(attributes: Mapping[str, str], rx: float, ry: float) -> str:
    x, y = (parse_number(attributes.get(name, "0")) for name in ("cx", "cy"))
    return path_operators(_rounded_rect(x - rx, y - ry, 2 * rx, 2 * ry, rx, ry))


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
