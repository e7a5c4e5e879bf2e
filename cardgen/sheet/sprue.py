"""The sprue, an arrangement of slots on paper; the grid for cards of one size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from cardgen.sheet.bleed import bounding_box
from cardgen.sheet.cut_sequence import CutStep
from cardgen.sheet.page import Slot
from cardgen.units import Box, Size

# What the rule and the ticks need between the printable margin and the bleed, in millimetres.
SLUG_STRIP = 4.5
# The angle of a piece that lies on its side, in degrees, clockwise. Its lines follow each other to the right:
# pdfium, and so Chrome, sorts text by its place and would read them backwards if they ran to the left.
TURNED = 270
_TOLERANCE = 1e-6


class PrinterMark(StrEnum):
    """What can be printed beside the slots."""

    TICKS = "ticks"
    NUMBERS = "numbers"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Sprue:
    """Slots on a paper, in reading order.

    `margin` is the rim that printers leave white, in millimetres. The rule and the legend stand in a free strip
    beside it: along the left edge where `upright_legend` is True, else along the foot. `steps` are the cuts that take
    the slots out, where they are numbered on the sheet, and `marks` is what is printed beside the slots.
    """

    paper: Size
    slots: tuple[Slot, ...]
    margin: float
    slug_on_left: bool
    cut_steps: tuple[CutStep, ...] = ()
    marks: tuple[PrinterMark, ...] = tuple(PrinterMark)

    @property
    def trim(self) -> Box:
        """The smallest box around all cut lines."""
        return bounding_box(slot.trim for slot in self.slots)

    @property
    def bleed(self) -> Box:
        """The smallest box around all that may be painted."""
        return bounding_box(slot.clip for slot in self.slots)


@dataclass(frozen=True, slots=True)
class _GridLayout:
    """Cards beside and below each other, turned by a quarter or not, and where the legend goes."""

    columns: int
    rows: int
    cell: Size
    turned: bool
    slug_on_left: bool
    strip: float

    @property
    def preference(self) -> tuple[int, bool, float]:
        """More cards first, then upright cards, then more room for the legend."""
        return (self.columns * self.rows, not self.turned, self.strip)


def grid_sprue(
    paper: Size,
    card: Size,
    *,
    margin: float,
    gap: float,
    bleed: float,
    area: Box | None = None,
    may_turn: bool = True,
) -> Sprue:
    """As many cards of one size as the paper takes, centred, upright where that costs no card.

    All lengths are millimetres. `area` limits the cards to a part of the paper. Cards that may not turn stand upright
    even where that costs some, unless the paper takes none so.
    Raises ValueError with a sentence for the user when not even one card fits.
    """
    area = area or Box(0, 0, paper.width, paper.height)
    layouts = [
        _grid_layout(
            area, card.swap_sides() if turned else card, margin, gap, bleed, turned=turned, slug_on_left=slug_on_left
        )
        for turned in (False, True)
        for slug_on_left in (True, False)
    ]
    unturned = [layout for layout in layouts if layout.columns * layout.rows and not (layout.turned or may_turn)]
    best = max(unturned or layouts, key=lambda layout: layout.preference)
    if not best.columns * best.rows:
        sheet = "half a sheet of" if area.height < paper.height else "paper of"
        raise ValueError(
            f"a card of {card} does not fit on {sheet} {paper} with a margin of {margin:g} mm; "
            "choose larger paper or a smaller margin"
        )
    return Sprue(paper, tuple(_grid_slots(area, best, gap, bleed)), margin, best.slug_on_left)


def _grid_layout(
    area: Box, cell: Size, margin: float, gap: float, bleed: float, *, turned: bool, slug_on_left: bool
) -> _GridLayout:
    strip = margin + bleed + SLUG_STRIP
    columns = _fits(area.width - 2 * (strip if slug_on_left else margin), cell.width, gap)
    rows = _fits(area.height - 2 * (margin if slug_on_left else strip), cell.height, gap)
    free = area.width - columns * cell.width if slug_on_left else area.height - rows * cell.height
    return _GridLayout(columns, rows, cell, turned, slug_on_left, free)


def _fits(space: float, side: float, gap: float) -> int:
    return max(0, int((space + gap + _TOLERANCE) // (side + gap)))


def _grid_slots(area: Box, layout: _GridLayout, gap: float, bleed: float) -> Iterator[Slot]:
    width, height = layout.cell
    left = area.x + (area.width - layout.columns * (width + gap) + gap) / 2
    top = area.y + (area.height - layout.rows * (height + gap) + gap) / 2
    for row in range(layout.rows):
        above, below = _bleeds(row, layout.rows, gap, bleed)
        for column in range(layout.columns):
            before, after = _bleeds(column, layout.columns, gap, bleed)
            trim = Box(left + column * (width + gap), top + row * (height + gap), width, height)
            clip = Box(trim.x - before, trim.y - above, width + before + after, height + above + below)
            yield Slot(trim, clip, TURNED if layout.turned else 0)


def _bleeds(index: int, count: int, gap: float, bleed: float) -> tuple[float, float]:
    """The bleed before and after a slot: neighbours share the gap, the outer edges have all of it."""
    inner = min(bleed, gap / 2)
    return (bleed if index == 0 else inner, bleed if index == count - 1 else inner)
