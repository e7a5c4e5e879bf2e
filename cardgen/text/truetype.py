"""TrueType outlines for fonts with PostScript outlines, because PDF text is embedded as TrueType.

Cubic curves become quadratic ones that are at most half a thousandth of an em away.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from cardgen.text.lines import PathCommand

# Distance between a curve and its replacement, in em.
_TOLERANCE = 0.0005
_MOST_PIECES = 16
_ON_CURVE = 1
_COORDINATE_LIMIT = 32_767
_MOST_POINTS = 65_535
# Zones of points in the table 'maxp'; glyphs have no programs.
_MAXP_ZONES = 2

_Point = tuple[float, float]


class GlyphPoint(NamedTuple):
    """A point of a contour, in font units."""

    x: int
    y: int
    on_curve: bool


def with_truetype_outlines(
    tables: Mapping[str, bytes], outlines: Sequence[Iterable[PathCommand]], units_per_em: int
) -> bytes:
    """Return a font with these tables, but with TrueType outlines.

    The outlines are those of all glyphs in order, in font units. Raises ValueError if one is out of range.
    """
    contours = [_contours(outline, units_per_em * _TOLERANCE) for outline in outlines]
    if any(len(each) > _COORDINATE_LIMIT or sum(map(len, each)) > _MOST_POINTS for each in contours):
        raise ValueError("an outline has too many points")
    glyphs = [_glyph(each) for each in contours]
    offsets = [0]
    for glyph in glyphs:
        offsets.append(offsets[-1] + len(glyph))
    kept = {tag: data for tag, data in tables.items() if tag not in ("CFF ", "CFF2", "VORG", "maxp")}
    kept["glyf"] = b"".join(glyphs) or b"\0"
    kept["loca"] = struct.pack(f">{len(offsets)}I", *offsets)
    kept["maxp"] = _maxp(contours)
    kept["head"] = _head(kept["head"])
    return _assemble(kept)


def _contours(outline: Iterable[PathCommand], tolerance: float) -> list[list[GlyphPoint]]:
    contours: list[list[GlyphPoint]] = []
    at: _Point = (0.0, 0.0)
    for kind, *numbers in outline:
        if kind == "M":
            contours.append([])
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if kind == "C":
            for control, end in _quadratics((at, *points), tolerance):
                contours[-1] += (_point(control, on_curve=False), _point(end))
        elif points:
            contours[-1].append(_point(points[-1]))
        at = points[-1] if points else at
    return [_closed(each) for each in contours if len(each) > 2]


def _closed(contour: list[GlyphPoint]) -> list[GlyphPoint]:
    """Return a contour without its first point repeated at the end."""
    return contour[:-1] if contour[0] == contour[-1] else contour


def _point(point: _Point, *, on_curve: bool = True) -> GlyphPoint:
    x, y = (round(number) for number in point)
    if max(abs(x), abs(y)) > _COORDINATE_LIMIT:
        raise ValueError("an outline is out of range")
    return GlyphPoint(x, y, on_curve)


def _quadratics(curve: Sequence[_Point], tolerance: float) -> Iterator[tuple[_Point, _Point]]:
    """Yield the control point and the end of each quadratic curve that replaces a cubic one.

    The error of one is at most sqrt(3)/36 of the third difference, and shrinks with the cube of their number.
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = curve
    third = max(abs(x3 - 3 * x2 + 3 * x1 - x0), abs(y3 - 3 * y2 + 3 * y1 - y0)) * 1.5
    count = min(_MOST_PIECES, max(1, ceil((third * 0.0482 / tolerance) ** (1 / 3))))
    for number in range(count):
        start, end = number / count, (number + 1) / count
        (ax, ay), (dx, dy) = _at(curve, start), _slope(curve, start)
        (bx, by), (ex, ey) = _at(curve, end), _slope(curve, end)
        step = (end - start) / 4
        yield ((ax + bx) / 2 + (dx - ex) * step, (ay + by) / 2 + (dy - ey) * step), (bx, by)


def _at(curve: Sequence[_Point], time: float) -> _Point:
    rest = 1 - time
    weights = (rest**3, 3 * rest * rest * time, 3 * rest * time * time, time**3)
    return _weighted(curve, weights)


def _slope(curve: Sequence[_Point], time: float) -> _Point:
    rest = 1 - time
    weights = (-3 * rest * rest, 3 * rest * rest - 6 * rest * time, 6 * rest * time - 3 * time * time, 3 * time * time)
    return _weighted(curve, weights)


def _weighted(curve: Sequence[_Point], weights: Sequence[float]) -> _Point:
    pairs = list(zip(curve, weights, strict=True))
    return sum(point[0] * weight for point, weight in pairs), sum(point[1] * weight for point, weight in pairs)


def _glyph(contours: Sequence[Sequence[GlyphPoint]]) -> bytes:
    """Return an entry of the table 'glyf', whose length is a multiple of four; a blank has none."""
    points = [point for contour in contours for point in contour]
    if not points:
        return b""
    xs, ys = [point.x for point in points], [point.y for point in points]
    ends, last = [], -1
    for contour in contours:
        last += len(contour)
        ends.append(last)
    head = struct.pack(">hhhhh", len(contours), min(xs), min(ys), max(xs), max(ys))
    flags = bytes(_ON_CURVE if point.on_curve else 0 for point in points)
    data = head + struct.pack(f">{len(ends)}HH", *ends, 0) + flags + _differences(xs) + _differences(ys)
    return data + bytes(-len(data) % 4)


def _differences(values: Sequence[int]) -> bytes:
    steps = [value - before for before, value in zip((0, *values), values, strict=False)]
    if any(abs(step) > _COORDINATE_LIMIT for step in steps):
        raise ValueError("an outline is out of range")
    return struct.pack(f">{len(steps)}h", *steps)


def _maxp(glyphs: Sequence[Sequence[Sequence[GlyphPoint]]]) -> bytes:
    points = max((sum(map(len, contours)) for contours in glyphs), default=0)
    most = max(map(len, glyphs), default=0)
    return struct.pack(">IHHHHHHHHHHHHHH", 0x10000, len(glyphs), points, most, 0, 0, _MAXP_ZONES, *[0] * 8)


def _head(head: bytes) -> bytes:
    """Return the table 'head' for long offsets, with its checksum cleared."""
    if len(head) < 54:
        raise ValueError("the table 'head' is too short")
    return head[:8] + bytes(4) + head[12:50] + struct.pack(">hh", 1, 0)


def _assemble(tables: Mapping[str, bytes]) -> bytes:
    """Return a font file with these tables."""
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    start = 12 + 16 * count
    directory = [struct.pack(">IHHHH", 0x10000, count, power * 16, power.bit_length() - 1, (count - power) * 16)]
    content: list[bytes] = []
    for tag, data in sorted(tables.items()):
        padded = data + bytes(-len(data) % 4)
        directory.append(struct.pack(">4sIII", tag.encode("latin-1"), _checksum(padded), start, len(data)))
        content.append(padded)
        start += len(padded)
    whole = b"".join([*directory, *content])
    adjustment = (0xB1B0AFBA - _checksum(whole)) % (1 << 32)
    place = whole.index(tables["head"]) + 8
    return whole[:place] + struct.pack(">I", adjustment) + whole[place + 4 :]


def _checksum(data: bytes) -> int:
    words: tuple[int, ...] = struct.unpack(f">{len(data) // 4}I", data)
    return sum(words) % (1 << 32)
