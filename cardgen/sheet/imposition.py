"""Imposition: pieces in the slots of sheets, one per page, or in tiles; pages in booklets and beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, Generic, NamedTuple

from cardgen.sheet.leaf import (
    Backs,
    FaceT,
    Leaf,
    Placement,
    SheetPage,
    Side,
    Slot,
    back_slot,
    beside,
    reading_flip,
    whole_page,
)
from cardgen.sheet.printer_marks import (
    TILE_MARKS,
    TILE_OVERLAP,
    SheetSide,
    Tile,
    bleed_area,
    mark_edge,
    sheet_marks,
    slug_line,
    tile_marks,
    tile_name,
)
from cardgen.sheet.sprue import TURNED, Sprue, bounding_box, grid_sprue, with_bleed, within
from cardgen.units import IDENTITY, Box, Matrix, Shape, Size


class PrintPiece(NamedTuple, Generic[FaceT]):
    """One printed copy: its front, and its back if it has one.

    `shape` is its outline, `may_turn` allows a quarter turn on the sheet, and `can_tile` several sheets for a piece
    that is larger. `name` and `group` are the card and its kind, for bookmarks.
    """

    front: FaceT
    back: FaceT | None = None
    shape: Shape = Shape.RECTANGLE
    may_turn: bool = True
    can_tile: bool = False
    name: str = ""
    group: str = ""

    @property
    def faces(self) -> tuple[FaceT, ...]:
        """The front, and the back if there is one."""
        return (self.front,) if self.back is None else (self.front, self.back)


class SheetSettings(NamedTuple):
    """Layout of sheets; lengths in millimeters.

    `back_bleed` is added to the bleed of backs. `front_correction` and `back_correction` correct the printer's
    misregistration.
    """

    paper: Size
    margin: float = 5.0
    gap: float = 0.0
    bleed: float = 3.0
    backs: Backs = Backs.LONG_EDGE
    back_bleed: float = 0.0
    front_correction: Matrix = IDENTITY
    back_correction: Matrix = IDENTITY

    @property
    def area(self) -> Box:
        """Area for fronts; on a gutterfold sheet, the upper half."""
        height = self.paper.height
        return Box(0, 0, self.paper.width, height / 2 if self.backs is Backs.GUTTERFOLD else height)


class ImposedSheet(NamedTuple, Generic[FaceT]):
    """Sprue with the pieces in its slots; None for an empty slot. `bleed` is that of its fronts, in millimeters."""

    sprue: Sprue
    pieces: tuple[PrintPiece[FaceT] | None, ...]
    bleed: float

    @property
    def placed_pieces(self) -> Iterator[tuple[PrintPiece[FaceT], Slot]]:
        """The pieces and their slots."""
        return ((piece, slot) for piece, slot in zip(self.pieces, self.sprue.slots, strict=False) if piece is not None)


def grid_sheets(pieces: Sequence[PrintPiece[FaceT]], card: Size, settings: SheetSettings) -> list[ImposedSheet[FaceT]]:
    """Impose pieces of one size in a grid, which has room for whole cut marks unless the pieces need it.

    Raises ValueError with a message for the user if the card does not fit on the paper.
    """
    sprue = grid_sprue(
        settings.paper,
        card,
        margin=settings.margin,
        gap=settings.gap,
        bleed=settings.bleed,
        area=settings.area,
        may_turn=all(piece.may_turn for piece in pieces),
        count=len(pieces),
        edge=mark_edge(settings.bleed),
    )
    return fill_sprue(sprue, pieces, settings.bleed)


def fill_sprue(sprue: Sprue, pieces: Sequence[PrintPiece[FaceT]], bleed: float) -> list[ImposedSheet[FaceT]]:
    """Return as many sheets of a sprue with equal slots as the pieces need."""
    step = len(sprue.slots)
    return [ImposedSheet(sprue, tuple(pieces[start : start + step]), bleed) for start in range(0, len(pieces), step)]


def sheet_leaves(
    sheets: Sequence[ImposedSheet[FaceT]], settings: SheetSettings, title: str, before: int = 0, after: int = 0
) -> Iterator[Leaf[FaceT]]:
    """Yield the leaves of all sheets of a document, in which others are `before` or `after` them; numbers begin with 1.

    A piece without a back leaves its slot on the back empty; the back of a sheet without any is blank.
    """
    for number, sheet in enumerate(sheets, before + 1):
        yield _leaf(sheet, settings, str(number), f"{title} · {number}/{before + len(sheets) + after}")


def _leaf(sheet: ImposedSheet[FaceT], settings: SheetSettings, name: str, title: str) -> Leaf[FaceT]:
    """Return the leaf of a sheet; one to fold has both sides on its front."""
    sprue = sheet.sprue
    fronts = [Placement(piece.front, slot, piece.name) for piece, slot in _front_slots(sheet)]
    backs: list[Placement[FaceT]] = []
    if settings.backs is not Backs.NONE:
        backs = [Placement(back, slot, name) for back, slot, name in _back_slots(sheet, settings)]
    pieces = tuple((piece.group, piece.name) for piece, _ in sheet.placed_pieces)
    if settings.backs is Backs.GUTTERFOLD:
        both = _filled_page(Side.BOTH, [*fronts, *backs], sprue, settings, title)
        return Leaf(both._replace(pieces=pieces), None, name)
    front = _filled_page(Side.FRONT, fronts, sprue, settings, title)._replace(pieces=pieces)
    back = _filled_page(Side.BACK, backs, sprue, settings, title) if backs else None
    return Leaf(front, back, name, settings.backs)


def _front_slots(sheet: ImposedSheet[FaceT]) -> Iterator[tuple[PrintPiece[FaceT], Slot]]:
    """Yield the pieces and their slots.

    Beside an empty slot, a piece has its full bleed.
    """
    placed = tuple(sheet.placed_pieces)
    slots = tuple(slot for _, slot in placed)
    area = bleed_area(slots, sheet.sprue)
    slots = within(slots, area) if len(placed) == len(sheet.sprue.slots) else with_bleed(slots, sheet.bleed, area)
    yield from zip((piece for piece, _ in placed), slots, strict=True)


def _back_slots(sheet: ImposedSheet[FaceT], settings: SheetSettings) -> Iterator[tuple[FaceT, Slot, str]]:
    """Yield the backs, their slots, and the names of their cards.

    Backs may bleed farther than fronts.
    """
    sprue = sheet.sprue
    placed = tuple((piece.back, slot, piece.name) for piece, slot in sheet.placed_pieces if piece.back is not None)
    plain = tuple(slot for _, slot, _ in placed)
    slots = with_bleed(plain, sheet.bleed + settings.back_bleed, bleed_area(plain, sprue))
    for (back, _, name), slot in zip(placed, slots, strict=True):
        yield back, back_slot(slot, sprue.paper, settings.backs), name


def _filled_page(
    side: Side, placements: Sequence[Placement[FaceT]], sprue: Sprue, settings: SheetSettings, title: str
) -> SheetPage[FaceT]:
    slots = tuple(placement.slot for placement in placements)
    page = _marked_page(side, slots, sprue, settings)
    marks = (*page.marks, *slug_line(sprue, f"{title} {side}"))
    return page._replace(placements=tuple(placements), marks=marks)


# The sheets of a deck have the same marks.
@lru_cache(maxsize=64)
def _marked_page(side: Side, slots: tuple[Slot, ...], sprue: Sprue, settings: SheetSettings) -> SheetPage[Any]:
    """Return a page with marks for the slots, but without faces."""
    return SheetPage(
        paper=sprue.paper,
        side=side,
        placements=(),
        marks=sheet_marks(SheetSide(side, slots, sprue, settings.backs)),
        trim=bounding_box(slot.trim for slot in slots),
        bleed=bounding_box(slot.clip for slot in slots),
        correction=settings.back_correction if side is Side.BACK else settings.front_correction,
    )


def impose_single(
    pieces: Iterable[PrintPiece[FaceT]], card: Size, bleed: float, *, backs: bool = True, radius: float = 0.0
) -> Iterator[Leaf[FaceT]]:
    """Yield one leaf per piece, of its size with its bleed; lengths are in millimeters.

    Both sides are upright, and backs are left out unless there are to be `backs`. Without bleed, round pieces are
    cropped to their circle, and others to corners of a `radius`.
    """
    for piece in pieces:
        front = _single_page(piece.front, Side.FRONT, piece, card, bleed, radius)
        if piece.name:
            front = front._replace(pieces=((piece.group, piece.name),))
        face = piece.back if backs else None
        back = None if face is None else _single_page(face, Side.BACK, piece, card, bleed, radius)
        yield Leaf(front, back, piece.name, reading_flip(front.paper))


def _single_page(
    face: FaceT, side: Side, piece: PrintPiece[FaceT], card: Size, bleed: float, radius: float
) -> SheetPage[FaceT]:
    paper = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    trim, whole = Box(bleed, bleed, *card), Box(0, 0, *paper)
    shape = Shape.RECTANGLE if bleed else piece.shape
    placements = (Placement(face, Slot(trim, whole, shape=shape, radius=0.0 if bleed else radius), piece.name),)
    return SheetPage(paper, side, placements, (), trim, whole)


# Tiles: a piece that is larger than the paper, divided over sheets that are glued together.


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


def tile(pieces: Iterable[PrintPiece[FaceT]], size: Size, settings: SheetSettings, title: str) -> Iterator[Leaf[FaceT]]:
    """Yield the leaves of pieces, each tiled over as few sheets as possible.

    Tiles overlap by 10 mm. Each is cut at the left and at the top, and glued onto its neighbors, up to the dashed marks
    on them. Backs are left out. Raises ValueError with a message for the user if the paper is too small for tiles.
    """
    grid = tiling(size, settings)
    for piece in pieces:
        for row, column in grid.cells():
            page = _page(piece, grid, row, column, settings, title)
            yield Leaf(page, None, f"{piece.name} {tile_name(row, column)}")


def tiling(size: Size, settings: SheetSettings) -> _Tiling:
    """Return the grid of tiles of a piece. Raises ValueError with a message for the user if the paper is too small."""
    # The room for a tile without bleed on the paper.
    edge = settings.margin + TILE_MARKS + settings.bleed
    room = Size(*(side - 2 * edge for side in settings.paper))
    if min(room) < 4 * TILE_OVERLAP:
        raise ValueError(f"paper of {settings.paper} is too small for tiles; use larger paper or a smaller margin")
    sides = size.swap_sides()
    options = (_Tiling(size, *_counts(size, room), turned=False), _Tiling(sides, *_counts(sides, room), turned=True))
    return min(options, key=lambda option: (option.count, option.turned))


def _counts(size: Size, room: Size) -> tuple[int, int]:
    columns, rows = (
        max(ceil(round((side - TILE_OVERLAP) / (space - TILE_OVERLAP), 6)), 1)
        for side, space in zip(size, room, strict=True)
    )
    return columns, rows


def _share(side: float, count: int) -> float:
    return (side + (count - 1) * TILE_OVERLAP) / count


def _page(
    piece: PrintPiece[FaceT], grid: _Tiling, row: int, column: int, settings: SheetSettings, title: str
) -> SheetPage[FaceT]:
    """Return the sheet with one tile in its middle."""
    paper, size = settings.paper, grid.tile
    box = Box((paper.width - size.width) / 2, (paper.height - size.height) / 2, *size)
    left = box.x - column * (size.width - TILE_OVERLAP)
    top = box.y - row * (size.height - TILE_OVERLAP)
    # The tile with bleed at the edges of the piece.
    bleed = settings.bleed
    before, above = (bleed if index == 0 else 0.0 for index in (column, row))
    right = bleed if column == grid.columns - 1 else 0.0
    bottom = bleed if row == grid.rows - 1 else 0.0
    clip = Box(box.x - before, box.y - above, box.width + before + right, box.height + above + bottom)
    slot = Slot(Box(left, top, *grid.whole), clip, TURNED if grid.turned else 0)
    placed = Tile(box, clip, row, column, grid.rows, grid.columns)
    return SheetPage(
        paper=paper,
        side=Side.FRONT,
        placements=(Placement(piece.front, slot, piece.name),),
        marks=tuple(tile_marks(placed, f"{title} · {piece.name} · {tile_name(row, column)}")),
        trim=box,
        bleed=clip,
        correction=settings.front_correction,
        pieces=((piece.group, piece.name),) if (row, column) == (0, 0) else (),
    )


# Booklets, and pages beside each other: both sides of larger sheets.

# Pages on both sides of a folded sheet.
_PAGES_PER_SHEET = 4


def booklet(pages: Sequence[SheetPage[FaceT]]) -> list[Leaf[FaceT]]:
    """Return the leaves of a booklet of folded sheets, from the outermost inward; blank pages fill the last one."""
    whole = [*pages, *[None] * (-len(pages) % _PAGES_PER_SHEET)]
    end = len(whole)
    return [
        _sides((whole[end - 1 - first], whole[first]), (whole[first + 1], whole[end - 2 - first]), pages[0].paper)
        for first in range(0, end // 2, 2)
    ]


def impose_leaves(documents: Iterable[Sequence[Leaf[FaceT]]], across: int) -> list[Leaf[FaceT]]:
    """Return leaves with those of documents beside each other, which have the same size.

    Every document starts on a front. `across` leaves are beside each other; backs are mirrored.
    """
    leaves = [leaf for document in documents for leaf in document]
    return [
        _sides(
            [*(leaf.front for leaf in row), *[None] * (across - len(row))],
            [*[None] * (across - len(row)), *(leaf.back for leaf in reversed(row))],
            row[0].front.paper,
        )
        for row in (leaves[start : start + across] for start in range(0, len(leaves), across))
    ]


def _sides(
    front: Sequence[SheetPage[FaceT] | None], back: Sequence[SheetPage[FaceT] | None], page: Size
) -> Leaf[FaceT]:
    paper = Size(len(front) * page.width, page.height)
    printed = beside(front, Side.FRONT, paper) or whole_page(paper)
    return Leaf(printed, beside(back, Side.BACK, paper), "", reading_flip(paper), is_plain=True)
