"""Sheets as small text pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardgen.sheet.leaf import Slot
from cardgen.units import Box, Size


def picture(
    paper: Size, slots: Sequence[Slot], step: float, letter: Callable[[int], str] = lambda index: chr(97 + index)
) -> list[str]:
    """Return the paper as text, in cells of `step` mm.

    Letters are slots, and dots are empty paper.
    """
    columns, rows = int(paper.width // step), int(paper.height // step)
    return [
        "".join(_cell(slots, (column + 0.5) * step, (row + 0.5) * step, letter) for column in range(columns))
        for row in range(rows)
    ]


def drawn(paper: Size, boxes: Sequence[Box], step: float) -> list[str]:
    """Return a picture of boxes without slots."""
    return picture(paper, [Slot(box, box) for box in boxes], step)


def _cell(slots: Sequence[Slot], x: float, y: float, letter: Callable[[int], str]) -> str:
    inside = [
        index
        for index, slot in enumerate(slots)
        if slot.trim.x <= x < slot.trim.right and slot.trim.y <= y < slot.trim.bottom
    ]
    assert len(inside) <= 1, f"slots {inside} overlap"
    return letter(inside[0]) if inside else "."
