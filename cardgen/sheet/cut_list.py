"""Cut list: pages that show where to cut each layout, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from string import ascii_uppercase
from typing import Any, NamedTuple

from cardgen.sheet.gang_sheet import cut_cells
from cardgen.sheet.imposition import ImposedSheet
from cardgen.sheet.leaf import LABEL_STYLE, Label, Leaf, Outline, PaperMark, SheetPage, TypesetLine, whole_page
from cardgen.sheet.sprue import CutStep, Direction, PrinterMark, Sprue
from cardgen.text.captions import Captions
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import Line, Phrase
from cardgen.units import Box, Shape, Size

_MARGIN = 15.0
_LEADING = 3.5
# Paper of this width has two layouts beside each other.
_WIDE_PAPER = 200.0
_HEAD, _LETTER = 9.0, 6.0
# How far the middle of a letter is from lines, in millimeters on the page.
_REACH = 1.1
_STYLE = LABEL_STYLE._replace(size=8.0)
# The space after the numbers of cuts, and the least width of instructions, in millimeters.
_NUMBER_GAP, _LEAST_ROOM = 1.6, 25.0
_MAX_LETTERS = 12
# The words that are read again when a finished PDF is looked at, in each language of the captions.
FROM_LEFT, FROM_TOP, SHEET = "from the left", "from the top", ("Sheet", "Sheets")


class _Grid(NamedTuple):
    """How entries stand on a page: columns, the scale of diagrams, and the space beside and below these."""

    columns: int
    scale: float
    gutter: float
    between: float


# A single layout, or narrow paper, has a larger diagram.
_ONE_COLUMN, _TWO_COLUMNS = _Grid(1, 0.26, 10.0, 8.0), _Grid(2, 0.195, 4.0, 6.0)


class _Entry(NamedTuple):
    """One layout: heading with its sheets, sprue, instructions, set in lines, and how it stands on the page."""

    heading: str
    sprue: Sprue
    lines: tuple[TypesetLine, ...]
    folded: bool
    grid: _Grid

    @property
    def sheet(self) -> Size:
        """The size of the sheet as it is cut, in millimeters."""
        width, height = self.sprue.paper
        return Size(width, height / 2 if self.folded else height)

    @property
    def height(self) -> float:
        """Height on the page, in millimeters."""
        depth = self.lines[-1].y if self.lines else 0.0
        return max(self.sheet.height * self.grid.scale, depth + 1.1 * _LEADING)

    @property
    def indent(self) -> float:
        """Where its words begin, from the left of its diagram."""
        return self.sheet.width * self.grid.scale + self.grid.gutter


def cut_list_leaves(
    sheets: Sequence[ImposedSheet[Any]], title: str, compositor: Compositor, *, folded: bool = False
) -> tuple[Leaf[Any], ...]:
    """Return the cut list of all sheets of a document; no leaves if no cuts are numbered.

    `folded` says that sheets are folded before they are cut.
    """
    numbers: dict[Sprue, list[int]] = {}
    for number, sheet in enumerate(sheets, 1):
        if sheet.sprue.cut_steps and PrinterMark.NUMBERS in sheet.sprue.marks:
            numbers.setdefault(sheet.sprue, []).append(number)
    if not numbers:
        return ()
    paper = sheets[0].sprue.paper
    grid = _TWO_COLUMNS if len(numbers) > 1 and paper.width >= _WIDE_PAPER else _ONE_COLUMN
    width = (paper.width - 2 * _MARGIN - (grid.columns - 1) * 2 * grid.gutter) / grid.columns
    bare = (_Entry(_heading(which, compositor.captions), sprue, (), folded, grid) for sprue, which in numbers.items())
    entries = [each._replace(lines=tuple(_instructions(each.sprue, width - each.indent, compositor))) for each in bare]
    advice = Phrase(_advice(compositor.captions, folded=folded))
    lines = compositor.set_paragraph((advice,), _STYLE, paper.width - 2 * _MARGIN).lines
    rows = [entries[at : at + grid.columns] for at in range(0, len(entries), grid.columns)]
    pages = _pages(rows, paper, f"{title} · how to cut", lines, width + 2 * grid.gutter)
    return tuple(Leaf(page, None, "how to cut", is_plain=True) for page in pages)


def _instructions(sprue: Sprue, width: float, compositor: Compositor) -> Iterator[TypesetLine]:
    """Yield the lines of instructions beside a diagram, from its top; numbers of cuts have a column of their own."""
    listed = _steps(sprue.cut_steps, compositor.captions)
    steps = [(compositor.set_line((Phrase(each),), _STYLE), text) for each, text in listed]
    indent = max((width for (_, width), _ in steps), default=0.0) + _NUMBER_GAP
    room = max(_LEAST_ROOM, width - indent)
    y = 0.9 * _LEADING
    for (number, _), text in steps:
        yield TypesetLine(number, 0.0, y + _LEADING)
        for line in compositor.set_paragraph((Phrase(text),), _STYLE, room).lines:
            y += _LEADING
            yield TypesetLine(line, indent, y)


def _advice(captions: Captions, *, folded: bool) -> str:
    sentences = (
        *("Fold and glue the sheets first.",) * folded,
        "Cut in this order, always from edge to edge; lengths are millimeters from the edge that is named.",
        "Parts whose letters stand on one line are alike: cut them together.",
    )
    return " ".join(map(captions.translate, sentences))


def _pages(
    rows: Sequence[Sequence[_Entry]], paper: Size, title: str, advice: Sequence[Line], step: float
) -> Iterator[SheetPage[Any]]:
    """Yield pages with the rows of entries below each other; in a row, each begins a `step` after the one before."""
    pending = list(rows)
    while pending:
        y = _MARGIN + (1 + len(advice)) * _LEADING
        marks: list[PaperMark] = [Label(title, _MARGIN, _MARGIN, anchor="start", size=_HEAD + 2)]
        text = [TypesetLine(line, _MARGIN, _MARGIN + (1.4 + n) * _LEADING) for n, line in enumerate(advice)]
        is_first = True
        while pending and (is_first or y + _height(pending[0]) <= paper.height - _MARGIN):
            row, is_first = pending.pop(0), False
            for column, entry in enumerate(row):
                left = _MARGIN + column * step
                x = left + entry.indent
                marks += chain(_diagram(entry, left, y), _letters(entry, left, y))
                marks.append(Label(entry.heading, x, y + _LEADING * 0.7, anchor="start", size=_HEAD))
                text += (line.moved(x, y) for line in entry.lines)
            y += _height(row) + row[0].grid.between
        yield whole_page(paper, text, marks)


def _height(row: Sequence[_Entry]) -> float:
    return max(entry.height for entry in row)


def _diagram(entry: _Entry, left: float, top: float) -> Iterator[Outline]:
    """Yield the outlines of a small diagram of the sheet as it is cut."""
    slots, scale = entry.sprue.slots, entry.grid.scale
    yield Outline(_scaled_box(Box(0, 0, *entry.sheet), left, top, scale), Shape.RECTANGLE, None)
    for slot, cell in zip(slots, cut_cells(slots), strict=True):
        yield Outline(_scaled_box(cell, left, top, scale), Shape.RECTANGLE, None)
        if slot.shape is Shape.ROUND:
            yield Outline(_scaled_box(slot.trim, left, top, scale), Shape.ROUND, None)


def _scaled_box(box: Box, left: float, top: float, scale: float) -> Box:
    return Box(left + box.x * scale, top + box.y * scale, box.width * scale, box.height * scale)


def _letters(entry: _Entry, left: float, top: float) -> Iterator[Label]:
    """Yield the letters of all parts that are cut further.

    Each is next to the letters of the parts that contain it, and clear of the lines around it if there is room.
    """
    slots, scale = entry.sprue.slots, entry.grid.scale
    cells = [*zip(slots, cut_cells(slots), strict=True)]
    reach = _REACH / scale
    lettered = [
        (letter, part)
        for step, letters in _lettered_steps(entry.sprue.cut_steps)
        for letter, part in zip(letters, step.parts, strict=True)
    ]
    for letter, part in lettered[1:]:
        depth = sum(_contains(other, part) for _, other in lettered) - 2
        x, y = part.x + 6.2 + 12.3 * depth, part.y + part.height / 2
        inside = next((slot for slot, cell in cells if _contains(cell, Box(x, y, 0, 0))), None)
        if inside and inside.shape is Shape.ROUND:
            square = inside.trim.expand(-0.15 * inside.trim.width)
            x = min(max(x, square.x + reach), square.right - reach)
            y = min(max(y, square.y + reach), square.bottom - reach)
        else:
            beside = [cell for _, cell in cells if cell.x < x < cell.right]
            y = _between(y, [edge for each in (part, *beside) for edge in (each.y, each.bottom)], reach)
            beside = [cell for _, cell in cells if cell.y < y < cell.bottom]
            x = _between(x, [edge for each in (part, *beside) for edge in (each.x, each.right)], reach)
        yield Label(letter, left + x * scale, top + y * scale + 0.7, size=_LETTER)


def _between(at: float, edges: Sequence[float], reach: float) -> float:
    """Return a place that is `reach` away from the edges around it, or else in the middle between them."""
    low = max((edge for edge in edges if edge <= at), default=at)
    high = min((edge for edge in edges if edge > at), default=at)
    return at if min(at - low, high - at) >= reach else (low + high) / 2


def _contains(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x + 1e-6
        and outer.y <= inner.y + 1e-6
        and outer.right >= inner.right - 1e-6
        and outer.bottom >= inner.bottom - 1e-6
    )


def _steps(steps: Sequence[CutStep], captions: Captions) -> Iterator[tuple[str, str]]:
    """Yield the numbers of cuts, and the instructions: parts, measuring edge, and lengths in cutting order."""
    for step, letters in _lettered_steps(steps):
        measured_from = captions.translate(FROM_LEFT if step.direction is Direction.VERTICAL else FROM_TOP)
        numbers = f"{step.numbers[-1]}–{step.numbers[0]}" if len(step.numbers) > 1 else str(step.numbers[0])
        lengths = ", ".join(f"{offset:.1f}" for offset in reversed(step.offsets))
        parts = " ".join(letters) if len(letters) <= _MAX_LETTERS else f"{letters[0]}–{letters[-1]}"
        yield f"{numbers}:", f"{parts or captions.translate('the sheet')}, {measured_from}: {lengths}"


def _lettered_steps(steps: Sequence[CutStep]) -> Iterator[tuple[CutStep, tuple[str, ...]]]:
    """Yield the steps with the names of their parts.

    The first part is the sheet, whose name is ''; the others are A, B, …, AA, AB.
    """
    number = -1
    for step in steps:
        letters = []
        for _ in step.parts:
            letters.append("" if number < 0 else _letter(number))
            number += 1
        yield step, tuple(letters)


def _letter(number: int) -> str:
    tens, ones = divmod(number, len(ascii_uppercase))
    return (ascii_uppercase[tens - 1] if tens else "") + ascii_uppercase[ones]


def _heading(numbers: Iterable[int], captions: Captions) -> str:
    """Return a heading, such as 'Sheet 3' or 'Sheets 1, 2'."""
    ordered = tuple(numbers)
    runs: list[list[int]] = []
    for number in ordered:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"{captions.translate(SHEET[len(ordered) > 1])} {', '.join(words)}"
