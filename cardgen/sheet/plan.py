"""Cut lists for people: every arrangement of sheets, small, with where to cut it and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from string import ascii_uppercase
from typing import Any

from cardgen.sheet.cutting import Direction, Step
from cardgen.sheet.imposition import Sheet
from cardgen.sheet.mixed import cells
from cardgen.sheet.page import Label, Outline, Page, Side
from cardgen.sheet.sprue import Mark, Sprue
from cardgen.units import MM_PER_POINT, Box, Shape, Size

_RIM = 15.0
_DIAGRAM = 0.26
_GUTTER = 10.0
_BETWEEN = 8.0
_LEADING = 4.0
_TEXT, _HEAD, _LETTER = 8.0, 9.0, 6.0
_A_LINE = 9
_LONGEST_RUN = 12


@dataclass(frozen=True, slots=True)
class _Entry:
    """One arrangement: the sheets that have it, and what is said about it."""

    heading: str
    sprue: Sprue
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """What it takes on the page, in millimetres."""
        return max(self.sprue.paper.height * _DIAGRAM, (len(self.lines) + 2) * _LEADING)


def cut_lists(sheets: Sequence[Sheet[Any]], title: str, *, folded: bool = False) -> tuple[Page[Any], ...]:
    """The pages that tell how to cut; none where no cut has a number. Sheets are `folded` before they are cut."""
    numbers: dict[Sprue, list[int]] = {}
    for number, sheet in enumerate(sheets, 1):
        if sheet.sprue.steps and Mark.NUMBERS in sheet.sprue.marks:
            numbers.setdefault(sheet.sprue, []).append(number)
    entries = [_Entry(_heading(which), sprue, tuple(_lines(sprue.steps))) for sprue, which in numbers.items()]
    if not entries:
        return ()
    return tuple(_pages(entries, sheets[0].sprue.paper, f"{title} · how to cut", _advice(folded=folded)))


def _advice(*, folded: bool) -> str:
    first = "Fold and glue the sheets first. " if folded else ""
    return (
        f"{first}Cut in this order, always from edge to edge; lengths are millimetres from the edge that is named. "
        "Parts whose letters stand on one line are alike: cut them together."
    )


def _pages(entries: Sequence[_Entry], paper: Size, title: str, advice: str) -> Iterator[Page[Any]]:
    """The entries below each other, on as many pages as they need."""
    waiting = list(entries)
    while waiting:
        y = _RIM + 3 * _LEADING
        outlines: list[Outline] = []
        labels = [Label(title, _RIM, _RIM, anchor="start", size=_HEAD + 2), *_paragraph(advice, paper)]
        while waiting and (not outlines or y + waiting[0].height <= paper.height - _RIM):
            entry = waiting.pop(0)
            outlines += _diagram(entry.sprue, y)
            labels += chain(_text(entry, y), _letters(entry.sprue.steps, y))
            y += entry.height + _BETWEEN
        whole = Box(0, 0, *paper)
        yield Page(paper, Side.FRONT, (), (), tuple(labels), whole, whole, tuple(outlines), name="how to cut")


def _paragraph(text: str, paper: Size) -> Iterator[Label]:
    """A text in lines that are not longer than the page is wide."""
    most = int((paper.width - 2 * _RIM) / (0.45 * _TEXT * MM_PER_POINT))
    line, at = "", _RIM + 1.4 * _LEADING
    for word in (*text.split(), ""):
        if not word or len(line) + len(word) + 1 > most:
            yield Label(line.strip(), _RIM, at, anchor="start", size=_TEXT)
            line, at = "", at + _LEADING
        line += f" {word}"


def _diagram(sprue: Sprue, top: float) -> Iterator[Outline]:
    """The sheet and its pieces, small."""
    yield Outline(Box(_RIM, top, sprue.paper.width * _DIAGRAM, sprue.paper.height * _DIAGRAM), Shape.RECTANGLE, None)
    for slot, cell in zip(sprue.slots, cells(sprue.slots), strict=True):
        yield Outline(_small(cell, top), Shape.RECTANGLE, None)
        if slot.shape is Shape.ROUND:
            yield Outline(_small(slot.trim, top), Shape.ROUND, None)


def _small(box: Box, top: float) -> Box:
    return Box(_RIM + box.x * _DIAGRAM, top + box.y * _DIAGRAM, box.width * _DIAGRAM, box.height * _DIAGRAM)


def _text(entry: _Entry, top: float) -> Iterator[Label]:
    x = _RIM + entry.sprue.paper.width * _DIAGRAM + _GUTTER
    yield Label(entry.heading, x, top + _LEADING * 0.7, anchor="start", size=_HEAD)
    for number, line in enumerate(entry.lines, 1):
        yield Label(line, x, top + _LEADING * (0.9 + number), anchor="start", size=_TEXT)


def _letters(steps: Sequence[Step], top: float) -> Iterator[Label]:
    """The letters of all parts that are cut further, each beside those of the parts that it is cut from."""
    named = [
        (letter, part) for step, letters in _named(steps) for letter, part in zip(letters, step.parts, strict=True)
    ]
    for letter, part in named[1:]:
        depth = sum(_holds(other, part) for _, other in named) - 2
        small = _small(part, top)
        yield Label(letter, small.x + 1.6 + 3.2 * depth, small.y + small.height / 2 + 1, size=_LETTER)


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x + 1e-6
        and outer.y <= inner.y + 1e-6
        and outer.right >= inner.right - 1e-6
        and outer.bottom >= inner.bottom - 1e-6
    )


def _lines(steps: Sequence[Step]) -> Iterator[str]:
    """What is cut, where it is measured from, and the lengths, in the order of the cuts."""
    for step, letters in _named(steps):
        edge = "left" if step.direction is Direction.UPRIGHT else "top"
        numbers = f"{step.numbers[-1]}–{step.numbers[0]}" if len(step.numbers) > 1 else str(step.numbers[0])
        lengths = [f"{offset:.1f}" for offset in reversed(step.offsets)]
        what = f"{numbers}:  {_run(letters)}, from the {edge}:"
        first, *rest = [lengths[start : start + _A_LINE] for start in range(0, len(lengths), _A_LINE)]
        yield f"{what}  {', '.join(first)}"
        yield from (f"      {', '.join(line)}" for line in rest)


def _named(steps: Sequence[Step]) -> Iterator[tuple[Step, tuple[str, ...]]]:
    """The steps with the names of their parts: the sheet, and A, B … AA, AB for what it is cut into."""
    number = -1
    for step in steps:
        letters = []
        for _ in step.parts:
            letters.append("the sheet" if number < 0 else _letter(number))
            number += 1
        yield step, tuple(letters)


def _letter(number: int) -> str:
    tens, ones = divmod(number, len(ascii_uppercase))
    return (ascii_uppercase[tens - 1] if tens else "") + ascii_uppercase[ones]


def _run(letters: Sequence[str]) -> str:
    return " ".join(letters) if len(letters) <= _LONGEST_RUN else f"{letters[0]} to {letters[-1]}"


def _heading(numbers: Iterable[int]) -> str:
    """'Sheet 3', or 'Sheets 1, 2 and 5 to 9'."""
    found = tuple(numbers)
    runs: list[list[int]] = []
    for number in found:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"Sheet{'s' if len(found) > 1 else ''} {', '.join(words)}"
