"""Pages of a reference sheet: the largest type that fits, balanced columns, trim marks, and the order of leaves."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.export.reference.blocks import BlockSetter
from cardgen.export.reference.typography import Anchor, ItemContent, TypesetItem, Typography
from cardgen.face.theme import Theme
from cardgen.quantity import quantity
from cardgen.reference.document_tree import Document
from cardgen.sheet.column_balancing import Column, ColumnGrid, balance_columns
from cardgen.text.copyfitting import Compositor
from cardgen.text.markup import Phrase
from cardgen.units import MAX_LENGTH, Box, Size, to_points

_COLOUR = "#444444"
_HAIRLINE = 0.25
# Distance of a mark from the trim, and from the edge of the paper, in millimeters.
_OFFSET = 0.7


class Trim(NamedTuple):
    """Trim of a page: the edge of the paper to cut off, and the radius of the corners, in millimeters."""

    margin: float
    corners: float

    def box(self, paper: Size) -> Box:
        """Return the trimmed page."""
        return Box(0, 0, *paper).expand(-self.margin)


def draw_trim(canvas: Canvas, trim: Trim, paper: Size) -> None:
    """Draw two marks at each corner outside the trim, and the arc of the corner inside; set the TrimBox."""
    box = trim.box(paper)
    canvas.setTrimBox(tuple(map(to_points, (box.x, box.y, box.right, box.bottom))))
    canvas.saveState()
    canvas.setStrokeColor(_COLOUR)
    canvas.setLineWidth(_HAIRLINE)
    for line in _marks(trim, paper):
        canvas.line(*map(to_points, line))
    radius = min(trim.corners, box.width / 2, box.height / 2)
    for x, y, start in _corners(box, radius) if radius else ():
        canvas.arc(*map(to_points, (x, y, x + 2 * radius, y + 2 * radius)), startAng=start, extent=90)
    canvas.restoreState()


def _marks(trim: Trim, paper: Size) -> Iterator[tuple[float, float, float, float]]:
    box, length = trim.box(paper), trim.margin - _OFFSET
    for x in (box.x, box.right):
        yield x, 0, x, length
        yield x, paper.height, x, paper.height - length
    for y in (box.y, box.bottom):
        yield 0, y, length, y
        yield paper.width, y, paper.width - length, y


def _corners(box: Box, radius: float) -> Iterator[tuple[float, float, int]]:
    """Yield the lower left corner of the box around each corner's circle, and where its arc starts in degrees."""
    right, high = box.right - 2 * radius, box.bottom - 2 * radius
    yield from ((box.x, box.y, 180), (right, box.y, 270), (right, high, 0), (box.x, high, 90))


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
    pages have trim marks.
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
        return 7.0 if self.small else 5.0

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
    _check_running_text(document, sheet_format, Typography(theme, sheet_format.body[0]), compositor)
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


def _check_running_text(
    document: Document, sheet_format: SheetFormat, typography: Typography, compositor: Compositor
) -> None:
    """Raise CardgenError for missing glyphs in title, subtitle, or credit."""
    looks = ((document.title, typography.title), (document.subtitle, typography.subtitle))
    texts = [(text, look(typography.size)) for text, look in (*looks, (document.credit, typography.running))]
    missing = (
        (c, text) for text, look in texts for c in compositor.set_paragraph(((Phrase(text)),), look, MAX_LENGTH).missing
    )
    stop_on_errors(_missing_glyph(character, text, sheet_format.place) for character, text in missing)


def _missing_glyph(character: str, text: str, place: Place) -> Diagnostic:
    message = f"'{_shorten(text)}' contains '{character}' (U+{ord(character):04X}), which its font does not have"
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


# Pages per folded sheet.
_PAGES_PER_SHEET = 4


def page_order(pages: int) -> Iterator[tuple[int, int]]:
    """Yield the left and right page of each side, counting from 0.

    Sheets are ordered from the outermost inward. Numbers from `pages` on are blank pages that fill the last sheet.
    """
    whole = -(-pages // _PAGES_PER_SHEET) * _PAGES_PER_SHEET
    for first in range(0, whole // 2, 2):
        yield whole - 1 - first, first
        yield first + 1, whole - 2 - first


def impose(document: bytes) -> bytes:
    """Return a PDF with two pages of `document` per side.

    Print it double-sided, flipped along the short edge. The same input gives the same bytes. Links and bookmarks, which
    are useless on paper, are removed.
    """
    with pikepdf.open(io.BytesIO(document)) as source:
        order = list(page_order(len(source.pages)))
    return side_by_side(document, order, info_from=document)


def side_by_side(document: bytes, sides: Iterable[Sequence[int]], *, info_from: bytes) -> bytes:
    """Return a PDF with these pages of `document` on each side, from left to right.

    Numbers that are not those of a page are blank. `info_from` is the document whose title and language it has.
    """
    with pikepdf.open(io.BytesIO(document)) as source, pikepdf.new() as imposed:
        _, _, width, height = (float(side) for side in source.pages[0].mediabox)
        wide = width
        for side in sides:
            wide = len(side) * width
            page = imposed.add_blank_page(page_size=(wide, height))
            operators = ""
            for place, number in enumerate(side):
                if 0 <= number < len(source.pages):
                    form = imposed.copy_foreign(source.pages[number].as_form_xobject())
                    page.add_resource(form, pikepdf.Name.XObject, pikepdf.Name(f"/Page{number + 1}"))
                    operators += f"q 1 0 0 1 {place * width:g} 0 cm /Page{number + 1} Do Q\n"
            _set_content(imposed, page, operators)
        _describe(imposed, info_from, "/DuplexFlipShortEdge" if wide > height else "/DuplexFlipLongEdge")
        out = io.BytesIO()
        imposed.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _set_content(imposed: pikepdf.Pdf, page: pikepdf.Page, operators: str) -> None:
    """Set the content of a page; one without any has no stream, as Ghostscript rejects streams of length zero."""
    if operators:
        page.obj.Contents = imposed.make_stream(operators.encode())
    else:
        del page.obj.Contents


def _describe(imposed: pikepdf.Pdf, document: bytes, duplex: str) -> None:
    """Take over title and language of a document, and say how to print the sides."""
    with pikepdf.open(io.BytesIO(document)) as source:
        for key, value in source.docinfo.items():
            imposed.docinfo[key] = str(value)
        imposed.Root.Lang = str(source.Root.Lang)
    imposed.Root.ViewerPreferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name(duplex))


# What a page number is if the back or the rest of a sheet is blank.
_BLANK = -1


def sides(lengths: Sequence[int], across: int) -> Iterator[tuple[int, ...]]:
    """Yield the pages on each side from left to right, for documents with these numbers of pages.

    Every document starts on a front. `across` pages are beside each other; backs are mirrored.
    """
    leaves: list[tuple[int, int]] = []
    first = 0
    for length in lengths:
        pages = [*range(first, first + length), *([_BLANK] * (length % 2))]
        leaves += zip(pages[::2], pages[1::2], strict=True)
        first += length
    for start in range(0, len(leaves), across):
        beside = [*leaves[start : start + across]]
        beside += [(_BLANK, _BLANK)] * (across - len(beside))
        yield tuple(front for front, _ in beside)
        yield tuple(back for _, back in reversed(beside))


def impose_leaves(documents: Sequence[bytes], across: int) -> bytes:
    """Return one PDF with the pages of all documents, which have the same size, for double-sided printing.

    Print it flipped along its long edge, or along the short one if the sides are landscape. The same input gives the
    same bytes. Links and bookmarks, which are useless on paper, are removed.
    """
    with pikepdf.new() as whole:
        lengths = []
        for document in documents:
            with pikepdf.open(io.BytesIO(document)) as source:
                lengths.append(len(source.pages))
                whole.pages.extend(source.pages)
        joined = io.BytesIO()
        whole.save(joined, deterministic_id=True)
    return side_by_side(joined.getvalue(), sides(lengths, across), info_from=documents[0])
