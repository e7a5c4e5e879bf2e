"""A document becomes pages: the largest type that fits, in columns that end on one line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.export.reference.setting import Setter
from cardgen.export.reference.strips import Anchor, Band, Content
from cardgen.export.reference.typography import Typography
from cardgen.face.theme import Theme
from cardgen.reference import codes
from cardgen.reference.tree import Document
from cardgen.sheet.columns import Column, Frame, arrange
from cardgen.text.galley import Compositor
from cardgen.text.markup import Phrase
from cardgen.units import LONGEST, Size

STEP = 0.25
# Paper that is so much larger or smaller than what a sheet was made for has other columns and pages.
_CLEARLY, _GRAIN = 1.3, 0.05
MOST_COLUMNS = 4
# What type that is one step smaller costs, measured against a break at a bad place, and how many steps are tried.
_SMALLER, _PATIENCE = 0.8, 8


@dataclass(frozen=True, slots=True)
class Format:
    """What a sheet is printed on: its paper, columns a page, how many pages it may take, and sizes of its body.

    `body` is the smallest and the largest size in points. `place` is where the format was asked for. With `fewest` it
    takes no more pages than it must, from so many on.
    """

    paper: Size
    columns: int
    pages: int | None
    body: tuple[float, float]
    place: Place
    fewest: int | None = None

    def scaled_from(self, meant: Size) -> Format:
        """The format on its paper, when columns and pages were thought out for another of clearly another size.

        Columns stay about as wide, and pages hold about as much: a sheet of two A4 pages in three columns has up to
        four A5 pages in two columns.
        """
        share = (self.paper.width * self.paper.height) / (meant.width * meant.height)
        if 1 / _CLEARLY < share < _CLEARLY:
            return self
        wide = replace(self, paper=meant).column_width
        widths = {count: replace(self, columns=count).column_width for count in range(1, MOST_COLUMNS + 1)}
        columns = min(widths, key=lambda count: abs(math.log(max(widths[count], 1.0) / wide)))
        if self.pages is None:
            return replace(self, columns=columns)
        pages = math.ceil(self.pages / share - _GRAIN)
        return replace(self, columns=columns, pages=pages, fewest=min(pages, self.fewest or self.pages))

    @property
    def small(self) -> bool:
        """True for paper smaller than A4: then margins and titles are smaller too."""
        return self.paper.width * self.paper.height < 45_000

    @property
    def margin(self) -> float:
        """The white around everything, in mm."""
        return 9.0 if self.small else 10.0

    @property
    def gutter(self) -> float:
        """Between columns, in mm."""
        return 5.0

    @property
    def column_width(self) -> float:
        """In mm."""
        return (self.paper.width - 2 * self.margin - (self.columns - 1) * self.gutter) / self.columns

    def head(self, page: int) -> float:
        """How deep the title reaches on the first page, and the running head on others, in mm from the margin."""
        if page:
            return 7.0
        return 13.0 if self.small else 15.0

    @property
    def foot(self) -> float:
        """How high the foot is, in mm from the margin."""
        return 7.0 if self.small else 5.0

    def height(self, column: int) -> float:
        """The height of a column, in mm."""
        return self.paper.height - 2 * self.margin - self.head(column // self.columns) - self.foot

    @property
    def frame(self) -> Frame:
        """All columns at hand."""
        return Frame(self.columns, self.height, self.columns * self.pages if self.pages else None)


@dataclass(frozen=True, slots=True)
class Pages:
    """A document on its pages: its columns and what it cost to break them, its look, where sections begin, how many."""

    columns: tuple[Column[Content], ...]
    cost: float
    typography: Typography
    sections: dict[str, int]
    count: int


def paginate(document: Document, sheet_format: Format, theme: Theme, compositor: Compositor) -> Pages:
    """Set a document at the largest size that fits its pages.

    Raises CardgenError when even the smallest does not, or when something does not go into a column.
    """
    _check_heads(document, sheet_format, Typography(theme, sheet_format.body[0]), compositor)
    sizes = list(_sizes(*sheet_format.body))
    for pages in range(sheet_format.fewest or sheet_format.pages or 1, (sheet_format.pages or 1) + 1):
        limited = replace(sheet_format, pages=pages if sheet_format.pages else None)
        best = _best(document, limited, [Typography(theme, size) for size in sizes], compositor)
        if best is not None:
            return best
    raise CardgenError(_too_long(document, sheet_format, Typography(theme, sizes[-1]), compositor))


def _best(
    document: Document, sheet_format: Format, looks: Sequence[Typography], compositor: Compositor
) -> Pages | None:
    """The document in one of the looks, which fall in size; None where none fits.

    It is the largest that fits, or one a little smaller whose columns break at better places.
    """
    low, high = 0, len(looks) - 1
    tried: dict[int, Pages | None] = {}
    while low < high:
        middle = (low + high) // 2
        tried[middle] = _set(document, sheet_format, looks[middle], compositor)
        low, high = (low, middle) if tried[middle] else (middle + 1, high)
    fitting = []
    for step in range(_PATIENCE):
        at = low + step
        if at < len(looks):
            found = tried[at] if at in tried else _set(document, sheet_format, looks[at], compositor)
            fitting += [(found.cost + _SMALLER * step, found)] if found else []
            if not fitting or min(cost for cost, _ in fitting) <= _SMALLER * (step + 1):
                break
    return min(fitting, key=lambda each: each[0])[1] if fitting else None


def _sizes(least: float, most: float) -> Iterator[float]:
    """The sizes to be tried, falling."""
    size = most
    while size > least:
        yield size
        size -= STEP
    yield least


def _set(document: Document, sheet_format: Format, typography: Typography, compositor: Compositor) -> Pages | None:
    """The document at one size, or None where that is too large."""
    setter = Setter(typography, compositor)
    strips = setter.document(document, sheet_format.column_width)
    arrangement = arrange(strips, sheet_format.frame)
    if arrangement is None:
        return None
    columns = arrangement.columns
    if setter.faults.torn or setter.faults.missing:
        if typography.size > sheet_format.body[0] and not setter.faults.missing:
            return None
        raise CardgenError(*_faulty(setter, sheet_format))
    sections = {
        mark.id: column.number // sheet_format.columns + 1
        for column in columns
        for placed in column.placed
        for mark in placed.strip.content.marks
        if isinstance(mark, Anchor)
    }
    count = columns[-1].number // sheet_format.columns + 1
    return Pages(columns, arrangement.cost, typography, sections, count)


def _faulty(setter: Setter, sheet_format: Format) -> Iterator[Diagnostic]:
    """A diagnostic for each text that holds a word wider than its column, and each character that cannot be drawn."""
    for prose in dict.fromkeys(setter.faults.torn):
        message = f"a word is wider than its column: {_shortened(prose.plain)}"
        yield Diagnostic(
            codes.TOO_LONG, message, prose.place or sheet_format.place, "use fewer columns, or other words"
        )
    for character, prose in setter.faults.missing.items():
        yield _without_glyph(character, prose.plain, prose.place or sheet_format.place)


def _check_heads(document: Document, sheet_format: Format, typography: Typography, compositor: Compositor) -> None:
    """Raise CardgenError for characters of title, subtitle and credit that their fonts lack."""
    looks = ((document.title, typography.title), (document.subtitle, typography.subtitle))
    found = [(text, look(typography.size)) for text, look in (*looks, (document.credit, typography.running))]
    missing = ((c, text) for text, look in found for c in compositor.set(((Phrase(text)),), look, LONGEST).missing)
    stop_on_errors(_without_glyph(character, text, sheet_format.place) for character, text in missing)


def _without_glyph(character: str, text: str, place: Place) -> Diagnostic:
    message = f"the font has no '{character}' (U+{ord(character):04X}) for '{_shortened(text)}'"
    return Diagnostic(codes.MISSING_GLYPH, message, place, "write another character")


def _too_long(document: Document, sheet_format: Format, typography: Typography, compositor: Compositor) -> Diagnostic:
    """By how much a document is too long at the smallest size, and which section is longest."""
    setter, width = Setter(typography, compositor), sheet_format.column_width
    whole = _depth(setter.document(document, width))
    columns = sheet_format.columns * (sheet_format.pages or 1)
    room = sum(map(sheet_format.height, range(columns)))
    longest = max(document.sections, key=lambda section: _depth(setter.section(section, 1, width)))
    depth = _depth(setter.section(longest, 1, width))
    over = max(0.0, whole - room)
    much = f"{over:.0f} mm of column too much" if over >= 1 else "its pieces leave too much room at the feet of columns"
    pages = "1 page" if sheet_format.pages == 1 else f"{sheet_format.pages} pages"
    message = (
        f"it does not fit {pages} of {sheet_format.paper} even at {typography.size:g} pt: {whole:.0f} mm for "
        f"{columns} columns of {room:.0f} mm together, {much}"
    )
    related = ((longest.place, f"the longest section: {depth:.0f} mm"),) if longest.place else ()
    advice = f"shorten '{longest.title}', or allow more pages, smaller type (body) or larger paper"
    return Diagnostic(codes.TOO_LONG, message, sheet_format.place, advice, related=related)


def _depth(strips: Sequence[Band]) -> float:
    return sum(strip.height + strip.gap for strip in strips)


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
