"""Typed wrapper around HarfBuzz; the only importer of uharfbuzz."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import uharfbuzz as hb  # type: ignore[import-untyped]

from cardgen.runtime import regular_file
from cardgen.text.lines import PathCommand
from cardgen.text.truetype import with_truetype_outlines

# Kerning and composed glyphs are on by default; other ligatures are off.
_FEATURES = {"liga": False, "clig": False, "rlig": False, "calt": False}
_FAMILY_NAME_ID = 1
_MAX_BYTES = 32 * 2**20
# Lines and curves of the PostScript outlines that a document embeds; 3,000 Chinese characters have 200,000.
_MOST_COMMANDS = 300_000
# The tables without which a font cannot be embedded.
_REQUIRED_TABLES = ("OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post")
_OUTLINE_TABLES = frozenset({"glyf", "loca", "gvar", "CFF ", "CFF2"})
_LAYOUT_TABLES = (b"GSUB", b"GPOS", b"GDEF")


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

    @property
    def family(self) -> str:
        """The name of the family, as stored in the font."""
        return str(self._face.get_name(_FAMILY_NAME_ID) or "")

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
        wanted = hb.SubsetInput()
        wanted.keep_everything()
        wanted.drop_table_tag_set.update(int.from_bytes(tag) for tag in _LAYOUT_TABLES)
        try:
            whole = hb.subset(self._face, wanted)
        except RuntimeError:
            return True
        outlines = _OUTLINE_TABLES.intersection(self._face.table_tags)
        return not all(len(whole.reference_table(tag)) for tag in (*_REQUIRED_TABLES, *outlines))

    def metric(self, tag: str) -> float:
        """Return a metric of the font: 'CAP_HEIGHT' or 'X_HEIGHT'."""
        position = self._font.get_metric_position_with_fallback(getattr(hb.OTMetricsTag, tag))
        return float(position) / self.units_per_em

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
        """True if the font has a glyph for this character."""
        return bool(self._font.get_nominal_glyph(ord(character)))

    def advance(self, character: str) -> float:
        """Return the advance of a single character.

        A missing character has the advance of the font's placeholder glyph.
        """
        glyph = self._font.get_nominal_glyph(ord(character)) or 0
        return float(self._font.get_glyph_h_advance(glyph)) / self.units_per_em

    def shape(self, text: str) -> Iterator[tuple[int, float]]:
        """Shape a text left to right, kerned, without ligatures.

        Yields the index of each character and its advance.
        """
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.direction = "ltr"
        hb.shape(self._font, buffer, _FEATURES)
        em = self.units_per_em
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            yield info.cluster, position.x_advance / em

    def subset(self, characters: str) -> bytes:
        """Return a TrueType file with only these characters, of this instance of a variable font.

        Layout tables are dropped: in set text, letters already have positions. Raises ValueError or RuntimeError if the
        font is damaged.
        """
        wanted = hb.SubsetInput()
        wanted.unicode_set.update(map(ord, characters))
        wanted.drop_table_tag_set.update(int.from_bytes(tag) for tag in _LAYOUT_TABLES)
        for tag in self.axis_ranges:
            if tag in self._axes:
                wanted.pin_axis_location(self._face, tag, self._axes[tag])
            else:
                wanted.pin_axis_to_default(self._face, tag)
        subset = hb.subset(self._face, wanted)
        return bytes(subset.blob.data) if "glyf" in self._face.table_tags else self._as_truetype(subset)

    def _as_truetype(self, subset: Any) -> bytes:
        font, outlines, commands = hb.Font(subset), [], 0
        for glyph in range(subset.glyph_count):
            pen = _OutlinePen(1.0)
            font.draw_glyph(glyph, _DRAW, pen)
            commands += len(pen.commands)
            if commands > _MOST_COMMANDS:
                raise ValueError("its outlines are too long")
            outlines.append(pen.commands)
        tables = {tag: bytes(subset.reference_table(tag).data) for tag in subset.table_tags}
        return with_truetype_outlines(tables, outlines, self.units_per_em)

    def glyph_names(self) -> tuple[str, ...]:
        """Return the names of all glyphs, without empty names."""
        names = (self._font.get_glyph_name(glyph) for glyph in range(self._face.glyph_count))
        return tuple(name for name in names if name)

    def outline(self, glyph_name: str) -> tuple[tuple[PathCommand, ...], float] | None:
        """Return a glyph's outline and advance, or None if unknown."""
        glyph = self._font.get_glyph_from_name(glyph_name)
        if glyph is None:
            return None
        pen = _OutlinePen(1 / self.units_per_em)
        self._font.draw_glyph(glyph, _DRAW, pen)
        return tuple(pen.commands), self._font.get_glyph_h_advance(glyph) / self.units_per_em


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
