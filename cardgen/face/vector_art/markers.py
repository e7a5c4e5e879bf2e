"""Markers at the vertices of a path (SVG 1.1, 11.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, degrees, hypot
from typing import NamedTuple

from cardgen.affine import Matrix, compose, rotation, translation
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import (
    Metrics,
    parse_number,
    parse_view_box,
    view_box_matrix,
)
from cardgen.face.vector_art.outlines import Outline
from cardgen.units import Box

MARKED_TAGS = frozenset({"path", "line", "polyline", "polygon"})
_TURNS = {"deg": 1.0, "grad": 0.9, "rad": 57.29577951308232, "turn": 360.0}
_Point = tuple[float, float]


class Vertex(NamedTuple):
    """A point with the directions in which the path arrives and leaves.

    None at its ends.
    """

    place: str
    point: _Point
    arriving: _Point | None
    leaving: _Point | None

    @property
    def angle(self) -> float:
        """The direction of a marker, in degrees; at a corner, halfway."""
        directions = [atan2(y, x) for x, y in filter(None, (self.arriving, self.leaving))]
        if len(directions) == 2:
            unit = [(x / hypot(x, y), y / hypot(x, y)) for x, y in filter(None, (self.arriving, self.leaving))]
            x, y = (sum(each) for each in zip(*unit, strict=True))
            if hypot(x, y) > 1e-9:
                return degrees(atan2(y, x))
        return degrees(directions[0]) if directions else 0.0


def vertices(outline: Outline) -> list[Vertex]:
    """Return the vertices of a path: the first, those between, and the last."""
    steps = [*_steps(outline)]
    result: list[Vertex] = []
    for index, (point, arriving, leaving) in enumerate(steps):
        place = "marker-start" if index == 0 else "marker-end" if index == len(steps) - 1 else "marker-mid"
        result.append(Vertex(place, point, arriving, leaving))
    if len(steps) == 1:
        result.append(result[0]._replace(place="marker-end"))
    return result


_Step = tuple[_Point, _Point | None, _Point | None]


def _steps(outline: Outline) -> list[_Step]:
    """Return each point with the directions before and after it."""
    steps: list[_Step] = []
    start = 0
    for kind, *numbers in outline:
        if kind == "M":
            start = len(steps)
            steps.append(((numbers[0], numbers[1]), None, None))
            continue
        at, before, _ = steps[-1]
        target = steps[start][0] if kind == "Z" else (numbers[-2], numbers[-1])
        path = [at, *zip(numbers[:-2:2], numbers[1:-2:2], strict=True), target]
        leaving, arriving = _direction(path), _direction(path[::-1])
        arriving = (-arriving[0], -arriving[1]) if arriving else None
        steps[-1] = (at, before, leaving)
        following = steps[start][2] if kind == "Z" else None
        steps.append((target, arriving, following))
        if kind == "Z":
            first = steps[start]
            steps[start] = (first[0], arriving, first[2])
    return steps


def _direction(path: list[_Point]) -> _Point | None:
    """Return the direction in which a path leaves its first point."""
    x0, y0 = path[0]
    return next(((x - x0, y - y0) for x, y in path[1:] if hypot(x - x0, y - y0) > 1e-9), None)


class MarkerPlace(NamedTuple):
    """Where a marker is drawn: its matrix, and its own clip in the space after it."""

    matrix: Matrix
    clip: Box


def marker_size(marker: Element, metrics: Metrics) -> tuple[float, float]:
    """Return the width and the height of a marker; raises ValueError."""
    return tuple(metrics.length(marker.get(name) or "3", axis) for name, axis in _SIDES)  # type: ignore[return-value]


_SIDES = (("markerWidth", "x"), ("markerHeight", "y"))


def place_markers(marker: Element, found: list[Vertex], width: float, metrics: Metrics) -> Iterator[MarkerPlace]:
    """Yield the places of one marker; `width` is that of the stroke.

    Raises ValueError for invalid attributes.
    """
    wide, high = marker_size(marker, metrics)
    view = parse_view_box(marker.get("viewBox"))
    if wide <= 0 or high <= 0 or (view and (view.width <= 0 or view.height <= 0)):
        return
    scale = 1.0 if marker.get("markerUnits") == "userSpaceOnUse" else width
    inside = view_box_matrix(view, Box(0, 0, wide, high), marker.get("preserveAspectRatio")) if view else None
    ref_x, ref_y = _reference(marker, metrics, view)
    clip = Box(0, 0, wide, high)
    if inside:
        a, _, _, d, e, f = inside
        ref_x, ref_y = a * ref_x, d * ref_y
        inside, clip = (a, 0.0, 0.0, d, 0.0, 0.0), Box(-e / a, -f / d, wide / a, high / d)
    for vertex in found:
        turn = rotation(_turn(marker.get("orient") or "0", vertex))
        matrix = compose(translation(*vertex.point), turn, (scale, 0, 0, scale, 0, 0), translation(-ref_x, -ref_y))
        yield MarkerPlace(compose(matrix, inside) if inside else matrix, clip)


_KEYWORDS: Mapping[str, float] = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}


def _reference(marker: Element, metrics: Metrics, view: Box | None) -> _Point:
    place = []
    for name, axis, side in (("refX", "x", "width"), ("refY", "y", "height")):
        text = marker.get(name) or "0"
        if text in _KEYWORDS and view:
            place.append(getattr(view, axis) + getattr(view, side) * _KEYWORDS[text])
        else:
            place.append(metrics.length(text, axis))
    return place[0], place[1]


def _turn(orient: str, vertex: Vertex) -> float:
    if orient in ("auto", "auto-start-reverse"):
        is_reversed = orient != "auto" and vertex.place == "marker-start"
        return vertex.angle + (180 if is_reversed else 0)
    unit = next((unit for unit in _TURNS if orient.endswith(unit)), "")
    # 'grad' ends as 'rad' does
    unit = "grad" if orient.endswith("grad") else unit
    return parse_number(orient.removesuffix(unit)) * _TURNS.get(unit, 1.0)
