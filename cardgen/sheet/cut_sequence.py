"""The sequence of guillotine cuts; like parts are stacked and cut together.

Parts that are alike can lie on each other and be cut together; so they share a step, and the numbers of its cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from cardgen.units import Box

_PLACES = 6
# Edges nearer than this are one, in millimetres: the packer reckons in microns.
_TOLERANCE = 2e-3


class Direction(StrEnum):
    """How a cut runs over the sheet: from top to bottom, or from left to right."""

    VERTICAL = "upright"
    HORIZONTAL = "level"


@dataclass(frozen=True, slots=True)
class CutStep:
    """Parts that are alike, and the cuts through each of them.

    `parts` are boxes on the sheet. `offsets` says how far each cut lies from the parts' left or top edge, in
    millimetres and ascending; `numbers` are the cuts' numbers, in the same order. So that every length is taken from
    the same edge, the farthest cut comes first: it has the least number.
    """

    parts: tuple[Box, ...]
    direction: Direction
    offsets: tuple[float, ...]
    numbers: tuple[int, ...]

    def cuts(self) -> Iterator[Cut]:
        """Every cut through every part, in the order in which they are made."""
        for number, offset in sorted(zip(self.numbers, self.offsets, strict=True)):
            for part in self.parts:
                at = offset + (part.x if self.direction is Direction.VERTICAL else part.y)
                yield Cut(number, self.direction, at, part)


class Cut(NamedTuple):
    """One cut: its number, and where it runs through which part; `at` is its x or its y on the sheet."""

    number: int
    direction: Direction
    at: float
    part: Box


def plan_cuts(sheet: Box, cells: Sequence[Box]) -> tuple[CutStep, ...]:
    """The steps that cut all `cells` out of a sheet, in millimetres.

    Raises ValueError with a sentence for the user when no order of cuts from edge to edge does it.
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


@dataclass(frozen=True, slots=True)
class _PartCuts:
    """How one part is cut, and what of it has to be cut further."""

    part: Box
    direction: Direction
    offsets: tuple[float, ...]
    remaining: tuple[tuple[Box, tuple[Box, ...]], ...]

    @property
    def stack_key(self) -> tuple[object, ...]:
        """What is the same for parts that can be cut together."""
        return (round(self.part.width, 3), round(self.part.height, 3), self.direction, _round_all(self.offsets))


def _plan_part(part: Box, cells: tuple[Box, ...]) -> _PartCuts | None:
    """All cuts that go through a part in one direction; None when it is a piece already."""
    across = _free_lines([(cell.x, cell.right) for cell in cells], part.x, part.right)
    down = _free_lines([(cell.y, cell.bottom) for cell in cells], part.y, part.bottom)
    if not across and not down:
        if len(cells) > 1:
            raise ValueError("no cut runs from edge to edge between these slots")
        return None
    vertical = _remaining_parts(part, cells, Direction.VERTICAL, across)
    horizontal = _remaining_parts(part, cells, Direction.HORIZONTAL, down)
    # The direction that takes more apart comes first; where both do as much, the one that leaves fewer cuts.
    if across and (not down or (len(vertical), -len(across)) > (len(horizontal), -len(down))):
        return _PartCuts(part, Direction.VERTICAL, tuple(at - part.x for at in across), vertical)
    return _PartCuts(part, Direction.HORIZONTAL, tuple(at - part.y for at in down), horizontal)


def _free_lines(spans: Iterable[tuple[float, float]], start: float, end: float) -> list[float]:
    """The edges of spans, inside of a part, at which a cut goes through none of them; in ascending order."""
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
    """The parts that the cuts leave, without those that are waste, each with the cells in it."""
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
