"""Sprues: layouts of slots on paper, and grids of equal cards."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from cardgen.sheet.bleed import bounding_box
from cardgen.sheet.cut_sequence import CutStep
from cardgen.sheet.leaf import Slot
from cardgen.units import Box, Size

# Height of the slug strip between the printable margin and the bleed, in millimeters.
SLUG_STRIP = 4.5
# Clockwise rotation of a turned piece, in degrees. Its lines then progress to the right: pdfium, and so Chrome, sorts
# text by position and would read lines that progress to the left backwards.
TURNED = 270
_TOLERANCE = 1e-6


class PrinterMark(StrEnum):
    """Marks that can be printed next to the slots."""

    TICKS = "ticks"
    NUMBERS = "numbers"
    RULE = "rule"
    CIRCLES = "circles"


# Circular cut lines are only for sheets that are cut with scissors.
USUAL_MARKS = (PrinterMark.TICKS, PrinterMark.NUMBERS, PrinterMark.RULE)


class Sprue(NamedTuple):
    """Slots on a paper, in reading order.

    `margin` is the unprintable margin in millimeters. The scale bar and slug line are in a free strip next to it: along
    the left edge if `slug_on_left`, otherwise at the foot. `cut_steps` are the numbered cuts, if any, and `marks` are
    printed next to the slots.
    """

    paper: Size
    slots: tuple[Slot, ...]
    margin: float
    slug_on_left: bool
    cut_steps: tuple[CutStep, ...] = ()
    marks: tuple[PrinterMark, ...] = USUAL_MARKS

    @property
    def trim(self) -> Box:
        """The bounding box of all trims."""
        return bounding_box(slot.trim for slot in self.slots)

    @property
    def bleed(self) -> Box:
        """The bounding box of all bleeds."""
        return bounding_box(slot.clip for slot in self.slots)


class _GridLayout(NamedTuple):
    """Grid of cards, possibly rotated, and the position of the slug line."""

    columns: int
    rows: int
    cell: Size
    turned: bool
    slug_on_left: bool
    strip: float

    @property
    def preference(self) -> tuple[int, bool, float]:
        """Sort key: more cards, then upright cards, then a wider slug strip."""
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
    """Return a centered grid of as many cards as fit.

    Cards are upright unless rotating them fits more. All lengths are in millimeters. `area` limits the cards to a part
    of the paper. Cards with `may_turn` False are rotated only if none fits upright. Raises ValueError with a message
    for the user if not even one card fits.
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
    """Return the bleed before and after a slot.

    Neighbors share the gap; outer edges have the full bleed.
    """
    inner = min(bleed, gap / 2)
    return (bleed if index == 0 else inner, bleed if index == count - 1 else inner)
