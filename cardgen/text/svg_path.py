"""Paths of SVG as outlines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import acos, cos, hypot, isfinite, pi, radians, sin, sqrt, tan

from cardgen.text.lines import PathCommand

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
            number, at = _read_number(data, at, _FLAG if flag else _NUMBER, letter)
            numbers.append(number)
        yield letter, numbers
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def _read_number(data: str, at: int, pattern: re.Pattern[str], letter: str) -> tuple[float, int]:
    match = pattern.match(data, at)
    if match is None or not isfinite(float(match[1])):
        raise ValueError(f"missing number after '{letter}' in a path, before '{data[at : at + 12]}'")
    return float(match[1]), match.end()


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
