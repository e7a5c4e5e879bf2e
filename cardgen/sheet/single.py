"""One card a page, for printers who cut and collate themselves: no marks, the page is trim and bleed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.sheet.imposition import PrintPiece
from cardgen.sheet.page import FaceT, Placement, SheetPage, Side, Slot
from cardgen.units import Box, Size


def impose_single(
    pieces: Iterable[PrintPiece[FaceT]], card: Size, bleed: float, *, backs: bool = True
) -> Iterator[SheetPage[FaceT]]:
    """The pages for pieces of one size: each front, and behind it its back, both upright; lengths in millimetres."""
    for piece in pieces:
        yield _single_page(piece.front, Side.FRONT, piece, card, bleed)
        if backs and piece.back is not None:
            yield _single_page(piece.back, Side.BACK, piece, card, bleed)


def _single_page(face: FaceT, side: Side, piece: PrintPiece[FaceT], card: Size, bleed: float) -> SheetPage[FaceT]:
    paper = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    trim, whole = Box(bleed, bleed, *card), Box(0, 0, *paper)
    placements = (Placement(face, Slot(trim, whole)),)
    if not piece.name:
        return SheetPage(paper, side, placements, (), (), trim, whole)
    bookmark = ((piece.group, piece.name),) if side is Side.FRONT else ()
    return SheetPage(paper, side, placements, (), (), trim, whole, name=f"{piece.name} {side}", pieces=bookmark)
