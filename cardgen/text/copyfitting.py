"""Copyfitting: galleys of paragraphs set to a width, and text set in a box or line as large as possible."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, zip_longest

from cardgen.text.captions import Captions
from cardgen.text.fonts import Font, Fonts
from cardgen.text.line_breaks import (
    BreakItems,
    Segment,
    balanced_breaks,
    break_items,
    emergency_breaks,
    greedy_breaks,
    hyphenation_language,
    line_segments,
    place_line,
    single_item,
)
from cardgen.text.lines import (
    Align,
    Anchor,
    Box,
    Fit,
    Line,
    Paragraph,
    Phrase,
    Style,
    TypesetText,
    Valign,
    parse_markup,
    split_lines,
    split_marker,
)
from cardgen.text.shaped_row import Icons, ShapedRow, built_in_icons, missing_in_rows, shape_paragraph, unknown_in_rows
from cardgen.units import MM_PER_POINT

_EPSILON = 1e-6
_ALIGN_SHARE = {"left": 0.0, "center": 0.5, "right": 1.0, "justify": 0.0}


def _share(row: ShapedRow, align: Align) -> float:
    """Return which share of the empty part of a line is before it.

    Text from right to left begins at the right, unless it says itself where it begins.
    """
    begins_right = row.base and row.align is None and align in ("left", "justify")
    return 1.0 if begins_right else _ALIGN_SHARE[row.align or align]


def _printed_width(marker: ShapedRow) -> float:
    """Return the width of a marker without the space behind it, in thousandths of the size."""
    return marker.pen_positions[len(marker.text.rstrip())]


def _moved(line: Line, x: float) -> Line:
    return Line(tuple(each._replace(x=each.x + x) for each in line.pieces))


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
    reads as English. Raises ValueError with a message for the user if a font or an icon's file cannot be used.
    """

    def __init__(self, fonts: Fonts, icons: Icons, language: str = "", captions: Captions | None = None) -> None:
        """`captions` are those of what the program itself says in the language."""
        self._fonts, self._icons, self._language = fonts, icons, language
        self.captions = captions or Captions()
        self._row_cache: dict[tuple[Paragraph, Style], ShapedRow] = {}
        self._items_cache: dict[tuple[int, str], BreakItems] = {}

    def set_paragraph(self, paragraph: Paragraph, style: Style, width: float, align: Align = "left") -> Galley:
        """Set a paragraph in lines of a width (mm); those of an item of a list are indented behind its marker."""
        marker, paragraph = split_marker(paragraph)
        if marker:
            line, indent = self.set_line((marker,), style)
            galley = self.set_paragraph(paragraph, style, width - indent, "left" if align == "center" else align)
            backward = any(self._row(each, style).base for each in split_lines(paragraph)[:1])
            printed = _printed_width(self._row((marker,), style)) * style.size * MM_PER_POINT / 1000
            text_at, marker_at = (0.0, width - printed) if backward else (indent, 0.0)
            lines = [_moved(one, text_at) for one in galley.lines]
            lines[:1] = [Line((*_moved(line, marker_at).pieces, *one.pieces)) for one in lines[:1]]
            return Galley(tuple(lines), galley.has_broken_word, galley.missing)
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
        align = row.align or align
        room = width / (style.size * MM_PER_POINT) * 1000
        items, has_broken_word = self._break_row(row, room)
        lasts = balanced_breaks(items.begins, items.ends, items.hyphens, room, balance_last_line=align == "center")
        share = _share(row, align)
        lines = (self._place_segment(segment, style.size, room, share) for segment in line_segments(items, lasts))
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
        key = (paragraph, style._replace(size=1.0, language=style.language or self._language))
        row = self._row_cache.get(key)
        if row is None:
            row = self._row_cache[key] = shape_paragraph(paragraph, key[1], self._fonts, self._icons)
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
    def _place_segment(segment: Segment, size: float, room: float, share: float) -> Line:
        spare = max(0.0, room - segment.width) * share
        return place_line(segment, spare * size * MM_PER_POINT / 1000, 0.0, size)


# Limits of tightened leading: a fraction of the style's, and a multiple of the size.
_MIN_LEADING_SHARE, _MIN_LEADING = 0.9, 1.05
# Limit of space growth for justified lines, in thousandths of the size.
_MAX_SPACE_GROWTH = 700.0
# A single paragraph that is not a sentence is a title if its style has this size, in points, or a larger one: its lines
# are about equally long.
_TITLE = 10.0


def _sort_of_list(marker: ShapedRow | None) -> str:
    """Return whether a marker is that of a list with bullets or with numbers; nothing for none."""
    return "" if marker is None else "bullets" if marker.text.startswith("•") else "numbers"


@dataclass(slots=True)
class FitChoice:
    """Size (points), leading, and break items of a text.

    If the text does not fit, `broken` is the number of characters broken off from words wider than the box, and
    `widest` is the width of the widest word as a fraction of the box's width.
    """

    size: float
    leading: float
    row_items: list[BreakItems]
    fits: bool = True
    broken: int = 0
    widest: float = 0.0


class BoxLayout:
    """Layout of paragraphs in a box (mm), each with a row for every line break; `font` sets the line height.

    The rows of a list are indented behind their `markers`, of which each paragraph may have one.
    """

    def __init__(
        self,
        paragraphs: list[list[ShapedRow]],
        box: Box,
        style: Style,
        font: Font,
        markers: Sequence[ShapedRow | None] = (),
    ) -> None:
        if box.width <= 0 or box.height <= 0:
            raise ValueError(
                f"a text box must have a width and height greater than 0, not {box.width:g} x {box.height:g} mm"
            )
        self._rows = [row for rows in paragraphs for row in rows]
        self._markers = [
            marker if number == 0 else None
            for rows, marker in zip_longest(paragraphs, markers)
            for number in range(len(rows))
        ]
        # The indent of each row, in thousandths of the size: that of its list.
        self._indents: list[float] = []
        # The gap between paragraphs above each row, as a fraction of the size; items of a list have none between them.
        self._gaps: list[float] = []
        for sort, group in groupby(zip_longest(paragraphs, markers), key=lambda pair: _sort_of_list(pair[1])):
            members = [(rows, marker) for rows, marker in group if rows]
            indent = max([marker.pen_positions[-1] for _, marker in members if marker], default=0.0)
            for place, (rows, _) in enumerate(members):
                self._indents += [indent] * len(rows)
                self._gaps += [0.0 if sort and place else style.paragraph_gap, *[0.0] * (len(rows) - 1)]
        self._box, self._style, self._font = box, style, font
        # Letters with high or deep marks need more room than the font usually does.
        top, bottom = (
            max([row.top for row in self._rows], default=0.0),
            max([row.bottom for row in self._rows], default=0.0),
        )
        self._ascent, self._descent = max(font.ascent, top), max(font.descent, bottom)
        self._least_leading = self._ascent + self._descent if top or bottom else 0.0
        self._full_leading = max(style.leading, self._least_leading)

    def choose_fit(self, sizes: Sequence[float], languages: Iterable[str | None]) -> FitChoice:
        """Return the first of the descending `sizes` that fits.

        Languages of hyphenation are tried in order, each first with whole terms. If nothing fits, return the smallest
        size with the last language.
        """
        row_items: list[BreakItems] = []
        width = self._width(sizes[0]) + _EPSILON
        has_terms = any(run.is_term for row in self._rows for run in row.styled_runs)
        attempts = (
            (each, divides) for each in languages for divides in ((False, True) if each and has_terms else (True,))
        )
        for language, divides_terms in attempts:
            # A row that fits on one line needs no breaks.
            row_items = [
                single_item(row)
                if row.width <= width - indent
                else break_items(row, language, divides_terms=divides_terms)
                for row, indent in zip(self._rows, self._indents, strict=True)
            ]
            widest = self._widest(row_items)
            for size in sizes:
                leading = self._leading(row_items, widest, size)
                if leading is not None:
                    return FitChoice(size, leading, row_items)
        return self._overfull(row_items, sizes[-1])

    def _overfull(self, row_items: list[BreakItems], size: float) -> FitChoice:
        width = self._width(size)
        chops = [
            emergency_breaks(cut, max(1.0, width - indent) + _EPSILON)
            for cut, indent in zip(row_items, self._indents, strict=True)
        ]
        broken = sum(count for _, count in chops)
        widest = self._widest(row_items) / width
        return FitChoice(size, self._tightest, [cut for cut, _ in chops], fits=False, broken=broken, widest=widest)

    def _widest(self, row_items: Sequence[BreakItems]) -> float:
        """Return the width that the widest item needs with its indent."""
        return max([cut.widest + indent for cut, indent in zip(row_items, self._indents, strict=True)], default=0.0)

    @property
    def _tightest(self) -> float:
        """The smallest leading."""
        leading = self._full_leading
        return min(leading, max(leading * _MIN_LEADING_SHARE, _MIN_LEADING, self._least_leading))

    def typeset(self, choice: FitChoice, align: Align, valign: Valign, field: str) -> TypesetText:
        """Set the text with the chosen fit."""
        rows = [
            self._break_lines(cut, choice, align, indent)
            for cut, indent in zip(choice.row_items, self._indents, strict=True)
        ]
        height = self._height(sum(map(len, rows)), choice.size, choice.leading)
        # The y of the first baseline; 'middle' centers the capitals.
        box, em = self._box, choice.size * MM_PER_POINT
        top, spare = box.y + self._ascent * em, box.height - height
        if valign == "top" or spare < -_EPSILON_MM:
            first_baseline = top
        elif valign == "bottom":
            first_baseline = top + spare
        else:
            above, below = (self._ascent - self._font.cap_height) * em, self._descent * em
            # Nothing of capitals is outside the box if the room for other letters is.
            free = (-above, below) if self._style.caps and not self._least_leading else (0.0, 0.0)
            first_baseline = top + min(spare + free[1], max(free[0], (spare + below - above) / 2))
        lines = tuple(self._lines(rows, choice, align, first_baseline))
        share = height / self._box.height
        fill = min(1.0, share) if choice.fits else max(share, choice.widest)
        excess = 0 if choice.fits else self._excess(rows, choice)
        return TypesetText(
            lines, Fit(field, choice.size, fill, excess, missing_in_rows(self._rows), unknown_in_rows(self._rows))
        )

    def full_height(self, size: float) -> float:
        """Return the height (mm) of the text in a size (points), without hyphens, in a box that is high enough."""
        choice = self.choose_fit((size,), (None,))
        rows = zip(choice.row_items, self._indents, strict=True)
        lines = sum(len(self._break_lines(cut, choice, "left", indent)) for cut, indent in rows)
        return self._height(lines, size, self._full_leading)

    def _width(self, size: float) -> float:
        """Return the box's width in thousandths of the size."""
        return self._box.width / (size * MM_PER_POINT) * 1000

    def _height(self, lines: int, size: float, leading: float) -> float:
        """Return the height of lines from first ascent to last descent (mm)."""
        if not lines:
            return 0.0
        gaps = sum(self._gaps[1:])
        return (self._ascent + self._descent + (lines - 1) * leading + gaps) * size * MM_PER_POINT

    def _leading(self, row_items: list[BreakItems], widest: float, size: float) -> float | None:
        """Return the largest leading that fits, up to the style's, or None."""
        width = self._width(size)
        if widest > width + _EPSILON:
            return None
        indented = zip(row_items, self._indents, strict=True)
        lines = sum([len(greedy_breaks(cut.begins, cut.ends, width - indent)) for cut, indent in indented])
        spare = self._box.height - self._height(lines, size, self._full_leading)
        if spare >= 0:
            return self._full_leading
        if self._height(lines, size, self._tightest) > self._box.height + _EPSILON:
            return None
        return self._full_leading + spare / max(1, lines - 1) / (size * MM_PER_POINT)

    def _break_lines(self, items: BreakItems, choice: FitChoice, align: Align, indent: float) -> list[Segment]:
        """Break a paragraph into lines: balanced if it fits, else filled."""
        width = self._width(choice.size) - indent
        align = items.row.align or align
        if choice.fits:
            is_title = (
                len(self._rows) == 1
                and self._style.size >= _TITLE
                and not items.row.text.endswith((".", "!", "?", ":"))
            )
            evenly = is_title or align == "center"
            lasts = balanced_breaks(items.begins, items.ends, items.hyphens, width, balance_last_line=evenly)
        else:
            lasts = greedy_breaks(items.begins, items.ends, width)
        return line_segments(items, lasts)

    def _lines(self, rows: list[list[Segment]], choice: FitChoice, align: Align, baseline: float) -> Iterator[Line]:
        em = choice.size * MM_PER_POINT
        for number, row in enumerate(rows):
            if number:
                baseline += self._gaps[number] * em
            indent, marker = self._indents[number], self._markers[number]
            source = self._rows[number]
            own, backward = source.align, source.base == 1
            # Items of a list stand below each other, also in centered text.
            width, share = self._width(choice.size) - indent, float(backward) if indent else _share(source, align)
            for place, segment in enumerate(row):
                spare = width - segment.width
                if spare < 0.0:
                    spare = 0.0
                justified = (own or align) == "justify" and segment is not row[-1]
                space = _extra_space(spare, segment.spaces) if justified else 0.0
                before = (0.0 if backward else indent) + (0.0 if space else share * spare)
                x = self._box.x + before * em / 1000
                line = place_line(segment, x, baseline, choice.size, space=space)
                if marker and not place:
                    whole = Segment(marker, 0, len(marker.text))
                    at = self._box.right - _printed_width(marker) * em / 1000 if backward else self._box.x
                    line = Line((*place_line(whole, at, baseline, choice.size).pieces, *line.pieces))
                yield line
                baseline += choice.leading * em

    def _excess(self, rows: list[list[Segment]], choice: FitChoice) -> int:
        """Return the number of characters broken off or outside the box."""
        em = choice.size * MM_PER_POINT
        depth = (self._ascent + self._descent) * em
        outside = 0
        for number, row in enumerate(rows):
            if number:
                depth += self._gaps[number] * em
            for segment in row:
                if depth > self._box.height + _EPSILON:
                    outside += segment.stop - segment.start
                depth += choice.leading * em
        return max(1, min(choice.broken + outside, sum(len(row.text) for row in self._rows)))


def _extra_space(spare: float, spaces: int) -> float:
    """Return how much each space grows to fill a line."""
    return spare / spaces if spaces and spare <= spaces * _MAX_SPACE_GROWTH else 0.0


SIZE_STEP = 0.25
_EPSILON_MM = 1e-6
_ENDLESS_MM = 1e6
_ANCHOR_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def set_text(
    markup: str,
    box: Box,
    style: Style,
    fonts: Fonts,
    *,
    min_size: float,
    steps: Sequence[float] = (),
    align: Align = "left",
    valign: Valign = "top",
    field: str = "",
    icons: Icons | None = None,
    hyphenate: bool = True,
) -> TypesetText:
    """Set marked-up text in a box (mm), as large as fits.

    The leading is tightened first. Then the size shrinks to `min_size` (points): to the next of the descending `steps`,
    and below the last of them (or the style's size) by a quarter point at a time. If the
    text still does not fit, words are hyphenated, again from the style's size down. Text that does not fit even then is
    set at `min_size` beyond the box, and the fit counts the excess characters. A word wider than the box is broken; the
    characters broken off count as excess. Without a language of the style, only text that reads as English is
    hyphenated.

    Raises ValueError with a message for the user if a font or an icon's file cannot be used.
    """
    layout = _box_layout(markup, box, style, fonts, icons)
    choice = layout.choose_fit(
        _candidate_sizes((style.size, *steps), min_size), _hyphenation_languages(hyphenate, style.language, markup)
    )
    return layout.typeset(choice, align, valign, field)


def text_height(markup: str, width: float, style: Style, fonts: Fonts, icons: Icons | None = None) -> float:
    """Return the height (mm) of marked-up text in a width (mm), in the size and with the leading of the style.

    Raises ValueError as `set_text` does.
    """
    return _box_layout(markup, Box(0.0, 0.0, width, _ENDLESS_MM), style, fonts, icons).full_height(style.size)


def set_line(
    markup: str,
    x: float,
    y: float,
    style: Style,
    fonts: Fonts,
    *,
    anchor: Anchor = "start",
    max_width: float | None = None,
    min_size: float,
    steps: Sequence[float] = (),
    field: str = "",
    icons: Icons | None = None,
) -> TypesetText:
    """Set marked-up text on one line with its baseline at `y`.

    Its start, middle, or end is at `x` (mm). With a `max_width` (mm), the size shrinks as that of `set_text` does, down
    to `min_size`; the fit's `fill` is the used fraction of that width, and `excess` counts the characters beyond it.
    Paragraphs and lines are joined by a space. Raises ValueError as `set_text` does.
    """
    paragraphs = parse_markup(markup)
    joined: list[Paragraph] = []
    for part in (part for paragraph in paragraphs for part in split_lines(paragraph)):
        joined += [(Phrase(" "),), part] if joined else [part]
    row = shape_paragraph(
        tuple(part for paragraph in joined for part in paragraph), style, fonts, icons or built_in_icons()
    )
    segment = Segment(row, 0, len(row.text))
    size = _fitting_size(segment.width, max_width, _candidate_sizes((style.size, *steps), min_size))
    scale = size * MM_PER_POINT / 1000
    line = place_line(segment, x - _ANCHOR_SHARE[anchor] * segment.width * scale, y, size)
    fill = segment.width * scale / max_width if max_width else 0.0
    beyond = math.inf if max_width is None else max_width + _EPSILON_MM
    excess = sum((pen - row.tracking) * scale > beyond for pen in row.pen_positions)
    fit = Fit(field, size, fill, excess, row.missing, unknown_in_rows((row,)))
    return TypesetText((line,) if line.pieces else (), fit)


def _box_layout(markup: str, box: Box, style: Style, fonts: Fonts, icons: Icons | None) -> BoxLayout:
    icons = icons or built_in_icons()
    split = [split_marker(paragraph) for paragraph in parse_markup(markup)]
    paragraphs = [
        [row for line in split_lines(paragraph) if (row := shape_paragraph(line, style, fonts, icons)).text]
        for _, paragraph in split
    ]
    markers = [shape_paragraph((marker,), style, fonts, icons) if marker else None for marker, _ in split]
    font = fonts.font(style.family, style.bold, style.italic)
    return BoxLayout(paragraphs, box, style, font, markers)


def _hyphenation_languages(hyphenate: bool, language: str, markup: str) -> Iterator[str | None]:
    """Yield None, for text without hyphens, and then the language to hyphenate it in, if any."""
    yield None
    if hyphenate and (known := hyphenation_language(markup, language)):
        yield known


@lru_cache(maxsize=64)
def _candidate_sizes(steps: tuple[float, ...], smallest: float) -> tuple[float, ...]:
    """Return the sizes to try, descending: the given steps, and then smaller ones."""
    *larger, last = steps
    count = max(0, int((last - smallest) / SIZE_STEP))
    sizes = [*larger, *(last - SIZE_STEP * step for step in range(count + 1))]
    return tuple(sizes if sizes[-1] <= smallest else [*sizes, smallest])


def _fitting_size(width: float, max_width: float | None, sizes: Sequence[float]) -> float:
    """Return the largest size at which a line fits, else the smallest."""
    if max_width is None:
        return sizes[0]
    return next((size for size in sizes if width * size * MM_PER_POINT / 1000 <= max_width + _EPSILON_MM), sizes[-1])
