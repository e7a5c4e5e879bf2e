"""Tiles: a piece that is larger than the paper, divided over sheets that are glued together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil
from string import ascii_uppercase

from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.page import FaceT, Label, Layer, Placement, SheetPage, Side, Slot, Stroke
from cardgen.sheet.sprue import TURNED
from cardgen.units import Box, Size

# The strip that neighbors share, and the room for marks around a tile, in millimeters.
OVERLAP = 10.0
_MARKS = 7.0
_MARK_OFFSET, _MARK_LENGTH = 0.8, 4.0
_LABEL_DISTANCE = 4.4
_TITLE_SIZE = 7.0


@dataclass(frozen=True, slots=True)
class _Tiling:
    """A grid of equal tiles; `whole` is the piece as it lies on the sheets, perhaps rotated."""

    whole: Size
    columns: int
    rows: int
    turned: bool

    @property
    def count(self) -> int:
        """The number of sheets."""
        return self.columns * self.rows

    @property
    def tile(self) -> Size:
        """The size of a tile without bleed, with its overlap."""
        return Size(_share(self.whole.width, self.columns), _share(self.whole.height, self.rows))

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield row and column of each tile, in reading order."""
        return ((row, column) for row in range(self.rows) for column in range(self.columns))


def tile(
    pieces: Iterable[PrintPiece[FaceT]], size: Size, settings: SheetSettings, title: str
) -> Iterator[SheetPage[FaceT]]:
    """Yield the sheets of pieces, each tiled over as few sheets as possible.

    Tiles overlap by 10 mm. Each is cut at the left and at the top, and glued onto its neighbors, up to the dashed marks
    on them. Backs are left out. Raises ValueError with a message for the user if the paper is too small for tiles.
    """
    grid = _tiling(size, settings)
    for piece in pieces:
        for row, column in grid.cells():
            yield _page(piece, grid, row, column, settings, title)


def _tiling(size: Size, settings: SheetSettings) -> _Tiling:
    room = _room(settings)
    if min(room) < 4 * OVERLAP:
        raise ValueError(f"paper of {settings.paper} is too small for tiles; use larger paper or a smaller margin")
    options = (_Tiling(size, *_counts(size, room), turned=False), _turned(size, room))
    return min(options, key=lambda option: (option.count, option.turned))


def _turned(size: Size, room: Size) -> _Tiling:
    sides = size.swap_sides()
    return _Tiling(sides, *_counts(sides, room), turned=True)


def _room(settings: SheetSettings) -> Size:
    """Return the room for a tile without bleed on the paper."""
    edge = settings.margin + _MARKS + settings.bleed
    return Size(*(side - 2 * edge for side in settings.paper))


def _counts(size: Size, room: Size) -> tuple[int, int]:
    columns, rows = (_count(side, space) for side, space in zip(size, room, strict=True))
    return columns, rows


def _count(side: float, space: float) -> int:
    return max(ceil(round((side - OVERLAP) / (space - OVERLAP), 6)), 1)


def _share(side: float, count: int) -> float:
    return (side + (count - 1) * OVERLAP) / count


def _page(
    piece: PrintPiece[FaceT], grid: _Tiling, row: int, column: int, settings: SheetSettings, title: str
) -> SheetPage[FaceT]:
    """Return the sheet with one tile in its middle."""
    paper, size = settings.paper, grid.tile
    box = Box((paper.width - size.width) / 2, (paper.height - size.height) / 2, *size)
    left = box.x - column * (size.width - OVERLAP)
    top = box.y - row * (size.height - OVERLAP)
    clip = _with_bleed(box, grid, row, column, settings.bleed)
    slot = Slot(Box(left, top, *grid.whole), clip, TURNED if grid.turned else 0)
    name = _name(row, column)
    return SheetPage(
        paper=paper,
        side=Side.FRONT,
        placements=(Placement(piece.front, slot),),
        strokes=(*_cut_strokes(box, grid, row, column, clip), *_glue_strokes(box, grid, row, column, clip)),
        labels=tuple(_labels(clip, grid, row, column, f"{title} · {piece.name} · {name}")),
        trim=box,
        bleed=clip,
        correction=settings.front_correction,
        name=f"{piece.name} {name}",
        pieces=((piece.group, piece.name),) if (row, column) == (0, 0) else (),
    )


def _name(row: int, column: int) -> str:
    """Return the name of a tile: 'B3' is the third one of the second row."""
    letter = ascii_uppercase[row] if row < len(ascii_uppercase) else f"Z{row}-"
    return f"{letter}{column + 1}"


def _with_bleed(box: Box, grid: _Tiling, row: int, column: int, bleed: float) -> Box:
    """Return the tile with bleed at the edges of the piece."""
    left, top = (bleed if index == 0 else 0.0 for index in (column, row))
    right = bleed if column == grid.columns - 1 else 0.0
    bottom = bleed if row == grid.rows - 1 else 0.0
    return Box(box.x - left, box.y - top, box.width + left + right, box.height + top + bottom)


def _cut_strokes(box: Box, grid: _Tiling, row: int, column: int, clip: Box) -> Iterator[Stroke]:
    """Yield cut marks at the left and the top, and at the outer edges of the piece."""
    yield from _beside(clip, x=box.x)
    yield from _beside(clip, y=box.y)
    if column == grid.columns - 1:
        yield from _beside(clip, x=box.right)
    if row == grid.rows - 1:
        yield from _beside(clip, y=box.bottom)


def _glue_strokes(box: Box, grid: _Tiling, row: int, column: int, clip: Box) -> Iterator[Stroke]:
    """Yield dashed marks where the edges of the next tiles lie."""
    if column < grid.columns - 1:
        yield from _beside(clip, x=box.right - OVERLAP, dashed=True)
    if row < grid.rows - 1:
        yield from _beside(clip, y=box.bottom - OVERLAP, dashed=True)


def _beside(clip: Box, *, x: float | None = None, y: float | None = None, dashed: bool = False) -> Iterator[Stroke]:
    """Yield the marks of a vertical or horizontal line at both sides of what is painted."""
    layer = Layer.FOLDS if dashed else Layer.CUTS
    if x is not None:
        for near, far in ((clip.y - _MARK_OFFSET, -_MARK_LENGTH), (clip.bottom + _MARK_OFFSET, _MARK_LENGTH)):
            yield Stroke(x, near, x, near + far, dashed, layer)
    if y is not None:
        for near, far in ((clip.x - _MARK_OFFSET, -_MARK_LENGTH), (clip.right + _MARK_OFFSET, _MARK_LENGTH)):
            yield Stroke(near, y, near + far, y, dashed, layer)


def _labels(clip: Box, grid: _Tiling, row: int, column: int, title: str) -> Iterator[Label]:
    """Yield the name of a tile, and those of the tiles that are glued onto it."""
    middle, center = clip.x + clip.width / 2, clip.y + clip.height / 2
    place = f"row {row + 1} of {grid.rows}, column {column + 1} of {grid.columns}"
    yield Label(f"{title} · {place}", middle, clip.y - 2, size=_TITLE_SIZE)
    if column < grid.columns - 1:
        text = f"glue {_name(row, column + 1)} here, up to the dashed marks"
        yield Label(text, clip.right + _LABEL_DISTANCE - 2, center, turn=90)
    if row < grid.rows - 1:
        text = f"glue {_name(row + 1, column)} here, up to the dashed marks"
        yield Label(text, middle, clip.bottom + _LABEL_DISTANCE)
