"""What a picture draws: its scene, the context of its elements, and their outlines (SVG 1.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from math import acos, cos, hypot, isfinite, pi, radians, sin, sqrt, tan
from typing import NamedTuple

from cardgen.svg.tree import MAX_NUMBER, Element, Metrics, Tree, parse_numbers
from cardgen.text.lines import PathCommand
from cardgen.units import IDENTITY, Box, Matrix, apply

# Cubic Bezier curves: their extreme points.

_Point = tuple[float, float]


def extreme_points(curve: Sequence[_Point]) -> Iterator[_Point]:
    """Yield the points between the ends of a curve, given by four points, where a coordinate turns."""
    for time in {time for axis in (0, 1) for time in _turns(*(point[axis] for point in curve))}:
        yield _bezier(time, *(x for x, _ in curve)), _bezier(time, *(y for _, y in curve))


def _turns(start: float, first: float, second: float, end: float) -> Iterator[float]:
    """Yield the parameters between 0 and 1 at which one coordinate of a cubic curve turns."""
    a = end - start + 3 * (first - second)
    b = 2 * (start - 2 * first + second)
    c = first - start
    if abs(a) < 1e-12:
        roots = [-c / b] if abs(b) > 1e-12 else []
    else:
        root = b * b - 4 * a * c
        roots = [(-b + sign * root**0.5) / (2 * a) for sign in (-1, 1)] if root >= 0 else []
    yield from (time for time in roots if 0 < time < 1)


def _bezier(time: float, start: float, first: float, second: float, end: float) -> float:
    rest = 1 - time
    return rest**3 * start + 3 * rest**2 * time * first + 3 * rest * time**2 * second + time**3 * end


# SVG path data as lines and cubic curves.

_COMMAND = re.compile(r"[\s,]*([A-Za-z])")
_NUMBER = re.compile(r"[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_FLAG = re.compile(r"[\s,]*([01])")
_NUMBERS_OF = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAGS_OF_AN_ARC = (3, 4)
# The square of half an arc's chord, in radii; below it, the center is so far away that precision is lost.
_MIN_REACH = 1e-18


def parse_path(data: str) -> tuple[PathCommand, ...]:
    """Return the commands of a path's `d`.

    They are ('M', x, y), ('L', x, y), ('C', x1, y1, x2, y2, x, y), and ('Z',); quadratic curves and elliptic arcs
    become cubic ones. Raises ValueError with a message for invalid paths.
    """
    pen = _PathPen()
    for letter, numbers in _path_segments(data):
        pen.draw(letter, numbers)
    return tuple(pen.commands)


def _path_segments(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the letter and numbers of each segment.

    A letter applies until the next one, but M continues as L.
    """
    at, letter = 0, ""
    end = len(data.rstrip(" \t\r\n,"))
    while at < end:
        match = _COMMAND.match(data, at)
        if match:
            letter, at = match[1], match.end()
        elif letter in "Zz":
            raise ValueError(f"unexpected '{data[at : at + 12]}' in a path")
        if letter.upper() not in _NUMBERS_OF:
            raise ValueError(f"unknown command '{letter}' in a path")
        numbers: list[float] = []
        for index in range(_NUMBERS_OF[letter.upper()]):
            flag = letter in "Aa" and index in _FLAGS_OF_AN_ARC
            match = (_FLAG if flag else _NUMBER).match(data, at)
            if match is None or not isfinite(float(match[1])):
                raise ValueError(f"missing number after '{letter}' in a path, before '{data[at : at + 12]}'")
            number, at = float(match[1]), match.end()
            numbers.append(number)
        yield letter, numbers
        letter = {"M": "L", "m": "l"}.get(letter, letter)


class _PathPen:
    """Converter of path segments to absolute commands."""

    def __init__(self) -> None:
        self.commands: list[PathCommand] = []
        self._at = self._start = (0.0, 0.0)
        # The control point that the next smooth curve reflects, and the kind of curve that it belongs to.
        self._control: _Point = (0.0, 0.0)
        self._curve = ""
        self._draw: dict[str, Callable[[list[float]], None]] = {
            "M": self._move, "L": self._line, "C": self._cubic, "S": self._smooth_cubic, "Q": self._quadratic,
            "T": self._smooth_quadratic, "A": self._arc, "Z": self._close,
        }  # fmt: skip

    def draw(self, letter: str, numbers: list[float]) -> None:
        """Add one segment; lowercase letters are relative to the current point."""
        name = letter.upper()
        if not self.commands and name != "M":
            raise ValueError("a path must start with M")
        x, y = self._at if letter.islower() else (0.0, 0.0)
        if name in "HV":
            numbers = [x + numbers[0], self._at[1]] if name == "H" else [self._at[0], y + numbers[0]]
            name = "L"
        elif name == "A":
            numbers = [*numbers[:5], x + numbers[5], y + numbers[6]]
        else:
            numbers = [number + (y if index % 2 else x) for index, number in enumerate(numbers)]
        self._draw[name](numbers)
        self._curve = name

    def _move(self, numbers: list[float]) -> None:
        self._at = self._start = (numbers[0], numbers[1])
        self.commands.append(("M", *numbers))

    def _line(self, numbers: list[float]) -> None:
        self._reopen()
        self._at = (numbers[0], numbers[1])
        self.commands.append(("L", *numbers))

    def _cubic(self, numbers: list[float]) -> None:
        self._reopen()
        self._control, self._at = (numbers[2], numbers[3]), (numbers[4], numbers[5])
        self.commands.append(("C", *numbers))

    def _smooth_cubic(self, numbers: list[float]) -> None:
        self._cubic([*self._mirrored("CS"), *numbers])

    def _quadratic(self, numbers: list[float]) -> None:
        (x0, y0), (cx, cy, x, y) = self._at, numbers
        third = [x0 + (cx - x0) * 2 / 3, y0 + (cy - y0) * 2 / 3, x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3]
        self._cubic([*third, x, y])
        self._control = (cx, cy)

    def _smooth_quadratic(self, numbers: list[float]) -> None:
        self._quadratic([*self._mirrored("QT"), *numbers])

    def _arc(self, numbers: list[float]) -> None:
        rx, ry, turn, large, sweep, x, y = numbers
        if rx == 0 or ry == 0:
            self._line([x, y])
        elif (x, y) != self._at:
            for curve in _arc(self._at, (abs(rx), abs(ry)), radians(turn), bool(large), bool(sweep), (x, y)):
                self._cubic(curve)

    def _close(self, _: list[float]) -> None:
        self._at = self._start
        self.commands.append(("Z",))

    def _mirrored(self, curves: str) -> _Point:
        if self._curve not in curves or not self._curve:
            return self._at
        return 2 * self._at[0] - self._control[0], 2 * self._at[1] - self._control[1]

    def _reopen(self) -> None:
        """Start a new subpath after Z, where the closed one started."""
        if self.commands[-1] == ("Z",):
            self.commands.append(("M", *self._start))


def _arc(start: _Point, radii: _Point, turn: float, large: bool, sweep: bool, end: _Point) -> Iterator[list[float]]:
    """Yield an elliptic arc as cubic curves (SVG 1.1, appendix F.6).

    Each curve spans at most a quarter.
    """
    (x1, y1), (x2, y2), (rx, ry) = start, end, radii
    along, across = cos(turn), sin(turn)
    # Half the chord, in the axes of the ellipse; radii that are too small are scaled up until the ellipse fits.
    dx, dy = (x1 - x2) / 2, (y1 - y2) / 2
    hx, hy = along * dx + across * dy, along * dy - across * dx
    grown = max(1.0, hypot(hx / rx, hy / ry))
    rx, ry = rx * grown, ry * grown
    reach = (hx / rx) ** 2 + (hy / ry) ** 2
    if reach < _MIN_REACH:
        raise ValueError(f"radius {max(radii):g} of an arc in a path is too large")
    offset = sqrt(max(0.0, 1 / reach - 1)) * (-1 if large == sweep else 1)
    ux, uy = offset * hy / ry, -offset * hx / rx
    first = _angle(hx / rx - ux, hy / ry - uy)
    span = (_angle(-hx / rx - ux, -hy / ry - uy) - first) % (2 * pi)
    span = span if sweep else span - 2 * pi
    cx = along * rx * ux - across * ry * uy + (x1 + x2) / 2
    cy = across * rx * ux + along * ry * uy + (y1 + y2) / 2

    def placed(x: float, y: float) -> _Point:
        return cx + along * rx * x - across * ry * y, cy + across * rx * x + along * ry * y

    count = max(1, -int(-abs(span) / (pi / 2 + 1e-9) // 1))
    step = span / count
    handle = 4 / 3 * tan(step / 4)
    for number in range(count):
        a, b = first + number * step, first + (number + 1) * step
        last = end if number + 1 == count else placed(cos(b), sin(b))
        yield [
            *placed(cos(a) - handle * sin(a), sin(a) + handle * cos(a)),
            *placed(cos(b) + handle * sin(b), sin(b) - handle * cos(b)),
            *last,
        ]


def _angle(x: float, y: float) -> float:
    """Return the angle of a unit vector."""
    angle = acos(max(-1.0, min(1.0, x / hypot(x, y))))
    return angle if y >= 0 else -angle


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
    """Return a rounded rectangle, without lines of no length: pdfium underestimates the box of a stroke with some."""
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
    return ellipse(_length(element, metrics, "cx", "x"), _length(element, metrics, "cy", "y"), rx, ry)


def ellipse(x: float, y: float, rx: float, ry: float) -> Outline:
    """Return the outline of an ellipse around a point; dashes and markers start at its right (SVG 2, 10.4)."""
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
