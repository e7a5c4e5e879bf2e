"""Imposition: place pieces in the slots of sheets, or one per page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Generic, NamedTuple

from cardgen.affine import IDENTITY, Matrix
from cardgen.sheet import printer_marks
from cardgen.sheet.bleed import bounding_box, with_bleed
from cardgen.sheet.duplex import Backs, back_slot, back_stroke
from cardgen.sheet.page import (
    FaceT,
    Label,
    Layer,
    Outline,
    Placement,
    SheetPage,
    Side,
    Slot,
    Stroke,
)
from cardgen.sheet.sprue import PrinterMark, Sprue, grid_sprue
from cardgen.units import Box, Shape, Size

# Distance from the trim that is safe from imprecise cuts, in millimeters.
SAFE_MARGIN = 3.0


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
    """Sprue with the pieces in its slots; None for an empty slot."""

    sprue: Sprue
    pieces: tuple[PrintPiece[FaceT] | None, ...]

    @property
    def placed_pieces(self) -> Iterator[tuple[PrintPiece[FaceT], Slot]]:
        """The pieces and their slots."""
        return ((piece, slot) for piece, slot in zip(self.pieces, self.sprue.slots, strict=False) if piece is not None)


def impose(
    pieces: Sequence[PrintPiece[FaceT]], card: Size, settings: SheetSettings, title: str
) -> tuple[SheetPage[FaceT], ...]:
    """Impose pieces of one size; return all pages in printing order.

    The order is front, back, front, back. Raises ValueError with a message for the user if the card does not fit on the
    paper.
    """
    sprue = grid_sprue(
        settings.paper,
        card,
        margin=settings.margin,
        gap=settings.gap,
        bleed=settings.bleed,
        area=settings.area,
        may_turn=all(piece.may_turn for piece in pieces),
    )
    per_sheet = len(sprue.slots)
    sheets = [
        ImposedSheet(sprue, tuple(pieces[start : start + per_sheet])) for start in range(0, len(pieces), per_sheet)
    ]
    return sheet_pages(sheets, settings, title)


def sheet_pages(
    sheets: Sequence[ImposedSheet[FaceT]], settings: SheetSettings, title: str
) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages of all sheets, in printing order.

    A piece without a back leaves its slot empty. If any piece has a back, every sheet has a back page; otherwise, a
    duplex printer would print the next front on the back of this one.
    """
    pieces = (piece for sheet in sheets for piece, _ in sheet.placed_pieces)
    two_sided = settings.backs is not Backs.NONE and any(piece.back is not None for piece in pieces)
    return tuple(
        page
        for number, sheet in enumerate(sheets, 1)
        for page in _sheet_sides(sheet, settings, number, f"{title} · {number}/{len(sheets)}", two_sided=two_sided)
    )


def _sheet_sides(
    sheet: ImposedSheet[FaceT], settings: SheetSettings, number: int, title: str, *, two_sided: bool
) -> Iterator[SheetPage[FaceT]]:
    """Yield the front and back pages, or the one page to fold."""
    sprue = sheet.sprue
    fronts = [Placement(piece.front, slot) for piece, slot in _front_slots(sheet, settings)]
    backs = [Placement(piece.back, slot) for piece, slot in _back_slots(sheet, settings) if two_sided and piece.back]
    pieces = tuple((piece.group, piece.name) for piece, _ in sheet.placed_pieces)
    if settings.backs is Backs.GUTTERFOLD:
        yield _filled_page(Side.BOTH, [*fronts, *backs], sprue, settings, title)._replace(
            name=str(number), pieces=pieces
        )
        return
    name = f"{number} front" if two_sided else str(number)
    yield _filled_page(Side.FRONT, fronts, sprue, settings, title)._replace(name=name, pieces=pieces)
    if two_sided:
        yield _filled_page(Side.BACK, backs, sprue, settings, title)._replace(name=f"{number} back")


def _front_slots(sheet: ImposedSheet[FaceT], settings: SheetSettings) -> Iterator[tuple[PrintPiece[FaceT], Slot]]:
    """Yield the pieces and their slots.

    Beside an empty slot, a piece has its full bleed.
    """
    placed = tuple(sheet.placed_pieces)
    if len(placed) == len(sheet.sprue.slots):
        yield from placed
        return
    slots = with_bleed(tuple(slot for _, slot in placed), settings.bleed, sheet.sprue.paper)
    yield from zip((piece for piece, _ in placed), slots, strict=True)


def _back_slots(sheet: ImposedSheet[FaceT], settings: SheetSettings) -> Iterator[tuple[PrintPiece[FaceT], Slot]]:
    """Yield the pieces with backs, and the slots of the backs.

    Backs may bleed farther than fronts.
    """
    sprue = sheet.sprue
    placed = tuple((piece, slot) for piece, slot in sheet.placed_pieces if piece.back is not None)
    slots = with_bleed(tuple(slot for _, slot in placed), settings.bleed + settings.back_bleed, sprue.paper)
    for (piece, _), slot in zip(placed, slots, strict=True):
        yield piece, back_slot(slot, sprue.paper, settings.backs)


def _filled_page(
    side: Side, placements: Sequence[Placement[FaceT]], sprue: Sprue, settings: SheetSettings, title: str
) -> SheetPage[FaceT]:
    slots = tuple(placement.slot for placement in placements)
    page = _marked_page(
        side, slots or tuple(back_slot(slot, sprue.paper, settings.backs) for slot in sprue.slots), sprue, settings
    )
    slug = printer_marks.slug_line(sprue, f"{title} {side}") if PrinterMark.RULE in sprue.marks else ()
    return page._replace(placements=tuple(placements), labels=(*page.labels, *slug))


# The sheets of a deck have the same marks.
@lru_cache(maxsize=64)
def _marked_page(side: Side, slots: tuple[Slot, ...], sprue: Sprue, settings: SheetSettings) -> SheetPage[Any]:
    """Return a page with marks for the slots, but without faces."""
    strokes, numbers = _marks(side, slots, sprue, settings)
    return SheetPage(
        paper=sprue.paper,
        side=side,
        placements=(),
        strokes=(*strokes, *(printer_marks.scale_bar(sprue) if PrinterMark.RULE in sprue.marks else ())),
        labels=numbers,
        trim=bounding_box(slot.trim for slot in slots),
        bleed=bounding_box(slot.clip for slot in slots),
        outlines=(*_safe_zones(slots), *_cut_circles(side, slots, sprue)),
        correction=settings.back_correction if side is Side.BACK else settings.front_correction,
    )


def _marks(
    side: Side, slots: Sequence[Slot], sprue: Sprue, settings: SheetSettings
) -> tuple[tuple[Stroke, ...], tuple[Label, ...]]:
    """Return the cut marks and fold line, and the cut numbers.

    Numbers are printed on the front only.
    """
    strokes: list[Stroke] = list(printer_marks.punch_marks(slots))
    numbers: tuple[Label, ...] = ()
    if PrinterMark.TICKS not in sprue.marks:
        strokes = []
    elif sprue.cut_steps and PrinterMark.NUMBERS in sprue.marks:
        fronts = [back_slot(slot, sprue.paper, settings.backs) for slot in slots] if side is Side.BACK else slots
        cut_marks, numbers = printer_marks.numbered_cut_marks(sprue, fronts)
        if side is Side.BACK:
            cut_marks = tuple(back_stroke(stroke, sprue.paper, settings.backs) for stroke in cut_marks)
            numbers = ()
        strokes += cut_marks
    else:
        strokes += printer_marks.cut_marks(
            sprue, (slot.trim for slot in slots), bounding_box(slot.clip for slot in slots)
        )
    if side is Side.BOTH:
        strokes.append(printer_marks.fold_line(sprue.paper))
    return tuple(strokes), numbers


def _safe_zones(slots: Iterable[Slot]) -> Iterator[Outline]:
    """Yield the outlines of the safe zones."""
    for slot in slots:
        inner = slot.trim.expand(-min(SAFE_MARGIN, slot.trim.width / 8, slot.trim.height / 8))
        yield Outline(inner, slot.shape, Layer.SAFE)


def _cut_circles(side: Side, slots: Iterable[Slot], sprue: Sprue) -> Iterator[Outline]:
    """Yield the cut lines of round fronts; on a sheet to fold, these are in its upper half."""
    if PrinterMark.CIRCLES not in sprue.marks or side is Side.BACK:
        return
    lowest = sprue.paper.height / 2 if side is Side.BOTH else sprue.paper.height
    for slot in slots:
        if slot.shape is Shape.ROUND and slot.trim.y < lowest:
            yield Outline(slot.trim, Shape.ROUND, Layer.CUTS)


def impose_single(
    pieces: Iterable[PrintPiece[FaceT]], card: Size, bleed: float, *, backs: bool = True, radius: float = 0.0
) -> Iterator[SheetPage[FaceT]]:
    """Yield one page per face: each front, followed by its back.

    Both are upright; lengths are in millimeters. Without bleed, round pieces are cropped to their circle, and others to
    corners of a `radius`.
    """
    for piece in pieces:
        yield _single_page(piece.front, Side.FRONT, piece, card, bleed, radius)
        if backs and piece.back is not None:
            yield _single_page(piece.back, Side.BACK, piece, card, bleed, radius)


def _single_page(
    face: FaceT, side: Side, piece: PrintPiece[FaceT], card: Size, bleed: float, radius: float
) -> SheetPage[FaceT]:
    paper = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    trim, whole = Box(bleed, bleed, *card), Box(0, 0, *paper)
    shape = Shape.RECTANGLE if bleed else piece.shape
    placements = (Placement(face, Slot(trim, whole, shape=shape, radius=0.0 if bleed else radius)),)
    if not piece.name:
        return SheetPage(paper, side, placements, (), (), trim, whole)
    bookmark = ((piece.group, piece.name),) if side is Side.FRONT else ()
    return SheetPage(paper, side, placements, (), (), trim, whole, name=f"{piece.name} {side}", pieces=bookmark)
