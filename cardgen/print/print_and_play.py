"""Print and play: one PDF with a cover, the rules, and all cards and pieces, each part of which begins on a leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from cardgen.deck.deck import kind_of, rules_of
from cardgen.print.output_formats import Batch, OutputJob, pdf_of, sides_of
from cardgen.print.render import Arrangement, RenderedCard, arrange, card_leaves, cut_list, sheets_if_packed, slug_of
from cardgen.print.request import PACKED
from cardgen.rulesets.pieces import Blank, Box, Dial, Mat, Proxy, Ruler, Token
from cardgen.sheet.leaf import (
    LABEL_STYLE,
    Anchor,
    Backs,
    Leaf,
    Link,
    PaperMark,
    SheetPage,
    Side,
    Stroke,
    TextMark,
    TypesetLine,
    pages_in_order,
    paper_leaves,
    whole_page,
)
from cardgen.sheet.sprue import PrinterMark
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import Phrase, Style
from cardgen.text.shaped_row import Icons
from cardgen.units import MM_PER_POINT, Shape, Size
from cardgen.units import Box as Area


class Text(NamedTuple):
    """A text to read, such as a rules summary, on its leaves."""

    title: str
    leaves: Sequence[Leaf[Any]]


class _Part(NamedTuple):
    """Leaves that are printed alike. `numbers` are those of the sheets to cut, as '3–5'."""

    title: str
    leaves: Sequence[Leaf[Any]]
    numbers: str = ""


CARDS, PIECES, ACCESSORIES = "Cards", "Pieces", "Boxes, mats, and dials"


def _part_of(card: RenderedCard) -> str:
    """Return the part of a card, by its kind: the values of cards that are drawn are freed."""
    kind, pack = kind_of(card.entry), rules_of(card.entry).pack
    if issubclass(kind.model, Box | Dial | Mat):
        return ACCESSORIES
    is_list = pack is not None and card.entry.kind in pack.kinds
    is_piece = kind.made_from or is_list or issubclass(kind.model, Blank | Proxy | Ruler | Token)
    return PIECES if is_piece or card.piece.shape is Shape.ROUND else CARDS


def print_and_play(
    jobs: Sequence[OutputJob], title: str, about: str, stem: str, texts: Sequence[Text], credited: Sequence[str] = ()
) -> Batch:
    """Return one PDF of all jobs and of texts to read, whose cover has a title, a line `about` it, and credits.

    Cards are packed where the project's grid would leave more than a third of its sheets bare, unless a layout was
    requested. Raises CardgenError as `arrange` does.
    """
    request, setup, fonts = jobs[0].request, jobs[0].setup, jobs[0].fonts
    arranged = {name: _arranged(cards, jobs[0]) for name, cards in _groups(jobs).items()}
    sheets = [sheet for each in arranged.values() for sheet in each.sheets]
    cuts = [leaf.front for leaf in cut_list(sheets, setup, slug_of(title, setup), fonts)] if sheets else []
    flattened = setup.sheet.backs in (Backs.NONE, Backs.GUTTERFOLD)
    parts = [_Part(text.title, _separate(text.leaves, n, flattened=flattened)) for n, text in enumerate(texts)]
    before = 0
    for name, each in arranged.items():
        count = len(each.sheets)
        slug = slug_of(f"{title} · {name}", each.printing)
        leaves = list(card_leaves(each, slug, before, len(sheets) - before - count))
        parts.append(_Part(name, leaves, _range(before + 1, count) if count else ""))
        before += count
    compositor = Compositor(fonts, Icons(), setup.language, setup.captions)
    leaves = _opening(parts, cuts, (title, about), credited, list(arranged.values()), compositor, request.sides)
    for number, part in enumerate(parts):
        first, *others = part.leaves
        anchor = Anchor(f"part-{number}", setup.captions.translate(part.title), 1)
        leaves += (first._replace(front=first.front._replace(text=(anchor, *first.front.text))), *others)
    pages = sides_of(leaves, request.sides) if request.sides else pages_in_order(leaves)
    job = jobs[0]._replace(cards=tuple(card for each in jobs for card in each.cards))
    return pdf_of(job, stem, title, leaves, pages)._replace(sheets=len(leaves))


def _groups(jobs: Sequence[OutputJob]) -> dict[str, list[RenderedCard]]:
    """Return the cards of each part, by its title; those of several games are apart."""
    games = {rules_of(card.entry).name for job in jobs for _, card in job.cards}
    groups: dict[str, list[RenderedCard]] = {}
    for part in (CARDS, PIECES, ACCESSORIES):
        for card in (card for job in jobs for _, card in job.cards):
            if _part_of(card) == part:
                name = f"{rules_of(card.entry).name}: {part.lower()}" if len(games) > 1 else part
                groups.setdefault(name, []).append(card)
    return groups


def _arranged(cards: Sequence[RenderedCard], job: OutputJob) -> Arrangement:
    """Return the sheets of a part: a grid, unless it leaves much bare that packing saves."""
    request, setup = job.request, job.setup
    grid = arrange(cards, request.qty, setup, request.sets)
    if request.layout is not None or sheets_if_packed([grid]) is None:
        return grid
    return arrange(cards, request.qty, setup._replace(layout=PACKED), request.sets)


def _separate(leaves: Sequence[Leaf[Any]], number: int, *, flattened: bool) -> list[Leaf[Any]]:
    """Return the leaves of a text, whose links and bookmarks do not get mixed up with those of other texts.

    If they are `flattened`, each page has a leaf of its own.
    """

    def separate(page: SheetPage[Any]) -> SheetPage[Any]:
        return page._replace(text=tuple(_within(mark, number) for mark in page.text))

    if flattened:
        pages = (page for leaf in leaves for page in leaf.printed_sides)
        return [Leaf(separate(page)._replace(side=Side.FRONT), is_plain=True) for page in pages]
    return [leaf._replace(front=separate(leaf.front), back=leaf.back and separate(leaf.back)) for leaf in leaves]


def _within(mark: TextMark, number: int) -> TextMark:
    if isinstance(mark, Anchor):
        return mark._replace(id=f"{number}/{mark.id}", level=mark.level and mark.level + 1)
    return mark._replace(id=f"{number}/{mark.id}") if isinstance(mark, Link) else mark


def _range(first: int, count: int) -> str:
    return f"{first}–{first + count - 1}" if count > 1 else str(first)


def _listed(pages: Iterable[int], *, halved: bool) -> str:
    """Return numbers of pages as the dialogs of printers take them; `halved` if the file has one side of each leaf."""
    numbers = list(dict.fromkeys((page + 1) // 2 for page in pages) if halved else pages)
    together = numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    return _range(numbers[0], len(numbers)) if together else ", ".join(map(str, numbers))


# The cover: contents with what to print them on, a scale bar, and the order of cuts.

_MARGIN, _GAP, _SCALE_BAR = 15.0, 4.0, 100.0
# The columns of the contents, as shares of the width.
_HEADINGS, _SHARES = ("Part", "Pages", "Sheets", "Paper and printer"), (0.36, 0.12, 0.12, 0.40)
_BODY = LABEL_STYLE._replace(size=9.0, colour="#000000")
_SMALL, _BOLD, _TITLE = _BODY._replace(size=8.0), _BODY._replace(bold=True), _BODY._replace(size=22.0, bold=True)
# Enlargements of the cover's type, of which the first that leaves it on one page is used.
_SCALES = (1.4, 1.3, 1.2, 1.1, 1.0)
_EDGES = {Backs.LONG_EDGE: "long", Backs.SHORT_EDGE: "short"}


def _opening(
    parts: Sequence[_Part],
    cuts: Sequence[SheetPage[Any]],
    heading: tuple[str, str],
    credited: Sequence[str],
    arranged: Sequence[Arrangement],
    compositor: Compositor,
    sides: str | None,
) -> list[Leaf[Any]]:
    """Return the leaves of the cover and the cut list; `sides` is the side of the leaves that the file has.

    How long the cover is decides on the numbers of pages, so it is set again until both agree.
    """
    paper, length, pages = parts[0].leaves[0].front.paper, 0, list[SheetPage[Any]]()
    two_sided = any(leaf.back is not None for part in parts for leaf in part.leaves)
    halved = two_sided and bool(sides)
    while not length or len(pages) > length:
        length = max(1, len(pages))
        before = length + len(cuts)
        first = before + before % 2 if two_sided else before
        listed = _listed(range(length + 1, before + 1), halved=halved) if cuts else ""
        has_pieces = any(part.title.lower().endswith((PIECES.lower(), ACCESSORIES.lower())) for part in parts)
        say = compositor.captions.translate
        rows = list(_rows(parts, first, before, say, has_cuts=bool(cuts), two_sided=two_sided, halved=halved))
        steps = list(_cutting_order(arranged, listed, has_pieces=has_pieces))
        for scale in _SCALES:
            cover = _Cover(paper, compositor, scale)
            cover.heading(*heading)
            cover.contents(rows)
            cover.scale_bar()
            cover.cutting_order(steps)
            cover.credits(credited)
            pages = cover.pages()
            if len(pages) == 1:
                break
    pages += [whole_page(paper) for _ in range(length - len(pages))]
    named = [page._replace(name=f"cover {n}" if n > 1 else "cover") for n, page in enumerate(pages, 1)]
    named += (page._replace(name=f"how to cut {n}") for n, page in enumerate(cuts, 1))
    return paper_leaves(named) if two_sided else [Leaf(page, is_plain=True) for page in named]


class _Row(NamedTuple):
    """A row of the contents; `link` is the anchor of its part."""

    cells: tuple[str, str, str, str]
    link: str = ""


def _rows(
    parts: Sequence[_Part],
    first: int,
    opening: int,
    say: Callable[[str], str],
    *,
    has_cuts: bool,
    two_sided: bool,
    halved: bool,
) -> Iterator[_Row]:
    """Yield the rows of the contents; `first` is the number of pages before the first part, `opening` without blanks.

    Blank pages are not listed, except between the leaves of a part that is printed on both sides.
    """
    sides = "both sides, flipped on the long edge" if two_sided and opening > 1 else "one side"
    own = f"{say('plain paper')}, {say(sides)}"
    cutting = " and cut list" if has_cuts else ""
    yield _Row((f"Cover{cutting}", _listed(range(1, opening + 1), halved=halved), "", own))
    at = first
    for number, part in enumerate(parts):
        end = at + len(part.leaves) * (2 if two_sided else 1)
        backs = any(leaf.back is not None for leaf in part.leaves)
        step = 2 if two_sided and not backs else 1
        pages = range(at + 1, end + 1 - (backs and part.leaves[-1].back is None), step)
        yield _Row(
            (part.title, _listed(pages, halved=halved), part.numbers, _how_to_print(part.leaves, say)), f"part-{number}"
        )
        at = end


def _how_to_print(leaves: Sequence[Leaf[Any]], say: Callable[[str], str]) -> str:
    """Return paper and settings of the printer for leaves."""
    is_plain = all(leaf.is_plain for leaf in leaves)
    backs = [leaf for leaf in leaves if leaf.back is not None]
    folded = any(leaf.front.side is Side.BOTH for leaf in leaves)
    stock = "plain paper, 80 g/m²" if is_plain else "paper, 120 to 160 g/m²" if folded else "card, 200 to 300 g/m²"
    edges = " or ".join(dict.fromkeys(f"the {_EDGES[leaf.flip]} edge" for leaf in backs))
    sides = f"both sides, flipped on {edges}" if backs else "one side, then folded and glued" if folded else "one side"
    return f"{say(stock)}; {say(sides)}"


def _cutting_order(arranged: Sequence[Arrangement], pages: str, *, has_pieces: bool) -> Iterator[str]:
    """Yield what to do with the sheets, in order; `pages` are those of the cut list."""
    sheets = [sheet for each in arranged for sheet in each.sheets]
    slots = [slot for sheet in sheets for _, slot in sheet.placed_pieces]
    if any(each.printing.sheet.backs is Backs.GUTTERFOLD for each in arranged):
        yield "Fold the sheets along the dashed lines, and glue the halves together."
    if pages:
        said = f"pages {pages} say" if "–" in pages else f"page {pages} says"
        yield f"Sheets with numbered cuts: cut in the order of the numbers, as {said}, from edge to edge."
    if any(not (sheet.sprue.cut_steps and PrinterMark.NUMBERS in sheet.sprue.marks) for sheet in sheets):
        yield "Sheets without numbers: cut along the marks, first across the whole sheet, and then each strip."
    if any(slot.shape is Shape.ROUND for slot in slots):
        yield "Round pieces: cut them apart before you punch them; those with a line around them are cut with scissors."
    if any(each.tiled for each in arranged):
        yield "Tiles of a larger piece: cut the left and the upper edge, and glue them row by row, A1, A2, and so on."
    if has_pieces:
        yield "Pieces and boxes: score the lines of folds before you fold them."


class _Cover:
    """The cover, set from top to bottom on as many pages as it needs."""

    def __init__(self, paper: Size, compositor: Compositor, scale: float) -> None:
        self._paper, self._compositor, self._scale = paper, compositor, scale
        self._width, self._y = paper.width - 2 * _MARGIN, _MARGIN
        self._pages: list[tuple[list[TextMark], list[PaperMark]]] = [([], [])]

    def pages(self) -> list[SheetPage[Any]]:
        """Return the pages that are set."""
        return [whole_page(self._paper, text, marks) for text, marks in self._pages]

    def heading(self, title: str, about: str) -> None:
        """Set the title, and the line about it."""
        self._row([(title, _TITLE, 0.0, self._width)])
        self._row([(about, _BODY, 0.0, self._width)])
        self._y += 2 * _GAP

    def contents(self, rows: Iterable[_Row]) -> None:
        """Set the contents, with links to the parts."""
        starts = [0.0, *accumulate(share * self._width for share in _SHARES[:-1])]
        widths = [share * self._width - _GAP for share in _SHARES]
        self._row([(head, _BOLD, x, width) for head, x, width in zip(_HEADINGS, starts, widths, strict=True)])
        for row in rows:
            self._rule()
            columns = zip(row.cells, (_BODY, _BODY, _BODY, _SMALL), starts, widths, strict=True)
            box = self._row(list(columns))
            if row.link:
                self._pages[-1][0].append(Link(box, row.link))
        self._rule()
        self._y += 2 * _GAP

    def scale_bar(self) -> None:
        """Set a bar of 100 mm, if the paper is wide enough, and what to print with."""
        text = "Print at 100% (“actual size”). Print each range of pages with its own settings."
        self._row([(text, _BODY, 0.0, self._width)])
        if self._width >= _SCALE_BAR:
            self._room(4 * _GAP)
            y = self._y + _GAP
            marks = self._pages[-1][1]
            marks.append(Stroke(_MARGIN, y, _MARGIN + _SCALE_BAR, y))
            for step in range(11):
                x = _MARGIN + _SCALE_BAR / 10 * step
                marks.append(Stroke(x, y, x, y - (2.0 if step % 5 else 3.5)))
            self._y = y + _GAP
            measure = "This bar is 100 mm long. If it is not on your paper, the printer has scaled the page."
            self._row([(measure, _SMALL, 0.0, self._width)])
        self._y += 2 * _GAP

    def cutting_order(self, steps: Iterable[str]) -> None:
        """Set the steps of cutting, with their numbers."""
        self._head("Order of cuts")
        indent = 6.0 * self._scale
        for number, step in enumerate(steps, 1):
            self._row([(f"{number}.", _BODY, 0.0, indent), (step, _BODY, indent, self._width - indent)])

    def credits(self, credited: Iterable[str]) -> None:
        """Set whom to credit, if anybody."""
        for number, each in enumerate(credited):
            if not number:
                self._y += 2 * _GAP
                self._head("Credits")
            self._row([(each, _SMALL, 0.0, self._width)])

    def _head(self, text: str) -> None:
        self._room(6 * _GAP)  # the heading stays with the first lines below it
        self._row([(text, _BOLD, 0.0, self._width)])

    def _row(self, cells: Sequence[tuple[str, Style, float, float]]) -> Area:
        """Set texts beside each other, each with its style, place, and width, and return the box around them."""
        columns = []
        for text, style, x, width in cells:
            said = Phrase(self._compositor.captions.translate(text))
            style = style._replace(size=style.size * self._scale)
            lines = self._compositor.set_paragraph((said,), style, width).lines
            leading = 1.3 * style.size * MM_PER_POINT
            columns.append([TypesetLine(line, _MARGIN + x, n * leading) for n, line in enumerate(lines, 1)])
        height = max((column[-1].y for column in columns if column), default=0.0) + 1.5 * self._scale
        self._room(height)
        self._pages[-1][0].extend(line.moved(0, self._y) for column in columns for line in column)
        box = Area(_MARGIN, self._y, self._width, height)
        self._y += height
        return box

    def _rule(self) -> None:
        self._pages[-1][1].append(Stroke(_MARGIN, self._y, _MARGIN + self._width, self._y))

    def _room(self, height: float) -> None:
        """Begin another page if there is no room for something on this one."""
        if self._y + height > self._paper.height - _MARGIN and any(self._pages[-1]):
            self._pages.append(([], []))
            self._y = _MARGIN
