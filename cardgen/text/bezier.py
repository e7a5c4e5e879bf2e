"""Cubic Bezier curves: their extreme points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
