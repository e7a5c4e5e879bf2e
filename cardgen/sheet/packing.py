"""Packing: pieces of mixed sizes on as few sheets as can be found, so that every cut runs from edge to edge.

A room is filled by blocks of like pieces, each in the corner of what is free; what a block leaves is cut in two from
edge to edge, along one side of the block or along the other. A beam of the best beginnings is followed, and the whole
is done in rounds: pieces that came onto sheets with much waste count more in the next one (sequential value correction,
Belov and Scheithauer). Nothing is drawn by chance or stopped by a clock: the same pieces always give the same sheets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.units import Box, Shape, Size

# The paper that a punch needs around a round piece, in millimetres.
PUNCH_ROOM = 3.0

_MICRONS = 1000
_TOLERANCE = 1e-6
# How many beginnings are followed, and how many may be looked at before no further round is tried.
_BEAM = 24
_PATIENCE = 40_000
# How strongly, and by how much at most, waste raises the worth of a piece from round to round.
_PULL = 1.3
_MOST_WANTED = 5.0


@dataclass(frozen=True, slots=True)
class Need:
    """So many pieces of one sort; `size` is that of the trim."""

    size: Size
    count: int
    shape: Shape = Shape.RECTANGLE
    may_turn: bool = True


class Laid(NamedTuple):
    """A piece on a sheet: the number of its need, its trim in the room, and whether it lies turned by a quarter."""

    need: int
    trim: Box
    turned: bool


@dataclass(frozen=True, slots=True)
class Filling:
    """The pieces on one sheet, in reading order, and the number of the room that they lie in."""

    room: int
    pieces: tuple[Laid, ...]


class _Kind(NamedTuple):
    """A way to lay pieces of one need: what a piece takes in microns, and what it counts."""

    need: int
    width: int
    height: int
    value: float
    turned: bool


class _Region(NamedTuple):
    x: int
    y: int
    width: int
    height: int


class _Block(NamedTuple):
    """Columns and rows of like pieces, from a region's corner."""

    kind: _Kind
    x: int
    y: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A sheet that is partly filled: what is free, what is left to lay, and how good it looks."""

    free: tuple[_Region, ...]
    left: tuple[int, ...]
    blocks: tuple[_Block, ...]
    value: float
    wasted: int


class TooLargeError(ValueError):
    """A piece is larger than every room; `need` is the number of its need."""

    def __init__(self, need: int) -> None:
        super().__init__(need)
        self.need = need


@dataclass(slots=True)
class _Labour:
    """How many beginnings were looked at: a clock that goes the same on every machine."""

    done: int = 0


def pack(needs: Sequence[Need], rooms: Sequence[Size], gap: float = 0.0) -> list[Filling]:
    """The sheets for all pieces, in millimetres; each fills one of the rooms that a sheet can offer.

    Raises TooLargeError when a piece is larger than every room.
    """
    regions = [_Region(0, 0, _microns(room.width + gap), _microns(room.height + gap)) for room in rooms]
    for number, need in enumerate(needs):
        if not any(_fits(kind, region) for kind in _kinds(number, need, gap, 1.0) for region in regions):
            raise TooLargeError(number)
    best: list[Filling] = []
    fewest, worths, labour = least(needs, rooms, gap), [1.0] * len(needs), _Labour()
    while not best or (len(best) > fewest and labour.done < _PATIENCE):
        found = _packed(needs, regions, gap, worths, labour)
        if not best or len(found) < len(best):
            best = found
        worths = _reweighed(worths, found)
    return best


def least(needs: Sequence[Need], rooms: Sequence[Size], gap: float = 0.0) -> int:
    """How many sheets there must be at the least, by area alone."""
    around = (2 * rim(need.shape, gap) for need in needs)
    area = sum(
        (need.size.width + more) * (need.size.height + more) * need.count
        for need, more in zip(needs, around, strict=True)
    )
    return math.ceil(area / max((room.width + gap) * (room.height + gap) for room in rooms) - _TOLERANCE)


def _packed(
    needs: Sequence[Need], rooms: Sequence[_Region], gap: float, worths: Sequence[float], labour: _Labour
) -> list[Filling]:
    """Sheet by sheet the best filling with what is left, as often as it can be repeated."""
    kinds = [kind for number, need in enumerate(needs) for kind in _kinds(number, need, gap, worths[number])]
    kinds.sort(key=lambda kind: (-kind.value, kind.need, kind.turned))
    left = [need.count for need in needs]
    sheets: list[Filling] = []
    while any(left):
        found, room = max(
            ((_filled(kinds, region, tuple(left), labour), number) for number, region in enumerate(rooms)),
            key=lambda each: (each[0].value, -each[1]),
        )
        used = Counter(dict.fromkeys(range(len(needs)), 0))
        for block in found.blocks:
            used[block.kind.need] += block.columns * block.rows
        times = min(have // used[number] for number, have in enumerate(left) if used[number])
        left = [have - times * used[number] for number, have in enumerate(left)]
        sheets += [Filling(room, _laid(found.blocks, needs, gap))] * times
    return sheets


def _reweighed(worths: Sequence[float], found: Sequence[Filling]) -> list[float]:
    """What the pieces count the next time: more for those that came onto sheets with much waste."""
    fullest = max(_area(filling) for filling in found)
    wants: dict[int, list[float]] = {}
    for filling in found:
        for each in filling.pieces:
            wants.setdefault(each.need, []).append(min(_MOST_WANTED, fullest / _area(filling)))
    return [
        worth * (1 + (sum(wants[number]) / len(wants[number])) ** _PULL) / 2 if number in wants else worth
        for number, worth in enumerate(worths)
    ]


def _area(filling: Filling) -> float:
    return sum(each.trim.width * each.trim.height for each in filling.pieces)


def _fits(kind: _Kind, region: _Region) -> bool:
    return kind.width <= region.width and kind.height <= region.height


def _filled(kinds: Sequence[_Kind], room: _Region, left: tuple[int, ...], labour: _Labour) -> _Beginning:
    """The best filling of a room that the beam finds."""
    beam, done = [_Beginning((room,), left, (), 0.0, 0)], []
    while beam:
        following: dict[tuple[tuple[_Region, ...], tuple[int, ...]], _Beginning] = {}
        for beginning in beam:
            if not beginning.free:
                done.append(beginning)
                continue
            for each in _continued(beginning, kinds):
                labour.done += 1
                known = following.get((each.free, each.left))
                if known is None or each.wasted < known.wasted:
                    following[each.free, each.left] = each
        beam = sorted(following.values(), key=_promise)[:_BEAM]
    return max(done, key=lambda each: (each.value, -len(each.blocks)))


def _promise(beginning: _Beginning) -> tuple[float, int]:
    """Little waste, and much that is filled already, come first."""
    still_free = sum(region.width * region.height for region in beginning.free)
    return (beginning.wasted - beginning.value * 0.05 + still_free * 0.05, len(beginning.blocks))


def _continued(beginning: _Beginning, kinds: Sequence[_Kind]) -> Iterator[_Beginning]:
    """All ways to go on in the region that became free last; one in which nothing fits is waste."""
    *others, region = beginning.free
    nothing = True
    for kind in kinds:
        most = beginning.left[kind.need]
        columns, rows = min(region.width // kind.width, most), min(region.height // kind.height, most)
        if not (columns and rows):
            continue
        nothing = False
        for across, down in _blocks(columns, rows, most):
            yield from _placed(beginning, tuple(others), region, kind, across, down)
    if nothing:
        waste = region.width * region.height
        yield _Beginning(tuple(others), beginning.left, beginning.blocks, beginning.value, beginning.wasted + waste)


def _blocks(columns: int, rows: int, most: int) -> Iterator[tuple[int, int]]:
    """How many beside and below each other: one row, one column, and as many of either as there are."""
    yield from dict.fromkeys(
        ((columns, min(rows, most // columns)), (min(columns, most // rows), rows), (columns, 1), (1, rows))
    )


def _placed(
    beginning: _Beginning, others: tuple[_Region, ...], region: _Region, kind: _Kind, columns: int, rows: int
) -> Iterator[_Beginning]:
    """A block in the region's corner, and what it leaves, cut in two in both ways."""
    width, height = columns * kind.width, rows * kind.height
    left = list(beginning.left)
    left[kind.need] -= columns * rows
    blocks = (*beginning.blocks, _Block(kind, region.x, region.y, columns, rows))
    value = beginning.value + kind.value * columns * rows
    x, y, wide, high = region
    beside = (_Region(x + width, y, wide - width, high), _Region(x + width, y, wide - width, height))
    below = (_Region(x, y + height, width, high - height), _Region(x, y + height, wide, high - height))
    for pair in zip(beside, below, strict=True):
        rest = sorted((each for each in pair if each.width and each.height), key=lambda each: each.width * each.height)
        yield _Beginning((*others, *rest), tuple(left), blocks, value, beginning.wasted)
        if len(rest) < 2:
            return


def _kinds(number: int, need: Need, gap: float, worth: float) -> tuple[_Kind, ...]:
    around = 2 * rim(need.shape, gap)
    # Upward, so that pieces never overlap; less than a micron between them is no gap.
    sides = (need.size.width + around, need.size.height + around)
    width, height = (math.ceil(side * _MICRONS - _TOLERANCE) for side in sides)
    value = width * height * worth
    upright = _Kind(number, width, height, value, turned=False)
    if not need.may_turn or width == height:
        return (upright,)
    return (upright, _Kind(number, height, width, value, turned=True))


def rim(shape: Shape, gap: float) -> float:
    """What a piece has around its trim on every side, in millimetres: half the gap, or room for the punch."""
    return gap / 2 if shape is Shape.RECTANGLE else max(PUNCH_ROOM, gap / 2)


def _microns(length: float) -> int:
    return round(length * _MICRONS)


def _laid(blocks: Sequence[_Block], needs: Sequence[Need], gap: float) -> tuple[Laid, ...]:
    laid = (each for block in blocks for each in _pieces(block, needs[block.kind.need], gap))
    return tuple(sorted(laid, key=lambda each: (each.trim.y, each.trim.x)))


def _pieces(block: _Block, need: Need, gap: float) -> Iterator[Laid]:
    kind, around = block.kind, rim(need.shape, gap)
    size = need.size.turned() if kind.turned else need.size
    for row in range(block.rows):
        for column in range(block.columns):
            x, y = block.x + column * kind.width, block.y + row * kind.height
            corner = (x / _MICRONS + around - gap / 2, y / _MICRONS + around - gap / 2)
            yield Laid(kind.need, Box(*corner, *size), kind.turned)
