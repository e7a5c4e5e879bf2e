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
_DIAGRAM_SCALE = 0.26
_GUTTER = 10.0
_BETWEEN = 8.0
_LEADING = 4.0
_HEAD, _LETTER = 9.0, 6.0
_STYLE = LABEL_STYLE._replace(size=8.0)
# The space after the numbers of cuts, and the least width of instructions, in millimeters.
_NUMBER_GAP, _LEAST_ROOM = 1.6, 25.0
_MAX_LETTERS = 12
# The words that are read again when a finished PDF is looked at, in each language of the captions.
FROM_LEFT, FROM_TOP, SHEET = "from the left", "from the top", ("Sheet", "Sheets")


class _Entry(NamedTuple):
    """One layout: heading with its sheets, sprue, and instructions, set in lines."""

    heading: str
    sprue: Sprue
    lines: tuple[TypesetLine, ...]
    folded: bool

    @property
    def sheet(self) -> Size:
        """The size of the sheet as it is cut, in millimeters."""
        width, height = self.sprue.paper
        return Size(width, height / 2 if self.folded else height)

    @property
    def height(self) -> float:
        """Height on the page, in millimeters."""
        depth = self.lines[-1].y if self.lines else 0.0
        return max(self.sheet.height * _DIAGRAM_SCALE, depth + 1.1 * _LEADING)


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
    entries = [
        _Entry(_heading(which, compositor.captions), sprue, tuple(_instructions(sprue, paper, compositor)), folded)
        for sprue, which in numbers.items()
    ]
    advice = Phrase(_advice(compositor.captions, folded=folded))
    lines = compositor.set_paragraph((advice,), _STYLE, paper.width - 2 * _MARGIN).lines
    pages = _pages(entries, paper, f"{title} · how to cut", lines)
    return tuple(Leaf(page, None, "how to cut", is_plain=True) for page in pages)


def _instructions(sprue: Sprue, paper: Size, compositor: Compositor) -> Iterator[TypesetLine]:
    """Yield the lines of instructions beside a diagram, from its top; numbers of cuts have a column of their own."""
    x = _MARGIN + sprue.paper.width * _DIAGRAM_SCALE + _GUTTER
    listed = _steps(sprue.cut_steps, compositor.captions)
    steps = [(compositor.set_line((Phrase(each),), _STYLE), text) for each, text in listed]
    indent = max((width for (_, width), _ in steps), default=0.0) + _NUMBER_GAP
    room = max(_LEAST_ROOM, paper.width - _MARGIN - x - indent)
    y = 0.9 * _LEADING
    for (number, _), text in steps:
        yield TypesetLine(number, x, y + _LEADING)
        for line in compositor.set_paragraph((Phrase(text),), _STYLE, room).lines:
            y += _LEADING
            yield TypesetLine(line, x + indent, y)


def _advice(captions: Captions, *, folded: bool) -> str:
    sentences = (
        *("Fold and glue the sheets first.",) * folded,
        "Cut in this order, always from edge to edge; lengths are millimeters from the edge that is named.",
        "Parts whose letters stand on one line are alike: cut them together.",
    )
    return " ".join(map(captions.translate, sentences))


def _pages(entries: Sequence[_Entry], paper: Size, title: str, advice: Sequence[Line]) -> Iterator[SheetPage[Any]]:
    """Yield pages with the entries below each other."""
    pending = list(entries)
    while pending:
        y = _MARGIN + (1 + len(advice)) * _LEADING
        marks: list[PaperMark] = [Label(title, _MARGIN, _MARGIN, anchor="start", size=_HEAD + 2)]
        text = [TypesetLine(line, _MARGIN, _MARGIN + (1.4 + n) * _LEADING) for n, line in enumerate(advice)]
        is_first = True
        while pending and (is_first or y + pending[0].height <= paper.height - _MARGIN):
            entry, is_first = pending.pop(0), False
            marks += chain(_diagram(entry, y), _letters(entry.sprue.cut_steps, y))
            x = _MARGIN + entry.sprue.paper.width * _DIAGRAM_SCALE + _GUTTER
            marks.append(Label(entry.heading, x, y + _LEADING * 0.7, anchor="start", size=_HEAD))
            text += (line.moved(0, y) for line in entry.lines)
            y += entry.height + _BETWEEN
        yield whole_page(paper, text, marks)


def _diagram(entry: _Entry, top: float) -> Iterator[Outline]:
    """Yield the outlines of a small diagram of the sheet as it is cut."""
    width, height = entry.sheet
    yield Outline(Box(_MARGIN, top, width * _DIAGRAM_SCALE, height * _DIAGRAM_SCALE), Shape.RECTANGLE, None)
    slots = entry.sprue.slots
    for slot, cell in zip(slots, cut_cells(slots), strict=True):
        yield Outline(_scaled_box(cell, top), Shape.RECTANGLE, None)
        if slot.shape is Shape.ROUND:
            yield Outline(_scaled_box(slot.trim, top), Shape.ROUND, None)


def _scaled_box(box: Box, top: float) -> Box:
    return Box(
        _MARGIN + box.x * _DIAGRAM_SCALE,
        top + box.y * _DIAGRAM_SCALE,
        box.width * _DIAGRAM_SCALE,
        box.height * _DIAGRAM_SCALE,
    )


def _letters(steps: Sequence[CutStep], top: float) -> Iterator[Label]:
    """Yield the letters of all parts that are cut further.

    Each is next to the letters of the parts that contain it.
    """
    lettered = [
        (letter, part)
        for step, letters in _lettered_steps(steps)
        for letter, part in zip(letters, step.parts, strict=True)
    ]
    for letter, part in lettered[1:]:
        depth = sum(_contains(other, part) for _, other in lettered) - 2
        small = _scaled_box(part, top)
        yield Label(letter, small.x + 1.6 + 3.2 * depth, small.y + small.height / 2 + 1, size=_LETTER)


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
