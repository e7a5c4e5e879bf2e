"""Outlines of basic shapes and paths, and their boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from cardgen.affine import Matrix, apply
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import MAX_NUMBER, Metrics, parse_numbers
from cardgen.text.lines import PathCommand
from cardgen.text.svg_path import extreme_points, parse_path
from cardgen.units import Box

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
