"""Sheets as little pictures of letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardgen.sheet.page import Slot
from cardgen.units import Box, Size


def picture(
    paper: Size, slots: Sequence[Slot], step: float, letter: Callable[[int], str] = lambda index: chr(97 + index)
) -> list[str]:
    """The paper in cells of `step` mm: a letter for each slot, a dot for bare paper."""
    columns, rows = int(paper.width // step), int(paper.height // step)
    return [
        "".join(_cell(slots, (column + 0.5) * step, (row + 0.5) * step, letter) for column in range(columns))
        for row in range(rows)
    ]


def drawn(paper: Size, boxes: Sequence[Box], step: float) -> list[str]:
    """A picture of boxes that are no slots yet."""
    return picture(paper, [Slot(box, box) for box in boxes], step)


def _cell(slots: Sequence[Slot], x: float, y: float, letter: Callable[[int], str]) -> str:
    inside = [
        index
        for index, slot in enumerate(slots)
        if slot.trim.x <= x < slot.trim.right and slot.trim.y <= y < slot.trim.bottom
    ]
    assert len(inside) <= 1, f"slots {inside} overlap"
    return letter(inside[0]) if inside else "."
