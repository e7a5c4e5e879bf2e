"""Galleys: paragraphs set to a width, of any depth."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.text.fonts import Font, Fonts
from cardgen.text.icons import Icons
from cardgen.text.line_breaks import (
    BreakItems,
    Segment,
    balanced_breaks,
    break_items,
    emergency_breaks,
    hyphenation_language,
    line_segments,
    place_line,
)
from cardgen.text.lines import Align, Line, Style
from cardgen.text.markup import Paragraph, split_lines
from cardgen.text.shaped_row import ShapedRow, shape_paragraph
from cardgen.units import MM_PER_POINT

_EPSILON = 1e-6
_ALIGN_SHARE = {"left": 0.0, "center": 0.5, "right": 1.0, "justify": 0.0}


@dataclass(frozen=True, slots=True)
class Galley:
    """Lines of a paragraph, each with its baseline at 0.

    `has_broken_word` says that a word was broken; `missing` are the characters without a glyph.
    """

    lines: tuple[Line, ...]
    has_broken_word: bool
    missing: str


class Compositor:
    """Sets paragraphs to widths in millimeters, with caches for all sizes.

    Words are hyphenated only if one of them is wider than the line, and without a `language` only if the paragraph
    reads as English. Raises ValueError with a message for the user if a
    font, an icon's file, or a language cannot be used.
    """

    def __init__(self, fonts: Fonts, icons: Icons, language: str = "") -> None:
        self._fonts, self._icons, self._language = fonts, icons, language
        self._row_cache: dict[tuple[Paragraph, Style], ShapedRow] = {}
        self._items_cache: dict[tuple[int, str], BreakItems] = {}

    def set_paragraph(self, paragraph: Paragraph, style: Style, width: float, align: Align = "left") -> Galley:
        """Set a paragraph in lines of a width (mm)."""
        galleys = [self._set_row(line, style, width, align) for line in split_lines(paragraph)]
        if len(galleys) == 1:
            return galleys[0]
        return Galley(
            tuple(line for galley in galleys for line in galley.lines),
            any(galley.has_broken_word for galley in galleys),
            "".join(dict.fromkeys("".join(galley.missing for galley in galleys))),
        )

    def _set_row(self, paragraph: Paragraph, style: Style, width: float, align: Align) -> Galley:
        row = self._row(paragraph, style)
        if not row.text:
            return Galley((), False, "")
        room = width / (style.size * MM_PER_POINT) * 1000
        items, has_broken_word = self._break_row(row, room)
        lasts = balanced_breaks(items.begins, items.ends, items.hyphens, room, balance_last_line=align == "center")
        lines = (self._place_segment(segment, style.size, room, align) for segment in line_segments(items, lasts))
        return Galley(tuple(lines), has_broken_word, row.missing)

    def set_line(self, paragraph: Paragraph, style: Style) -> tuple[Line, float]:
        """Set a paragraph on one line; return it with its width (mm)."""
        row = self._row(paragraph, style)
        segment = Segment(row, 0, len(row.text))
        return place_line(segment, 0.0, 0.0, style.size), segment.width * style.size * MM_PER_POINT / 1000

    def measure(self, paragraph: Paragraph, style: Style) -> tuple[float, float]:
        """Return the width of a paragraph without further line breaks, and its widest word's (mm)."""
        scale = style.size * MM_PER_POINT / 1000
        rows = [row for line in split_lines(paragraph) if (row := self._row(line, style)).text]
        widths = [Segment(row, 0, len(row.text)).width * scale for row in rows]
        return max(widths, default=0.0), max([self._items(row, "").widest * scale for row in rows], default=0.0)

    def baseline(self, style: Style, height: float | None = None) -> float:
        """Return the distance of a baseline from the line's upper edge.

        With a `height`, capitals are vertically centered in it; all in millimeters.
        """
        font, em = self._font(style), style.size * MM_PER_POINT
        if height is not None:
            return height / 2 + font.cap_height * em / 2
        return (style.leading - font.ascent - font.descent) / 2 * em + font.ascent * em

    def _font(self, style: Style) -> Font:
        return self._fonts.font(style.family, style.bold, style.italic)

    def _row(self, paragraph: Paragraph, style: Style) -> ShapedRow:
        key = (paragraph, style._replace(size=1.0))
        row = self._row_cache.get(key)
        if row is None:
            row = self._row_cache[key] = shape_paragraph(paragraph, style, self._fonts, self._icons)
        return row

    def _items(self, row: ShapedRow, language: str) -> BreakItems:
        """Return the break items of a row, cached.

        Rows are keyed by identity, because they live as long as the compositor.
        """
        key = (id(row), language)
        if key not in self._items_cache:
            self._items_cache[key] = break_items(row, language or None)
        return self._items_cache[key]

    def _break_row(self, row: ShapedRow, room: float) -> tuple[BreakItems, bool]:
        items = self._items(row, "")
        if items.widest <= room + _EPSILON:
            return items, False
        language = hyphenation_language(row.source, self._language)
        if language:
            items = self._items(row, language)
            if items.widest <= room + _EPSILON:
                return items, False
        return emergency_breaks(items, room + _EPSILON)[0], True

    @staticmethod
    def _place_segment(segment: Segment, size: float, room: float, align: Align) -> Line:
        spare = max(0.0, room - segment.width) * _ALIGN_SHARE[align]
        return place_line(segment, spare * size * MM_PER_POINT / 1000, 0.0, size)
