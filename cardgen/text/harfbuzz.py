"""Font files, and shaping with HarfBuzz."""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import uharfbuzz as hb  # type: ignore[import-untyped]

from cardgen.runtime import regular_file
from cardgen.text.lines import PathCommand

# Font files that are embedded: with a table of names of their own, and always with TrueType outlines.
# Writers of PDF read the name of a font, and fail for many tables of names that all other programs accept.
# Cubic curves become quadratic ones that are at most half a thousandth of an em away.

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


# Windows, Unicode, US English.
_NAME_RECORD = (3, 1, 0x409)


def with_names(tables: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """Return the tables of a font with its family, full, and PostScript name replaced."""
    text = name.encode("utf-16-be")
    names = {1: text, 2: "Regular".encode("utf-16-be"), 4: text, 6: text}
    records, start = b"", 0
    for number, value in names.items():
        records += struct.pack(">6H", *_NAME_RECORD, number, len(value), start)
        start += len(value)
    head = struct.pack(">3H", 0, len(names), 6 + len(records))
    return {**tables, "name": head + records + b"".join(names.values())}


def with_truetype_outlines(
    tables: Mapping[str, bytes], outlines: Sequence[Iterable[PathCommand]], units_per_em: int
) -> dict[str, bytes]:
    """Return the tables of a font with TrueType outlines.

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
    points = max((sum(map(len, each)) for each in contours), default=0)
    most = max(map(len, contours), default=0)
    kept["maxp"] = struct.pack(">IHHHHHHHHHHHHHH", 0x10000, len(contours), points, most, 0, 0, _MAXP_ZONES, *[0] * 8)
    kept["head"] = _with_long_offsets(_head(kept))
    return kept


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
    # A contour without its first point repeated at the end.
    return [(each[:-1] if each[0] == each[-1] else each) for each in contours if len(each) > 2]


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


def _head(tables: Mapping[str, bytes]) -> bytes:
    """Return the table 'head' with its checksum cleared."""
    head = tables.get("head", b"")
    if len(head) < 54:
        raise ValueError("the table 'head' is too short")
    return head[:8] + bytes(4) + head[12:]


def _with_long_offsets(head: bytes) -> bytes:
    return head[:50] + struct.pack(">hh", 1, 0)


class Composite(NamedTuple):
    """A new glyph of other glyphs of a font, with its left, lower, right, and upper edge, in font units."""

    box: tuple[int, int, int, int]
    parts: Parts


# Flags of a component: its offsets are words, are coordinates, and others follow.
_WORDS, _COORDINATES, _MORE = 0x1, 0x2, 0x20


def with_composites(tables: Mapping[str, bytes], composites: Sequence[Composite]) -> dict[str, bytes]:
    """Return the tables of a TrueType font with further glyphs, which have the advance 0.

    Raises ValueError or struct.error if a table is damaged, or a part is out of range.
    """
    (count,), (is_long,) = struct.unpack(">H", tables["maxp"][4:6]), struct.unpack(">h", tables["head"][50:52])
    places = struct.iter_unpack(">I" if is_long else ">H", tables["loca"])
    offsets = [place * (1 if is_long else 2) for (place,) in places][: count + 1]
    glyf = tables["glyf"]
    data = [glyf[: offsets[-1]], bytes(-offsets[-1] % 4)]
    at = offsets[-1] = sum(map(len, data))
    for box, parts in composites:
        glyph = struct.pack(">5h", -1, *box)
        for place, (number, dx, dy) in enumerate(parts):
            flags = _WORDS | _COORDINATES | _MORE * (place + 1 < len(parts))
            glyph += struct.pack(">2H2h", flags, number, dx, dy)
        data.append(glyph + bytes(-len(glyph) % 4))
        at += len(data[-1])
        offsets.append(at)
    known = struct.unpack(">H", tables["hhea"][34:36])[0]
    metrics = tables["hmtx"]
    last = metrics[4 * known - 4 : 4 * known - 2]
    rest = [last + metrics[4 * known + 2 * place :][:2] for place in range(count - known)]
    metrics = b"".join([metrics[: 4 * known], *rest, *[struct.pack(">Hh", 0, box[0]) for box, _ in composites]])
    total, most = count + len(composites), max(len(parts) for _, parts in composites)
    maxp = tables["maxp"]
    if len(maxp) >= 32:
        deepest = struct.unpack(">H", maxp[30:32])[0] + 1
        maxp = maxp[:28] + struct.pack(">2H", max(most, *struct.unpack(">H", maxp[28:30])), deepest) + maxp[32:]
    return {
        **tables,
        "glyf": b"".join(data),
        "loca": struct.pack(f">{len(offsets)}I", *offsets),
        "head": _with_long_offsets(tables["head"]),
        "hmtx": metrics,
        "hhea": tables["hhea"][:34] + struct.pack(">H", total),
        "maxp": maxp[:4] + struct.pack(">H", total) + maxp[6:],
    }


def font_file(tables: Mapping[str, bytes]) -> bytes:
    """Return a TrueType font file with these tables. Raises ValueError without a table 'head'."""
    tables = {**tables, "head": _head(tables)}
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    start = 12 + 16 * count
    directory = [struct.pack(">IHHHH", 0x10000, count, power * 16, power.bit_length() - 1, (count - power) * 16)]
    content: list[bytes] = []
    head = 0
    for tag, data in sorted(tables.items()):
        padded = data + bytes(-len(data) % 4)
        directory.append(struct.pack(">4sIII", tag.encode("latin-1"), _checksum(padded), start, len(data)))
        content.append(padded)
        head = start if tag == "head" else head
        start += len(padded)
    whole = b"".join([*directory, *content])
    adjustment = (0xB1B0AFBA - _checksum(whole)) % (1 << 32)
    return whole[: head + 8] + struct.pack(">I", adjustment) + whole[head + 12 :]


def _checksum(data: bytes) -> int:
    words: tuple[int, ...] = struct.unpack(f">{len(data) // 4}I", data)
    return sum(words) % (1 << 32)


# Typed wrapper around HarfBuzz; the only importer of uharfbuzz.

# Scripts whose letters need no forms but their own: these are kerned, without ligatures. All others have all features
# that HarfBuzz has for them.
PLAIN_SCRIPTS = frozenset({"", "Latn", "Grek", "Cyrl"})
_PLAIN_FEATURES = {"liga": False, "clig": False, "rlig": False, "calt": False}
_FAMILY_NAME_ID = 1
_MAX_BYTES = 32 * 2**20
# Lines and curves of the PostScript outlines that a document embeds; 3,000 Chinese characters have 200,000.
_MOST_COMMANDS = 300_000
# Characters in the tables that map them to glyphs, with repetitions: HarfBuzz visits all whenever it embeds a font.
_MOST_MAPPED = 5_000_000
# The tables without which a font cannot be embedded; its names are replaced.
_REQUIRED_TABLES = ("OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "post")
_OUTLINE_TABLES = frozenset({"glyf", "loca", "gvar", "CFF ", "CFF2"})
# What set text does not need, and names, which embedded fonts have of their own.
_DROPPED_TABLES = tuple(int.from_bytes(tag) for tag in (b"GSUB", b"GPOS", b"GDEF", b"name"))


class ShapedGlyph(NamedTuple):
    """Glyph of a shaped text: its number, the index of the first character of its cluster, and its place, in em.

    Offsets move what is drawn to the right and upward.
    """

    number: int
    cluster: int
    advance: float
    dx: float
    dy: float


@lru_cache(maxsize=1 << 14)
def script_of(character: str) -> str:
    """Return the script of a character (ISO 15924); '' if many scripts use it, as digits and marks."""
    buffer = hb.Buffer()
    buffer.add_str(character)
    buffer.guess_segment_properties()
    return str(buffer.script or "")


# Glyphs that are drawn as one: the number of each, and its offset to the right and upward in font units.
Parts: TypeAlias = tuple[tuple[int, int, int], ...]
# Coordinates of a variable font by the tag of their axis.
Axes: TypeAlias = tuple[tuple[str, float], ...]


class FontFace:
    """One font file, opened.

    All lengths are in em. `axes` are the coordinates of an instance of a variable font, such as ('wght', 700). Raises
    ValueError with a message for the user if the file cannot be read or is not a font.
    """

    def __init__(self, path: Path, axes: Axes = ()) -> None:
        # Not mapped into memory: if the file were changed meanwhile, the program would be killed.
        try:
            self._face = hb.Face(hb.Blob(regular_file.read(path, _MAX_BYTES)))
        except OSError as error:
            raise ValueError(f"{path.name} cannot be read: {error.strerror or error}") from None
        if not self._face.glyph_count:
            raise ValueError(f"{path.name} is not a valid font file")
        self._font = hb.Font(self._face)
        self._axes = dict(axes)
        if self._axes:
            self._font.set_variations(self._axes)
        self.units_per_em: int = self._face.upem
        self._drawn: dict[int, bool | None] = {}
        # Characters that were looked up, and have a glyph or need none.
        self.drawable: set[str] = set()

    @property
    def family(self) -> str:
        """The name of the family, as stored in the font, without characters that cannot be printed."""
        name = str(self._face.get_name(_FAMILY_NAME_ID) or "")
        return " ".join("".join(character if character.isprintable() else " " for character in name).split())

    @property
    def weight(self) -> float:
        """The weight from 100 to 900; 400 is regular, 700 is bold."""
        return float(self._font.get_style_value(hb.StyleTag.WEIGHT))

    @property
    def italic(self) -> bool:
        """True for an italic or slanted face."""
        return bool(self._font.get_style_value(hb.StyleTag.ITALIC))

    @property
    def has_outlines(self) -> bool:
        """True if the font has TrueType or PostScript outlines; others have only pictures of letters."""
        return not {"glyf", "CFF ", "CFF2"}.isdisjoint(self._face.table_tags)

    @property
    def axis_ranges(self) -> dict[str, tuple[float, float]]:
        """The smallest and the largest coordinate of each axis; a font that is not variable has none."""
        return {axis.tag: (axis.min_value, axis.max_value) for axis in self._face.axis_infos}

    @property
    def is_damaged(self) -> bool:
        """True if the font cannot be embedded, because a table is missing or damaged."""
        if _mapped_characters(bytes(self._face.reference_table("cmap").data), _MOST_MAPPED) > _MOST_MAPPED:
            return True
        wanted = hb.SubsetInput()
        wanted.keep_everything()
        wanted.drop_table_tag_set.update(_DROPPED_TABLES)
        try:
            whole = hb.subset(self._face, wanted)
        except RuntimeError:
            return True
        outlines = _OUTLINE_TABLES.intersection(self._face.table_tags)
        if not all(len(whole.reference_table(tag)) for tag in (*_REQUIRED_TABLES, *outlines)):
            return True
        return not any(map(self._draws, range(self._face.glyph_count)))

    def metric(self, tag: str) -> float:
        """Return a metric of the font: 'CAP_HEIGHT' or 'X_HEIGHT'."""
        position = self._font.get_metric_position_with_fallback(getattr(hb.OTMetricsTag, tag))
        return float(position) / self.units_per_em

    @property
    def bounding_box(self) -> tuple[float, ...]:
        """The left, lower, right, and upper edge of all glyphs together."""
        head = bytes(self._face.reference_table("head").data)
        return tuple(side / self.units_per_em for side in struct.unpack(">4h", head[36:44]))

    @property
    def typographic_extent(self) -> tuple[float, float]:
        """The ascender and the descender, which is negative, from the table 'OS/2'; both 0 if it is too short."""
        table = bytes(self._face.reference_table("OS/2").data)
        ascender, descender = struct.unpack(">2h", table[68:72]) if len(table) >= 72 else (0, 0)
        return ascender / self.units_per_em, descender / self.units_per_em

    def vertical_extent(self, characters: str) -> tuple[float, float]:
        """Return the extent of characters above and below the baseline."""
        boxes = [box for box in map(self._glyph_extents, characters) if box is not None]
        top = max((box.y_bearing for box in boxes), default=0)
        bottom = min((box.y_bearing + box.height for box in boxes), default=0)
        return top / self.units_per_em, -bottom / self.units_per_em

    def _glyph_extents(self, character: str) -> Any:
        glyph = self._font.get_nominal_glyph(ord(character))
        return None if glyph is None else self._font.get_glyph_extents(glyph)

    def has_glyph(self, character: str) -> bool:
        """True if the font has a glyph for this character. Some fonts have blank ones for letters that they lack."""
        glyph = self._font.get_nominal_glyph(ord(character))
        return bool(glyph) and not (_is_visible(character) and self._draws(glyph) is False)

    def has_damaged_glyph(self, character: str) -> bool:
        """True if the outline of a character has data, but nothing is drawn."""
        glyph = self._font.get_nominal_glyph(ord(character))
        return bool(glyph) and _is_visible(character) and self._draws(glyph) is None

    def _draws(self, glyph: int) -> bool | None:
        """Return whether a glyph has an outline, or None if it has one that is damaged."""
        if glyph not in self._drawn:
            pen = _OutlinePen(1.0)
            self._font.draw_glyph(glyph, _DRAW, pen)
            self._drawn[glyph] = bool(pen.commands) or (None if self._outline_length(glyph) else False)
        return self._drawn[glyph]

    def _outline_length(self, glyph: int) -> int:
        """Return the length of a TrueType outline in the unit of the table 'loca', and 0 for others."""
        head, places = (bytes(self._face.reference_table(tag).data) for tag in ("head", "loca"))
        size = 4 if _uint16(head, 50) else 2
        start, stop = (int.from_bytes(places[at * size : (at + 1) * size]) for at in (glyph, glyph + 1))
        return stop - start

    def advance(self, character: str) -> float:
        """Return the advance of a single character.

        A missing character has the advance of the font's placeholder glyph.
        """
        glyph = self._font.get_nominal_glyph(ord(character)) or 0
        return float(self._font.get_glyph_h_advance(glyph)) / self.units_per_em

    def shape(
        self, text: str, script: str = "", language: str = "", *, right_to_left: bool = False
    ) -> Iterator[ShapedGlyph]:
        """Shape a text of one script and direction.

        Yields its glyphs from left to right. Without a `script` (ISO 15924), that of the first letter counts. Raises
        OverflowError if the font makes so many glyphs of the text that HarfBuzz gives up.
        """
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
        if script:
            buffer.script = script
        buffer.guess_segment_properties()
        buffer.direction = "rtl" if right_to_left else "ltr"
        if language:
            buffer.language = language
        try:
            hb.shape(self._font, buffer, _PLAIN_FEATURES if script in PLAIN_SCRIPTS else {})
        except MemoryError:  # HarfBuzz limits the length of a text to 64 times what it was.
            raise OverflowError("it replaces letters by too many others") from None
        em = self.units_per_em
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            yield ShapedGlyph(
                info.codepoint, info.cluster, place.x_advance / em, place.x_offset / em, place.y_offset / em
            )

    def glyph_of(self, character: str) -> int:
        """Return the number of the glyph that a character has by itself; 0 if the font lacks it."""
        return int(self._font.get_nominal_glyph(ord(character)) or 0)

    def glyph_extent(self, glyph: int) -> tuple[float, float]:
        """Return how far a glyph reaches above and below the baseline."""
        box = self._font.get_glyph_extents(glyph)
        if box is None:
            return 0.0, 0.0
        return box.y_bearing / self.units_per_em, -(box.y_bearing + box.height) / self.units_per_em

    def glyph_advance(self, glyph: int) -> float:
        """Return the advance of a glyph by its number."""
        return float(self._font.get_glyph_h_advance(glyph)) / self.units_per_em

    def subset(self, characters: str, name: str) -> bytes:
        """Return a TrueType file with only these characters, of this instance of a variable font.

        It has the given `name`, whose characters must be ASCII. Layout tables are dropped: in set text, letters already
        have positions. Raises ValueError or RuntimeError if the font is damaged.
        """
        return font_file(with_names(self._subset(characters, ())[0], name))

    def subset_glyphs(self, glyphs: Sequence[Parts], name: str) -> tuple[bytes, list[int]]:
        """Return a file as `subset` does, with these glyphs, and the number that each has in it.

        A glyph of several parts, or one that is moved, becomes a new one that has these as its components.
        """
        tables, numbers = self._subset("", {number for parts in glyphs for number, _, _ in parts})
        count, places, composites = max(numbers.values()) + 1, list[int](), list[Composite]()
        for parts in glyphs:
            (number, dx, dy), *others = parts
            if not (dx or dy or others):
                places.append(numbers[number])
                continue
            places.append(count + len(composites))
            boxes = [self._font.get_glyph_extents(number) for number, _, _ in parts]
            xs = [
                (box.x_bearing + dx, box.x_bearing + box.width + dx)
                for box, (_, dx, _) in zip(boxes, parts, strict=True)
            ]
            ys = [
                (box.y_bearing + box.height + dy, box.y_bearing + dy)
                for box, (_, _, dy) in zip(boxes, parts, strict=True)
            ]
            corners = (min(x for x, _ in xs), min(y for y, _ in ys), max(x for _, x in xs), max(y for _, y in ys))
            composites.append(Composite(corners, tuple((numbers[number], dx, dy) for number, dx, dy in parts)))
        if composites:
            tables = with_composites(tables, composites)
        return font_file(with_names(tables, name)), places

    def _subset(self, characters: str, glyphs: Iterable[int]) -> tuple[dict[str, bytes], Mapping[int, int]]:
        wanted = hb.SubsetInput()
        wanted.unicode_set.update(map(ord, characters))
        wanted.glyph_set.update(glyphs)
        wanted.drop_table_tag_set.update(_DROPPED_TABLES)
        for tag in self.axis_ranges:
            if tag in self._axes:
                wanted.pin_axis_location(self._face, tag, self._axes[tag])
            else:
                wanted.pin_axis_to_default(self._face, tag)
        plan = hb.SubsetPlan(self._face, wanted)
        subset = plan.execute()
        tables = {tag: bytes(subset.reference_table(tag).data) for tag in subset.table_tags}
        if "glyf" not in self._face.table_tags:
            tables = with_truetype_outlines(tables, self._outlines(subset), self.units_per_em)
        return tables, dict(plan.old_to_new_glyph_mapping)

    @staticmethod
    def _outlines(subset: Any) -> list[list[PathCommand]]:
        font, outlines, commands = hb.Font(subset), [], 0
        for glyph in range(subset.glyph_count):
            pen = _OutlinePen(1.0)
            font.draw_glyph(glyph, _DRAW, pen)
            commands += len(pen.commands)
            if commands > _MOST_COMMANDS:
                raise ValueError("its outlines are too long")
            outlines.append(pen.commands)
        return outlines

    def glyph_names(self) -> tuple[str, ...]:
        """Return the names of all glyphs, without empty names."""
        names = (self._font.get_glyph_name(glyph) for glyph in range(self._face.glyph_count))
        return tuple(name for name in names if name)

    def glyph_outline(self, glyph: int, x: float = 0.0, y: float = 0.0) -> tuple[PathCommand, ...]:
        """Return a glyph's outline by its number, whose origin is at x, y."""
        pen = _OutlinePen(1 / self.units_per_em)
        self._font.draw_glyph(glyph, _DRAW, pen)
        if not (x or y):
            return tuple(pen.commands)
        return tuple(
            (kind, *(n + (x, y)[place % 2] for place, n in enumerate(numbers))) for kind, *numbers in pen.commands
        )

    def outline(self, glyph_name: str) -> tuple[tuple[PathCommand, ...], float] | None:
        """Return a glyph's outline and advance, or None if unknown."""
        glyph = self._font.get_glyph_from_name(glyph_name)
        if glyph is None:
            return None
        return self.glyph_outline(glyph), self.glyph_advance(glyph)


# Letters and signs that draw nothing.
_BLANK = frozenset("\u2800\u3164\uffa0")


@lru_cache(maxsize=1 << 14)
def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in _BLANK


def _mapped_characters(cmap: bytes, enough: int) -> int:
    """Return how many characters the subtables of a table 'cmap' map, each as often as it occurs.

    The groups of a subtable can overlap, and be used by many encodings. Stops counting at `enough`.
    """
    total, starts = 0, [start for (start,) in struct.iter_unpack(">4xI", _rows(cmap, 4, 8, _uint16(cmap, 2)))]
    counts: dict[int, int] = {}
    for start in starts:
        if start not in counts:
            counts[start] = 0
            for count in _group_lengths(cmap, start):
                counts[start] += count
                if counts[start] > enough:
                    break
        total += counts[start]
        if total > enough:
            break
    return total


def _group_lengths(cmap: bytes, start: int) -> Iterator[int]:
    """Yield the number of characters in each group of a subtable. What the table is too short for is left out."""
    match _uint16(cmap, start):
        case 4:
            size = _uint16(cmap, start + 6) & ~1
            lasts, firsts = (cmap[each : each + size] for each in (start + 14, start + 16 + size))
            for (last,), (first,) in zip(_uint16s(lasts), _uint16s(firsts), strict=False):
                yield max(0, last - first + 1)
        case 12 | 13:
            for first, last in struct.iter_unpack(">II4x", _rows(cmap, start + 16, 12, _uint32(cmap, start + 12))):
                yield max(0, last - first + 1)
        case 14:
            rows = _rows(cmap, start + 10, 11, _uint32(cmap, start + 6))
            for defaults, others in struct.iter_unpack(">3xII", rows):
                if defaults:
                    count = _uint32(cmap, start + defaults)
                    yield count + sum(_rows(cmap, start + defaults + 4, 4, count)[3::4])
                yield _uint32(cmap, start + others) if others else 0
        case _:
            yield 1 << 16


def _rows(content: bytes, start: int, size: int, count: int) -> bytes:
    """Return the rows of this size that are there."""
    return content[start : start + size * min(count, max(0, len(content) - start) // size)]


def _uint16s(content: bytes) -> Iterator[tuple[int]]:
    return struct.iter_unpack(">H", content[: len(content) & ~1])


def _uint16(content: bytes, start: int) -> int:
    return int.from_bytes(content[start : start + 2])


def _uint32(content: bytes, start: int) -> int:
    return int.from_bytes(content[start : start + 4])


class _OutlinePen:
    """Pen that collects outlines; converts quadratic curves to cubic ones."""

    def __init__(self, scale: float) -> None:
        self.commands: list[PathCommand] = []
        self._scale = scale
        self._at = (0.0, 0.0)

    def add(self, letter: str, *numbers: float) -> None:
        scaled = [number * self._scale for number in numbers]
        self.commands.append((letter, *scaled))
        if scaled:
            self._at = (scaled[-2], scaled[-1])

    def quadratic(self, cx: float, cy: float, x: float, y: float) -> None:
        x0, y0 = (coordinate / self._scale for coordinate in self._at)
        self.add("C", x0 + (cx - x0) * 2 / 3, y0 + (cy - y0) * 2 / 3, x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3, x, y)


def _draw_functions() -> Any:
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda x, y, pen: pen.add("M", x, y))
    functions.set_line_to_func(lambda x, y, pen: pen.add("L", x, y))
    functions.set_cubic_to_func(lambda a, b, c, d, x, y, pen: pen.add("C", a, b, c, d, x, y))
    functions.set_quadratic_to_func(lambda a, b, x, y, pen: pen.quadratic(a, b, x, y))
    functions.set_close_path_func(lambda pen: pen.add("Z"))
    return functions


_DRAW = _draw_functions()
