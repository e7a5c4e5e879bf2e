"""Sequence of guillotine cuts; equal parts are stacked and cut together.

Equal parts therefore share a step and the numbers of its cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from cardgen.units import Box

_PLACES = 6
# Edges closer than this are the same, in millimeters; the packer calculates in microns.
_TOLERANCE = 2e-3


class Direction(StrEnum):
    """Direction of a cut: top to bottom, or left to right."""

    VERTICAL = "upright"
    HORIZONTAL = "level"


class CutStep(NamedTuple):
    """Equal parts, and the cuts through each of them.

    `parts` are boxes on the sheet. `offsets` are the distances of the cuts from the parts' left or top edge, in
    millimeters and ascending; `numbers` are the numbers of the cuts in the same order. The farthest cut has the lowest
    number and comes first, so that all lengths are measured from the same edge.
    """

    parts: tuple[Box, ...]
    direction: Direction
    offsets: tuple[float, ...]
    numbers: tuple[int, ...]

    def cuts(self) -> Iterator[Cut]:
        """Yield every cut through every part, in cutting order."""
        for number, offset in sorted(zip(self.numbers, self.offsets, strict=True)):
            for part in self.parts:
                at = offset + (part.x if self.direction is Direction.VERTICAL else part.y)
                yield Cut(number, self.direction, at, part)


class Cut(NamedTuple):
    """Cut through a part; `at` is its x or y in millimeters."""

    number: int
    direction: Direction
    at: float
    part: Box


def plan_cuts(sheet: Box, cells: Sequence[Box]) -> tuple[CutStep, ...]:
    """Return the steps that cut all `cells` out of a sheet; millimeters.

    Raises ValueError with a message for the user if no sequence of edge-to-edge cuts does this.
    """
    steps: list[CutStep] = []
    pending = [(sheet, tuple(cells))] if cells else []
    number = 1
    while pending:
        stacks: dict[tuple[object, ...], list[_PartCuts]] = {}
        for part, inside in pending:
            plan = _plan_part(part, inside)
            if plan is not None:
                stacks.setdefault(plan.stack_key, []).append(plan)
        for plans in stacks.values():
            count = len(plans[0].offsets)
            numbers = tuple(range(number + count - 1, number - 1, -1))
            steps.append(CutStep(tuple(plan.part for plan in plans), plans[0].direction, plans[0].offsets, numbers))
            number += count
        pending = [rest for plans in stacks.values() for plan in plans for rest in plan.remaining]
    return tuple(steps)


class _PartCuts(NamedTuple):
    """Cuts of one part, and the remaining parts to cut further."""

    part: Box
    direction: Direction
    offsets: tuple[float, ...]
    remaining: tuple[tuple[Box, tuple[Box, ...]], ...]

    @property
    def stack_key(self) -> tuple[object, ...]:
        """Key that is equal for parts that can be cut together."""
        return (round(self.part.width, 3), round(self.part.height, 3), self.direction, _round_all(self.offsets))


def _plan_part(part: Box, cells: tuple[Box, ...]) -> _PartCuts | None:
    """Return all cuts through a part in one direction.

    None if the part is a finished piece.
    """
    across = _free_lines([(cell.x, cell.right) for cell in cells], part.x, part.right)
    down = _free_lines([(cell.y, cell.bottom) for cell in cells], part.y, part.bottom)
    if not across and not down:
        if len(cells) > 1:
            raise ValueError("no edge-to-edge cut separates these slots")
        return None
    vertical = _remaining_parts(part, cells, Direction.VERTICAL, across)
    horizontal = _remaining_parts(part, cells, Direction.HORIZONTAL, down)
    # Prefer the direction that gives more parts; if equal, the one with fewer cuts.
    if across and (not down or (len(vertical), -len(across)) > (len(horizontal), -len(down))):
        return _PartCuts(part, Direction.VERTICAL, tuple(at - part.x for at in across), vertical)
    return _PartCuts(part, Direction.HORIZONTAL, tuple(at - part.y for at in down), horizontal)


def _free_lines(spans: Iterable[tuple[float, float]], start: float, end: float) -> list[float]:
    """Return inner edges of spans that cut through no span, ascending."""
    lines: list[float] = []
    reach = start
    for first, last in sorted(spans):
        if first >= reach - _TOLERANCE:
            lines += [reach, first] if first > reach + _TOLERANCE else [reach]
        reach = max(reach, last)
    lines.append(reach)
    inner = (line for line in lines if start + _TOLERANCE < line < end - _TOLERANCE)
    return sorted({round(line, _PLACES) for line in inner})


def _remaining_parts(
    part: Box, cells: Sequence[Box], direction: Direction, lines: Sequence[float]
) -> tuple[tuple[Box, tuple[Box, ...]], ...]:
    """Return the parts between cuts with their cells, without waste."""
    vertical = direction is Direction.VERTICAL
    start, end = (part.x, part.right) if vertical else (part.y, part.bottom)
    parts = []
    for near, far in pairwise((start, *lines, end)):
        inside = tuple(
            cell for cell in cells if near - _TOLERANCE <= (cell.x if vertical else cell.y) < far - _TOLERANCE
        )
        if inside:
            box = Box(near, part.y, far - near, part.height) if vertical else Box(part.x, near, part.width, far - near)
            parts.append((box, inside))
    return tuple(parts)


def _round_all(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 3) for number in numbers)
