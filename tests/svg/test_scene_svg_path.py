from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.svg.scene import parse_path
from cardgen.text.lines import PathCommand
from tests.cases import each_case

NUMBERS = st.floats(-50, 50, allow_nan=False).map(lambda number: round(number, 2))


def curve_points(stroke: PathCommand, start: tuple[float, float], count: int = 20) -> list[tuple[float, float]]:
    _, x1, y1, x2, y2, x, y = stroke
    points = []
    for step in range(count + 1):
        t = step / count
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append((a * start[0] + b * x1 + c * x2 + d * x, a * start[1] + b * y1 + c * y2 + d * y))
    return points


@each_case(
    ("data", "expected"),
    [
        ("M1 2L3,4", (("M", 1, 2), ("L", 3, 4))),
        ("m1 2 3 4 5 6", (("M", 1, 2), ("L", 4, 6), ("L", 9, 12))),
        ("M1 2H5V6h-1v-1z", (("M", 1, 2), ("L", 5, 2), ("L", 5, 6), ("L", 4, 6), ("L", 4, 5), ("Z",))),
        ("M0 0h1zh2", (("M", 0, 0), ("L", 1, 0), ("Z",), ("M", 0, 0), ("L", 2, 0))),
        ("M1 1h1zm2 2h1", (("M", 1, 1), ("L", 2, 1), ("Z",), ("M", 3, 3), ("L", 4, 3))),
        ("M0 0C1 1 2 1 3 0s2-1 3 0", (("M", 0, 0), ("C", 1, 1, 2, 1, 3, 0), ("C", 4, -1, 5, -1, 6, 0))),
        ("M0 0S1 1 2 0", (("M", 0, 0), ("C", 0, 0, 1, 1, 2, 0))),
        ("M0 0Q3 3 6 0T12 0", (("M", 0, 0), ("C", 2, 2, 4, 2, 6, 0), ("C", 8, -2, 10, -2, 12, 0))),
        ("M1 1Q4 7 7 4", (("M", 1, 1), ("C", 3, 5, 5, 6, 7, 4))),
        ("M0 0T6 0", (("M", 0, 0), ("C", 0, 0, 2, 0, 6, 0))),
        ("M-.5.5-1e1+2", (("M", -0.5, 0.5), ("L", -10, 2))),
        ("M0 0A0 5 0 0 1 3 4", (("M", 0, 0), ("L", 3, 4))),
        ("M0 0A5 5 0 0 1 0 0", (("M", 0, 0),)),
        ("", ()),
    ],
)
def test_commands(data: str, expected: tuple[PathCommand, ...]) -> None:
    found = parse_path(data)
    assert [stroke[0] for stroke in found] == [stroke[0] for stroke in expected]
    for stroke, wanted in zip(found, expected, strict=True):
        assert stroke[1:] == pytest.approx(wanted[1:])


@pytest.mark.parametrize(
    "data",
    [
        "L1 2",
        "M1",
        "M1 2 3",
        "M0 0 X1",
        "M0 0z5",
        "M0 0A1 1 0 2 1 3 3",
        "M1e999 0",
        "5 5",
        "M0 0A1e200 1e200 0 0 1 1 1",
    ],
)
def test_what_is_no_path(data: str) -> None:
    with pytest.raises(ValueError, match="a path"):
        parse_path(data)


def test_flags_of_an_arc_need_no_spaces() -> None:
    assert parse_path("M0 0a5 5 0 0110 0") == parse_path("M0 0a5 5 0 0 1 10 0")


@given(NUMBERS, NUMBERS, st.floats(1, 40), st.floats(0.05, 2 * pi - 0.05), st.floats(0, 2 * pi), st.booleans())
def test_an_arc_stays_on_its_circle(
    cx: float, cy: float, radius: float, span: float, first: float, sweep: bool
) -> None:
    last = first + span if sweep else first - span
    start = (cx + radius * cos(first), cy + radius * sin(first))
    end = (cx + radius * cos(last), cy + radius * sin(last))
    data = f"M{start[0]} {start[1]}A{radius} {radius} 0 {int(span > pi)} {int(sweep)} {end[0]} {end[1]}"
    at, length = start, 0.0
    for stroke in parse_path(data)[1:]:
        points = curve_points(stroke, at)
        at = points[-1]
        for point in points:
            assert hypot(point[0] - cx, point[1] - cy) == pytest.approx(radius, rel=3e-3, abs=1e-3)
        length += sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    assert at == pytest.approx(end, abs=1e-6)
    assert length == pytest.approx(radius * span, rel=1e-2)


@given(st.floats(0, 360), st.floats(0, 2 * pi), st.floats(0.1, 3), st.booleans())
def test_an_arc_stays_on_its_turned_ellipse(turn: float, first: float, span: float, sweep: bool) -> None:
    (cx, cy), (rx, ry), angle = (3, -2), (20, 8), radians(turn)
    along, across = cos(angle), sin(angle)

    def at(t: float) -> tuple[float, float]:
        x, y = rx * cos(t), ry * sin(t)
        return cx + along * x - across * y, cy + across * x + along * y

    start, end = at(first), at(first + span if sweep else first - span)
    pen = start
    for stroke in parse_path(f"M{start[0]} {start[1]}A{rx} {ry} {turn} 0 {int(sweep)} {end[0]} {end[1]}")[1:]:
        for x, y in curve_points(stroke, pen):
            u, v = along * (x - cx) + across * (y - cy), along * (y - cy) - across * (x - cx)
            assert hypot(u / rx, v / ry) == pytest.approx(1, rel=3e-3)
        pen = stroke[-2:]
    assert pen == pytest.approx(end)


def test_radii_too_small_grow() -> None:
    highest = min(y for stroke in parse_path("M0 0A1 1 0 0 1 10 0")[1:2] for _, y in curve_points(stroke, (0, 0)))
    assert highest == pytest.approx(-5, abs=0.01)


@given(st.text(alphabet="MmLlHhVvCcSsQqTtAaZz0123.-+e, ", max_size=40))
def test_any_data_is_a_path_or_is_refused(data: str) -> None:
    try:
        found = parse_path(data)
    except ValueError:
        return
    assert all(len(stroke) == {"M": 3, "L": 3, "C": 7, "Z": 1}[stroke[0]] for stroke in found)
