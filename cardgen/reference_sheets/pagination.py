"""Pages of a reference sheet: the largest type that fits, balanced columns, heads, feet, and trim marks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, stop_on_errors
from cardgen.face.theme import Theme
from cardgen.reference.document_tree import Document
from cardgen.reference_sheets.blocks import BlockSetter
from cardgen.reference_sheets.typography import Typography, leading, scale
from cardgen.sheet.columns import (
    Column,
    ColumnGrid,
    ItemContent,
    PageReference,
    TypesetItem,
    balance_columns,
    column_marks,
)
from cardgen.sheet.leaf import Anchor, Leaf, Link, SheetPage, Stroke, TextMark, TypesetLine, paper_leaves, whole_page
from cardgen.sheet.printer_marks import trim_marks
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import Line, Phrase, Run, Style
from cardgen.units import MAX_LENGTH, MM_PER_POINT, Box, Size, quantity


class Trim(NamedTuple):
    """Trim of a page: the edge of the paper to cut off, and the radius of the corners, in millimeters."""

    margin: float
    corners: float


SIZE_STEP = 0.25
# From this ratio of areas on, columns and pages are adapted to the paper; the grain absorbs rounding errors.
_CLEARLY, _GRAIN = 1.3, 0.05
MOST_COLUMNS = 4
# A page more is worth type that is larger by this, in points.
_CLEARLY_LARGER = 1.0
# The cost of a last page that is emptier than this, times its squared share, if there may be any number of pages.
_FULL_ENOUGH, _EMPTY_PAGE = 0.8, 200.0
# The cost of type one step smaller, compared with that of bad breaks, and the number of steps to try.
_SMALLER, _PATIENCE = 0.8, 8


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """Format of a sheet: paper, columns per page, page limit, type sizes.

    `body` is the smallest and the largest type size in points. `place` is where the format was specified. With
    `min_pages`, the sheet takes as few pages as possible, but no fewer than that. With `fewer_pages`, it takes fewer if
    that does not make its type smaller; with `more_pages`, more if that makes its type clearly larger. With a `trim`,
    pages have trim marks. `credit_height` is that of the credit in the foot, in mm.
    """

    paper: Size
    columns: int
    pages: int | None
    body: tuple[float, float]
    place: Place
    min_pages: int | None = None
    fewer_pages: bool = False
    more_pages: bool = False
    trim: Trim | None = None
    credit_height: float = 0.0

    def adapted_from(self, designed_for: Size) -> SheetFormat:
        """Adapt columns and pages to paper of another size than the design's.

        Columns stay about as wide, and the total area about the same: a sheet designed for two A4 pages with three
        columns gets up to four A5 pages with two columns. On larger paper, a sheet may take fewer pages. Paper of about
        the same size changes nothing.
        """
        share = (self.paper.width * self.paper.height) / (designed_for.width * designed_for.height)
        if 1 / _CLEARLY < share < _CLEARLY:
            return self
        wide = replace(self, paper=designed_for).column_width
        widths = {count: replace(self, columns=count).column_width for count in range(1, MOST_COLUMNS + 1)}
        columns = min(widths, key=lambda count: abs(math.log(max(widths[count], 1.0) / wide)))
        if self.pages is None:
            return replace(self, columns=columns)
        pages = math.ceil(self.pages / share - _GRAIN)
        least = min(pages, self.min_pages or self.pages)
        more = share < 1 and self.min_pages is None
        return replace(self, columns=columns, pages=pages, min_pages=least, fewer_pages=share > 1, more_pages=more)

    @property
    def small(self) -> bool:
        """True for paper smaller than A4, which has smaller margins and titles."""
        return self.paper.width * self.paper.height < 45_000

    @property
    def margin(self) -> float:
        """The margin on all sides, in mm."""
        return 9.0 if self.small else 10.0

    @property
    def gutter(self) -> float:
        """The space between columns, in mm."""
        return 5.0

    @property
    def column_width(self) -> float:
        """The width of a column, in mm."""
        return (self.paper.width - 2 * self.margin - (self.columns - 1) * self.gutter) / self.columns

    def head(self, page: int) -> float:
        """Return the height of a page's head, in mm below the margin.

        The first page has the title, the others a running head.
        """
        if page:
            return 7.0
        return 13.0 if self.small else 15.0

    @property
    def foot(self) -> float:
        """The height of the foot, in mm above the margin."""
        return max(7.0 if self.small else 5.0, self.credit_height + _ABOVE_CREDIT)

    def height(self, column: int) -> float:
        """Return the height of a column, in mm."""
        return self.paper.height - 2 * self.margin - self.head(column // self.columns) - self.foot

    @property
    def grid(self) -> ColumnGrid:
        """All available columns."""
        return ColumnGrid(self.columns, self.height, self.columns * self.pages if self.pages else None)


@dataclass(frozen=True, slots=True)
class PaginatedSheet:
    """A paginated document: columns, cost, typography, section pages, page count."""

    columns: tuple[Column[ItemContent], ...]
    cost: float
    typography: Typography
    sections: dict[str, int]
    count: int


def paginate(document: Document, sheet_format: SheetFormat, theme: Theme, compositor: Compositor) -> PaginatedSheet:
    """Set a document at the largest size that fits on its pages.

    Raises CardgenError if even the smallest size does not fit, or if something does not fit in a column.
    """
    smallest = Typography(theme, sheet_format.body[0])
    # Raise CardgenError for missing glyphs in title, subtitle, or credit.
    looks = ((document.title, smallest.title), (document.subtitle, smallest.subtitle))
    texts = [(text, look(smallest.size)) for text, look in (*looks, (document.credit, smallest.running))]
    missing = (
        (c, text) for text, look in texts for c in compositor.set_paragraph(((Phrase(text)),), look, MAX_LENGTH).missing
    )
    stop_on_errors(_missing_glyph(character, text, sheet_format.place) for character, text in missing)
    sheet_format = replace(sheet_format, credit_height=_credit_height(document, sheet_format, smallest, compositor))
    typographies = [Typography(theme, size) for size in _sizes(*sheet_format.body)]
    chosen: PaginatedSheet | None = None
    for pages in range(sheet_format.min_pages or sheet_format.pages or 1, (sheet_format.pages or 1) + 1):
        limited = replace(sheet_format, pages=pages if sheet_format.pages else None)
        best = _best_size(document, limited, typographies, compositor)
        if best is not None and not sheet_format.more_pages:
            return _on_fewer_pages(best, document, limited, typographies, compositor)
        if best and (chosen is None or best.typography.size >= chosen.typography.size + _CLEARLY_LARGER):
            chosen = best
    if chosen is not None:
        return chosen
    raise CardgenError(_too_long(document, sheet_format, typographies[-1], compositor))


def _on_fewer_pages(
    sheet: PaginatedSheet,
    document: Document,
    sheet_format: SheetFormat,
    typographies: Sequence[Typography],
    compositor: Compositor,
) -> PaginatedSheet:
    """Return the sheet on the fewest pages that hold the largest type."""
    candidates = [sheet]
    for pages in range(sheet.count - 1, 0, -1) if sheet_format.fewer_pages else ():
        fewer = _best_size(document, replace(sheet_format, pages=pages), typographies, compositor)
        if fewer is None:
            break
        candidates.append(fewer)
    return max(candidates, key=lambda each: (each.typography.size, -each.count))


def _best_size(
    document: Document, sheet_format: SheetFormat, typographies: Sequence[Typography], compositor: Compositor
) -> PaginatedSheet | None:
    """Return the document at the best size; None if none fits.

    `typographies` are sorted by size, the largest first. The best size is the largest that fits, or one slightly
    smaller with better breaks.
    """
    low, high = 0, len(typographies) - 1
    results: dict[int, PaginatedSheet | None] = {}
    while low < high:
        middle = (low + high) // 2
        results[middle] = _set_at_size(document, sheet_format, typographies[middle], compositor)
        low, high = (low, middle) if results[middle] else (middle + 1, high)
    fitting = []
    for step in range(_PATIENCE):
        at = low + step
        if at < len(typographies):
            result = (
                results[at] if at in results else _set_at_size(document, sheet_format, typographies[at], compositor)
            )
            fitting += [(result.cost + _SMALLER * step, result)] if result else []
            if not fitting or min(cost for cost, _ in fitting) <= _SMALLER * (step + 1):
                break
    return min(fitting, key=lambda each: each[0])[1] if fitting else None


def _sizes(least: float, most: float) -> Iterator[float]:
    """Yield the sizes to try, the largest first."""
    size = most
    while size > least:
        yield size
        size -= SIZE_STEP
    yield least


def _set_at_size(
    document: Document, sheet_format: SheetFormat, typography: Typography, compositor: Compositor
) -> PaginatedSheet | None:
    """Set the document at one size; None if that is too large."""
    setter = BlockSetter(typography, compositor)
    items = setter.document(document, sheet_format.column_width)
    balanced = balance_columns(items, sheet_format.grid)
    if balanced is None:
        return None
    columns = balanced.columns
    if setter.faults.broken_words or setter.faults.missing_glyphs:
        if typography.size > sheet_format.body[0] and not setter.faults.missing_glyphs:
            return None
        raise CardgenError(*_fault_diagnostics(setter, sheet_format))
    sections = {
        mark.id: column.number // sheet_format.columns + 1
        for column in columns
        for placed in column.items
        for mark in placed.item.content.marks
        if isinstance(mark, Anchor)
    }
    count = columns[-1].number // sheet_format.columns + 1
    cost = balanced.cost + (_last_page_cost(columns, sheet_format) if sheet_format.pages is None and count > 1 else 0.0)
    return PaginatedSheet(columns, cost, typography, sections, count)


def _last_page_cost(columns: Sequence[Column[ItemContent]], sheet_format: SheetFormat) -> float:
    """Return the cost of a last page whose longest column ends high up."""
    page = columns[-1].number // sheet_format.columns
    depth = max(column.depth for column in columns if column.number // sheet_format.columns == page)
    return _EMPTY_PAGE * max(0.0, _FULL_ENOUGH - depth / sheet_format.height(columns[-1].number)) ** 2


def _fault_diagnostics(setter: BlockSetter, sheet_format: SheetFormat) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each broken word and missing glyph."""
    for prose in dict.fromkeys(setter.faults.broken_words):
        message = f"a word is wider than its column: {_shorten(prose.plain_text)}"
        yield Diagnostic(
            Code.SHEET_TOO_LONG, message, prose.place or sheet_format.place, "use fewer columns, or shorter words"
        )
    for character, prose in setter.faults.missing_glyphs.items():
        yield _missing_glyph(character, prose.plain_text, prose.place or sheet_format.place)


def _credit_height(
    document: Document, sheet_format: SheetFormat, typography: Typography, compositor: Compositor
) -> float:
    """Return the height of the lines of the credit beside the widest page number, without what is below the last."""
    style, room = typography.running(_RUNNING), sheet_format.paper.width - 2 * sheet_format.margin
    room -= compositor.set_line((Phrase("88 / 88"),), style)[1] + _CREDIT_GAP if sheet_format.pages != 1 else 0.0
    lines = compositor.set_paragraph((Phrase(document.credit),), style, room).lines if document.credit else ()
    return (len(lines) - 1) * leading(style) + _CAPITALS * style.size * MM_PER_POINT if lines else 0.0


def _missing_glyph(character: str, text: str, place: Place) -> Diagnostic:
    message = f"'{_shorten(text)}' contains '{character}' (U+{ord(character):04X}), which no font has"
    return Diagnostic(Code.MISSING_SHEET_GLYPH, message, place, "use another character")


def _too_long(
    document: Document, sheet_format: SheetFormat, typography: Typography, compositor: Compositor
) -> Diagnostic:
    """Return a document's excess length at the smallest size.

    The diagnostic also names the longest section.
    """
    setter, width = BlockSetter(typography, compositor), sheet_format.column_width
    whole = _depth(setter.document(document, width))
    columns = sheet_format.columns * (sheet_format.pages or 1)
    room = sum(map(sheet_format.height, range(columns)))
    longest = max(document.sections, key=lambda section: _depth(setter.section(section, 1, width)))
    depth = _depth(setter.section(longest, 1, width))
    over = max(0.0, whole - room)
    excess = f"{over:.0f} mm too long" if over >= 1 else "but its blocks leave gaps at the ends of columns"
    pages = quantity(sheet_format.pages or 1, "page")
    message = (
        f"sheet does not fit on {pages} of {sheet_format.paper} even at {typography.size:g} pt: {whole:.0f} mm for "
        f"{columns} columns of {room:.0f} mm in total, {excess}"
    )
    related = ((longest.place, f"longest section: {depth:.0f} mm"),) if longest.place else ()
    advice = f"shorten '{longest.title}', or allow more pages, smaller type (body), or larger paper"
    return Diagnostic(Code.SHEET_TOO_LONG, message, sheet_format.place, advice, related=related)


def _depth(items: Sequence[TypesetItem]) -> float:
    return sum(item.height + item.space_above for item in items)


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"


# The space between the title and the subtitle, and between the credit and the page number, in millimeters.
_TITLE_GAP = _CREDIT_GAP = 4.0
# The size of the credit and the page number, in points, the height of their capitals as a fraction of it, and the space
# between the columns and the credit, in millimeters.
_RUNNING, _CAPITALS, _ABOVE_CREDIT = 6.75, 0.7, 2.4
# How far a link reaches above and below the baseline, in millimeters.
_LINK_ABOVE, _LINK_BELOW = 2.4, 0.8


def sheet_leaves(
    document: Document, sheet: PaginatedSheet, sheet_format: SheetFormat, compositor: Compositor
) -> list[Leaf[Any]]:
    """Return the leaves of a paginated document, with links and bookmarks."""
    return paper_leaves(_PageComposer(document, sheet, sheet_format, compositor).pages())


class _PageComposer:
    def __init__(
        self, document: Document, sheet: PaginatedSheet, sheet_format: SheetFormat, compositor: Compositor
    ) -> None:
        self._document, self._sheet, self._format, self._compositor = document, sheet, sheet_format, compositor
        self._left, self._right = sheet_format.margin, sheet_format.paper.width - sheet_format.margin

    def pages(self) -> list[SheetPage[Any]]:
        """Return the pages; on each, the head comes first and the foot last, as they are read."""
        form = self._format
        texts: list[list[TextMark]] = [
            [*(self._next_head() if n else self._first_head())] for n in range(self._sheet.count)
        ]
        for column in self._sheet.columns:
            page, place = divmod(column.number, form.columns)
            x = form.margin + place * (form.column_width + form.gutter)
            for mark in column_marks(column, x, form.margin + form.head(page), self._page_number):
                texts[page] += self._with_links(mark)
        return [self._page([*text, *self._foot(number)]) for number, text in enumerate(texts, 1)]

    def _page(self, text: Sequence[TextMark]) -> SheetPage[Any]:
        page: SheetPage[Any] = whole_page(self._format.paper, text)
        trim = self._format.trim
        if not trim:
            return page
        box = page.trim.expand(-trim.margin)
        return page._replace(trim=box, bleed=box, marks=tuple(trim_marks(box, page.paper, trim.corners)))

    def _first_head(self) -> Iterator[TextMark]:
        """Yield title and subtitle over a double rule."""
        small, typography = self._format.small, self._sheet.typography
        baseline, room = self._left + (6.4 if small else 7.4), self._right - self._left
        title, subtitle = self._document.title, self._document.subtitle
        styles = typography.title(17.0 if small else 22.0), typography.subtitle(9.0 if small else 11.0)
        share = min(1.0, room / (self._line(title, styles[0])[1] + self._line(subtitle, styles[1])[1] + _TITLE_GAP))
        yield TypesetLine(self._line(title, scale(styles[0], share))[0], self._left, baseline)
        line, width = self._line(subtitle, scale(styles[1], share))
        yield TypesetLine(line, self._right - width, baseline)
        below = baseline + (2.2 if small else 2.8)
        yield self._rule(below, "accent", 1.4)
        yield self._rule(below + 0.9, "gilt", 0.5)

    def _next_head(self) -> Iterator[TextMark]:
        """Yield the running head."""
        baseline, style = self._format.margin + 2.6, self._sheet.typography.title(8.5)
        share = min(1.0, (self._right - self._left) / self._line(self._document.title, style)[1])
        yield TypesetLine(self._line(self._document.title, scale(style, share))[0], self._left, baseline)
        yield self._rule(baseline + 1.6, "accent", 0.8)

    def _foot(self, number: int) -> Iterator[TextMark]:
        """Yield the page number at the right, and the credit at the left."""
        style, room = self._sheet.typography.running(_RUNNING), self._right - self._left
        baseline = self._format.paper.height - self._format.margin
        if self._sheet.count > 1:
            line, width = self._line(f"{number} / {self._sheet.count}", style)
            yield TypesetLine(line, self._right - width, baseline)
            room -= width + _CREDIT_GAP
        if self._document.credit:
            credit = self._compositor.set_paragraph((Phrase(self._document.credit),), style, room).lines
            for number_below, line in zip(reversed(range(len(credit))), credit, strict=True):
                yield TypesetLine(line, self._left, baseline - number_below * leading(style))

    def _with_links(self, mark: TextMark) -> Iterator[TextMark]:
        """Yield a mark, and the links in it."""
        yield mark
        if isinstance(mark, TypesetLine):
            for run in mark.line.pieces:
                if isinstance(run, Run) and run.link in self._sheet.sections:
                    top = mark.y + run.y - _LINK_ABOVE
                    yield Link(Box(mark.x + run.x, top, run.width, _LINK_ABOVE + _LINK_BELOW), run.link)

    def _page_number(self, reference: PageReference) -> TypesetLine:
        line, width = self._line(f"{reference.prefix}{self._sheet.sections[reference.id]}", reference.style)
        return TypesetLine(line, reference.x - width, reference.y)

    def _line(self, text: str, style: Style) -> tuple[Line, float]:
        return self._compositor.set_line((Phrase(text),), style)

    def _rule(self, y: float, colour: str, weight: float) -> Stroke:
        return Stroke(self._left, y, self._right, y, colour=self._sheet.typography.colour(colour), weight=weight)
