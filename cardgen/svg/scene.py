"""What a picture draws: its scene, the context of its elements, and their outlines (SVG 1.1, chapter 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix, apply
from cardgen.svg.tree import Element, Tree
from cardgen.svg.values import MAX_NUMBER, Metrics, parse_numbers
from cardgen.text.lines import PathCommand
from cardgen.text.svg_path import extreme_points, parse_path
from cardgen.units import Box


class Fault(NamedTuple):
    """Reason why a file cannot be drawn as intended, with the line.

    `feature` names what is not supported, such as 'filter'; it is empty for a broken file.
    """

    message: str
    line: int
    feature: str = ""

    @property
    def help(self) -> str:
        """What the author can do about it."""
        if self.feature.startswith("text"):
            return "convert it to paths in your drawing program (Inkscape: Path > Object to Path)"
        return "change it in your drawing program, or save the picture as PNG" if self.feature else ""


class VectorArtError(ValueError):
    """The faults of a file.

    The message is that of the first one.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults


# Limits of what is drawn after all copies are made.
MAX_DRAWN = 20_000
MAX_OUTPUT = 12 << 20
MAX_CHAIN = 16


@dataclass(slots=True)
class Scene:
    """Everything that is being drawn; definitions get ids that start with `prefix`.

    `faults` collects what cannot be drawn, each once.
    """

    tree: Tree
    prefix: str
    body: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    faults: dict[Fault, None] = field(default_factory=dict)
    _drawn: int = 0
    _size: int = 0
    _ids: int = 0

    def new_id(self) -> str:
        """Return an unused id."""
        self._ids += 1
        return f"{self.prefix}-{self._ids}"

    def add(self, source: str) -> None:
        """Add to the body; raises VectorArtError if there is too much."""
        self._size += len(source)
        if self._size > MAX_OUTPUT:
            raise VectorArtError(Fault(f"the picture expands to more than {MAX_OUTPUT >> 20} MiB", self.tree.root.line))
        self.body.append(source)

    def count(self, element: Element) -> None:
        """Count an element that is drawn.

        Raises VectorArtError if there are too many.
        """
        self._drawn += 1
        if self._drawn > MAX_DRAWN:
            message = f"the picture expands to more than {MAX_DRAWN:,} elements"
            raise VectorArtError(Fault(message, element.line))

    def refuse(self, element: Element, feature: str, message: str = "") -> None:
        """Record that an element cannot be drawn as written."""
        message = message or f"'{feature}' is not supported in SVG art"
        self.faults.setdefault(Fault(message, element.line, feature))

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collect what the block draws in a list of its own."""
        outer, self.body = self.body, []
        try:
            yield self.body
        finally:
            self.body = outer


class Context(NamedTuple):
    """What an element inherits: style, lengths, and the chain of open references.

    `is_mask` draws in grays, and `is_clip` draws outlines only, in white.
    """

    style: Mapping[str, str]
    metrics: Metrics
    chain: frozenset[int] = frozenset()
    is_mask: bool = False
    is_clip: bool = False

    def entered(self, element: Element) -> Context | None:
        """Return the context inside a reference.

        Return None if it is circular or too deep.
        """
        if element.number in self.chain or len(self.chain) >= MAX_CHAIN:
            return None
        return self._replace(chain=self.chain | {element.number})


def group_tag(matrix: Matrix = IDENTITY, **attributes: str) -> str:
    """Return the start of a group; underscores in names are hyphens."""
    parts = [f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items() if value]
    transform = "" if matrix == IDENTITY else f' transform="{matrix_text(matrix)}"'
    return f"<g{transform}{''.join(parts)}>"


def matrix_text(matrix: Matrix) -> str:
    """Return a matrix as a `transform`."""
    return f"matrix({' '.join(f'{number:.9g}' for number in matrix)})"


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
