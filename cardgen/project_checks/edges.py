"""What is drawn on a face, as texts stand beside it: lines, the sides of boxes and pictures, curves, and small shapes.

All lengths are in millimeters from the corner of the trim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, dist, hypot, sqrt
from typing import NamedTuple, TypeAlias

from cardgen.face.face import Artwork, Face, Picture
from cardgen.svg.reduction import reduce_svg
from cardgen.svg.scene import VectorArtError, parse_path, transformed
from cardgen.svg.tree import CHUNK, Element, parse_transform, read_tree
from cardgen.text.lines import PathCommand
from cardgen.units import Box, Matrix, Size, mapped_box, multiply

# The largest artwork in which edges are looked for, in bytes.
_MOST_ARTWORK = 1 << 18
_SHORTEST_RULE, _MOST_PARALLEL, _MOST_HATCHES = 4.0, 12, 8
# What differs by less is level or upright; chords of a curve.
_LEVEL, _MOST_CHORDS = 0.02, 64
# Half the width of the widest curve that is a line; wider ones are areas, such as rays of a wide dashed circle.
_THICK = 0.5
# The sides of shapes that can be boxes to tick, or pips.
_LEAST_SHAPE, _MOST_SHAPE = 1.5, 12.0


class Rule(NamedTuple):
    """A straight edge of what is drawn: a line, the side of a box, or a chord of a curve, and half the line's width."""

    x1: float
    y1: float
    x2: float
    y2: float
    half: float

    @property
    def is_level(self) -> bool:
        """True if it runs from left to right."""
        return self.y1 == self.y2


# A bent edge of what is drawn, as chords.
Curve: TypeAlias = tuple[Rule, ...]


class DrawnShape(NamedTuple):
    """A small closed shape, how it is filled and outlined, how many corners it has, and the artwork it is part of."""

    box: Box
    fill: str
    outline: str
    corners: int
    artwork: Artwork


class Edges(NamedTuple):
    """What is drawn on a face, also what is painted over."""

    rules: Sequence[Rule] = ()
    curves: Sequence[Curve] = ()
    shapes: Sequence[DrawnShape] = ()


def edges_of(face: Face) -> Edges:
    """Return what is drawn on a face."""
    found = [_edges_of(item, face.size, face.bleed) for item in face.items if isinstance(item, Artwork)]
    pictures = (rule for item in face.items if isinstance(item, Picture) and not item.mask for rule in _sides(item))
    rules = dict.fromkeys((*(rule for each in found for rule in each.rules), *pictures))
    curves = dict.fromkeys(curve for each in found for curve in each.curves)
    return Edges([*rules], [*curves], [shape for each in found for shape in each.shapes])


def _sides(picture: Picture) -> Iterator[Rule]:
    box = mapped_box(picture.box, picture.matrix)
    yield from (Rule(box.x, y, box.right, y, 0.0) for y in (box.y, box.bottom))
    yield from (Rule(x, box.y, x, box.bottom, 0.0) for x in (box.x, box.right))


@lru_cache(maxsize=1024)
def _edges_of(artwork: Artwork, size: Size, bleed: float) -> Edges:
    if len(artwork.svg) > _MOST_ARTWORK or artwork.is_art:
        return Edges()
    try:
        art = reduce_svg(artwork.svg)
    except VectorArtError:
        return Edges()
    root = read_tree(f"<svg>{art.body}</svg>".encode(), CHUNK).root
    scale = (size.width + 2 * bleed) / art.size.width
    paths = [*_paths(root, (scale, 0.0, 0.0, scale, -bleed, -bleed))]
    rules = [rule for path, half, _ in paths for rule in _straight(path, half)]
    curves = [curve for path, half, _ in paths if half <= _THICK for curve in _bent(path, half)]
    spans, sizes, middles = Counter(map(_span, rules)), Counter(map(_size, curves)), Counter(map(_middle, curves))
    slopes = Counter(map(_slope, curves))
    return Edges(
        [rule for rule in rules if spans[_span(rule)] <= _MOST_PARALLEL],
        [
            curve
            for curve in curves
            if max(sizes[_size(curve)], middles[_middle(curve)]) <= _MOST_PARALLEL
            if _slope(curve) is None or slopes[_slope(curve)] <= _MOST_HATCHES
        ],
        [shape for path, _, paint in paths for shape in _shapes(path, paint, artwork)],
    )


def _shapes(path: Iterable[PathCommand], paint: tuple[str, str], artwork: Artwork) -> Iterator[DrawnShape]:
    """Yield the parts of a path that are small closed shapes, about as wide as high."""
    ends: list[tuple[float, float]] = []
    for kind, points in (*_segments(path), ("M", ((0.0, 0.0), (0.0, 0.0)))):
        if kind != "M":
            ends.append(points[-1])
            continue
        xs, ys = [x for x, _ in ends], [y for _, y in ends]
        if len(ends) > 2 and dist(ends[0], ends[-1]) < max(max(xs) - min(xs), max(ys) - min(ys)) * 1.5:
            box = Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
            if min(box.width, box.height) >= _LEAST_SHAPE and max(box.width, box.height) <= _MOST_SHAPE:
                yield DrawnShape(box, *paint, len(ends), artwork)
        ends = []


def _span(rule: Rule) -> tuple[bool, float, float]:
    """Return from where to where a rule runs; many of one span are a grid, or the steps of a gradient."""
    ends = (rule.x1, rule.x2) if rule.is_level else (rule.y1, rule.y2)
    return rule.is_level, round(ends[0], 1), round(ends[1], 1)


def extent(curve: Curve) -> Box:
    """Return the box around a curve."""
    xs, ys = [x for each in curve for x in (each.x1, each.x2)], [y for each in curve for y in (each.y1, each.y2)]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _size(curve: Curve) -> tuple[float, float]:
    """Return how large a curve is; many of one size are a pattern."""
    box = extent(curve)
    return round(box.width, 1), round(box.height, 1)


def _slope(curve: Curve) -> float | None:
    """Return the slope of a slanted line, None for a curve; many of one slope are hatching."""
    wide, high = curve[-1].x2 - curve[0].x1, curve[-1].y2 - curve[0].y1
    is_straight = all(abs((each.x2 - each.x1) * high - (each.y2 - each.y1) * wide) < _LEVEL for each in curve)
    return round(high / wide, 1) if is_straight and abs(wide) > _LEVEL else None


def _middle(curve: Curve) -> tuple[float, float]:
    """Return the middle of a curve; many around one are the steps of a gradient."""
    box = extent(curve)
    return round(box.x + box.width / 2, 1), round(box.y + box.height / 2, 1)


def _paths(element: Element, matrix: Matrix) -> Iterator[tuple[Sequence[PathCommand], float, tuple[str, str]]]:
    """Yield the paths of an element, as they stand on the face, with half the width of its line and its paints."""
    for child in element.children:
        inner = multiply(matrix, parse_transform(child.get("transform")))
        if child.tag == "g":
            yield from _paths(child, inner)
        elif child.tag == "path":
            scale = sqrt(abs(inner[0] * inner[3] - inner[1] * inner[2]))
            is_line = child.get("stroke", "none") != "none"
            half = float(child.get("stroke-width", "1")) * scale / 2 * is_line
            paint = child.get("fill", "#000000"), child.get("stroke", "none")
            yield transformed(parse_path(child.get("d")), inner), half, paint


def _segments(path: Iterable[PathCommand]) -> Iterator[tuple[str, Sequence[tuple[float, float]]]]:
    """Yield the parts of a path between two ends: the letter M, L, or C, and their points."""
    at = start = (0.0, 0.0)
    for kind, *numbers in path:
        points = [start] if kind == "Z" else [*zip(numbers[::2], numbers[1::2], strict=True)]
        yield "L" if kind == "Z" else kind, (at, *points)
        start = points[-1] if kind == "M" else start
        at = points[-1]


def _straight(path: Iterable[PathCommand], half: float) -> Iterator[Rule]:
    """Yield the level and upright parts of a path that are long enough to be rules."""
    for kind, ends in _segments(path):
        (x1, x2), (y1, y2) = (sorted((ends[0][axis], ends[-1][axis])) for axis in (0, 1))
        if kind == "L" and x2 - x1 >= _SHORTEST_RULE and y2 - y1 < _LEVEL:
            yield Rule(x1, y1, x2, y1, half)
        elif kind == "L" and y2 - y1 >= _SHORTEST_RULE and x2 - x1 < _LEVEL:
            yield Rule(x1, y1, x1, y2, half)


def _bent(path: Iterable[PathCommand], half: float) -> Iterator[Curve]:
    """Yield the curves and slanted lines of a path that are long enough to be seen as a line."""
    chords: list[Rule] = []
    for kind, ends in (*_segments(path), ("M", ((0.0, 0.0), (0.0, 0.0)))):
        (x1, y1), (x2, y2) = ends[0], ends[-1]
        if kind == "C" or (kind == "L" and min(abs(x2 - x1), abs(y2 - y1)) >= _LEVEL):
            thirds = [((2 * x1 + x2) / 3, (2 * y1 + y2) / 3), ((x1 + 2 * x2) / 3, (y1 + 2 * y2) / 3)]
            points = _flattened(*ends) if kind == "C" else _flattened(ends[0], *thirds, ends[-1])
            chords += [Rule(*one, *other, half) for one, other in pairwise(points)]
        else:
            if sum(hypot(each.x2 - each.x1, each.y2 - each.y1) for each in chords) >= _SHORTEST_RULE:
                yield tuple(chords)
            chords = []


def _flattened(*ends: tuple[float, float]) -> list[tuple[float, float]]:
    """Return points on a cubic curve, about a millimeter apart."""
    length = sum(dist(one, other) for one, other in pairwise(ends))
    steps = min(_MOST_CHORDS, max(4, ceil(length)))
    weights = [
        ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in (n / steps for n in range(steps + 1))
    ]
    return [
        (
            sum(w * x for w, (x, _) in zip(each, ends, strict=True)),
            sum(w * y for w, (_, y) in zip(each, ends, strict=True)),
        )
        for each in weights
    ]
