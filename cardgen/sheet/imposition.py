"""Imposition: pieces are dealt into the slots of as many sheets as they need, backs behind their fronts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from cardgen.sheet import marks
from cardgen.sheet.duplex import Backs, behind
from cardgen.sheet.page import FaceT, Page, Placement, Side, Slot, Stroke
from cardgen.sheet.sprue import Sprue, around, grid
from cardgen.units import Box, Shape, Size


@dataclass(frozen=True, slots=True)
class Piece(Generic[FaceT]):
    """One printed copy: its front, and its back if it has one.

    `shape` is how it is cut out, `may_turn` whether mixed sheets may hold it turned by a quarter. `name` and `group`
    are for people who look for it in a document: the card, and what sort of card it is.
    """

    front: FaceT
    back: FaceT | None = None
    shape: Shape = Shape.RECTANGLE
    may_turn: bool = True
    name: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """How sheets are laid out; lengths in millimetres."""

    paper: Size
    margin: float = 5.0
    gap: float = 0.0
    bleed: float = 3.0
    backs: Backs = Backs.LONG_EDGE


def impose(pieces: Sequence[Piece[FaceT]], card: Size, settings: SheetSettings, title: str) -> tuple[Page[FaceT], ...]:
    """All pages for pieces of one size, in printing order: front, back, front, back.

    A piece without a back keeps its slot empty; a sheet without any back has no back page.
    Raises ValueError with a sentence for the user when the card does not fit on the paper.
    """
    sprue = grid(
        settings.paper, card, margin=settings.margin, gap=settings.gap, bleed=settings.bleed, area=_area(settings)
    )
    per_sheet = len(sprue.slots)
    sheets = [pieces[start : start + per_sheet] for start in range(0, len(pieces), per_sheet)]
    return tuple(
        page
        for number, sheet in enumerate(sheets, 1)
        for page in _sides(sheet, sprue, settings, f"{title} · {number}/{len(sheets)}")
    )


def _area(settings: SheetSettings) -> Box:
    """A gutterfold sheet holds its fronts in the upper half; the fold itself keeps a bleed's distance."""
    paper = settings.paper
    if settings.backs is Backs.GUTTERFOLD:
        return Box(0, 0, paper.width, paper.height / 2)
    return Box(0, 0, paper.width, paper.height)


def _sides(sheet: Sequence[Piece[FaceT]], sprue: Sprue, settings: SheetSettings, title: str) -> Iterator[Page[FaceT]]:
    fronts = [Placement(piece.front, slot) for piece, slot in zip(sheet, sprue.slots, strict=False)]
    backs = [
        Placement(piece.back, behind(slot, sprue.paper, settings.backs))
        for piece, slot in zip(sheet, sprue.slots, strict=False)
        if piece.back is not None and settings.backs is not Backs.NONE
    ]
    if settings.backs is Backs.GUTTERFOLD:
        yield _page(Side.BOTH, [*fronts, *backs], sprue, title)
        return
    yield _page(Side.FRONT, fronts, sprue, title)
    if backs:
        yield _page(Side.BACK, backs, sprue, title)


def _page(side: Side, placements: Sequence[Placement[FaceT]], sprue: Sprue, title: str) -> Page[FaceT]:
    slots = [placement.slot for placement in placements]
    return Page(
        paper=sprue.paper,
        side=side,
        placements=tuple(placements),
        strokes=tuple(_strokes(side, slots, sprue)),
        labels=marks.labels(sprue, f"{title} {side}"),
        trim=around(slot.trim for slot in slots),
        bleed=around(slot.clip for slot in slots),
    )


def _strokes(side: Side, slots: Sequence[Slot], sprue: Sprue) -> Iterator[Stroke]:
    yield from marks.ticks(sprue, (slot.trim for slot in slots), around(slot.clip for slot in slots))
    yield from marks.rule(sprue)
    if side is Side.BOTH:
        yield marks.fold(sprue.paper)
