"""Galleys: paragraphs set to a width, as deep as they become."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.text.breaking import even
from cardgen.text.breaks import Items, chopped, items
from cardgen.text.fonts import Font, Fonts
from cardgen.text.icons import Icons
from cardgen.text.layout import segments
from cardgen.text.lines import Align, Line, Style
from cardgen.text.markup import Paragraph
from cardgen.text.measuring import Row, measure
from cardgen.text.placing import Segment, place
from cardgen.units import MM_PER_POINT

_GRAIN = 1e-6
_SHARE_LEFT = {"left": 0.0, "center": 0.5, "right": 1.0, "justify": 0.0}


@dataclass(frozen=True, slots=True)
class Galley:
    """A paragraph's lines, each with its baseline at 0; whether a word was torn, and which characters lack."""

    lines: tuple[Line, ...]
    torn: bool
    missing: str


class Compositor:
    """Sets paragraphs to widths in millimetres; it remembers what it has measured, which holds for every size.

    Words are hyphenated only where one of them is wider than the line. Raises ValueError with a sentence for the user
    when a font, an icon's file or a language cannot be used.
    """

    def __init__(self, fonts: Fonts, icons: Icons, language: str) -> None:
        self._fonts, self._icons, self._language = fonts, icons, language
        self._rows: dict[tuple[Paragraph, Style], Row] = {}
        self._cuts: dict[tuple[int, str], Items] = {}

    def set(self, paragraph: Paragraph, style: Style, width: float, align: Align = "left") -> Galley:
        """Set a paragraph in lines of a width."""
        row = self._row(paragraph, style)
        if not row.text:
            return Galley((), False, "")
        room = width / (style.size * MM_PER_POINT) * 1000
        cut, torn = self._cut(row, room)
        lasts = even(cut.begins, cut.ends, cut.hyphens, room, last_line_too=align == "center")
        lines = (self._placed(segment, style.size, room, align) for segment in segments(cut, lasts))
        return Galley(tuple(lines), torn, row.missing)

    def line(self, paragraph: Paragraph, style: Style) -> tuple[Line, float]:
        """A paragraph on one line that begins at 0, and its width."""
        row = self._row(paragraph, style)
        segment = Segment(row, 0, len(row.text))
        return place(segment, 0.0, 0.0, style.size), segment.width * style.size * MM_PER_POINT / 1000

    def measured(self, paragraph: Paragraph, style: Style) -> tuple[float, float]:
        """How wide a paragraph is on one line, and its widest word."""
        row, scale = self._row(paragraph, style), style.size * MM_PER_POINT / 1000
        if not row.text:
            return 0.0, 0.0
        return Segment(row, 0, len(row.text)).width * scale, self._items(row, "").widest * scale

    def baseline(self, style: Style, height: float | None = None) -> float:
        """How far below a line's upper edge its baseline is; with a height, so that capitals stand in its middle."""
        font, em = self._font(style), style.size * MM_PER_POINT
        if height is not None:
            return height / 2 + font.cap_height * em / 2
        return (style.leading - font.ascent - font.descent) / 2 * em + font.ascent * em

    def _font(self, style: Style) -> Font:
        return self._fonts.font(style.family, style.bold, style.italic)

    def _row(self, paragraph: Paragraph, style: Style) -> Row:
        key = (paragraph, style._replace(size=1.0))
        found = self._rows.get(key)
        if found is None:
            found = self._rows[key] = measure(paragraph, style, self._fonts, self._icons)
        return found

    def _items(self, row: Row, language: str) -> Items:
        """How a row may be broken; rows live as long as this does, so each is known by its identity."""
        key = (id(row), language)
        if key not in self._cuts:
            self._cuts[key] = items(row, language or None)
        return self._cuts[key]

    def _cut(self, row: Row, room: float) -> tuple[Items, bool]:
        for language in ("", self._language):
            cut = self._items(row, language)
            if cut.widest <= room + _GRAIN:
                return cut, False
        return chopped(cut, room + _GRAIN)[0], True

    @staticmethod
    def _placed(segment: Segment, size: float, room: float, align: Align) -> Line:
        spare = max(0.0, room - segment.width) * _SHARE_LEFT[align]
        return place(segment, spare * size * MM_PER_POINT / 1000, 0.0, size)
