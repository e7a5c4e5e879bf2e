"""Sheets of cards, and pictures of single pieces, as games read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from cardgen.export import atlas
from cardgen.export.atlas import Grid, GridLimits, Pixels
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, faces_of
from cardgen.target.profile import ServiceProfile
from cardgen.target.tables.sides import CardDeck
from cardgen.units import MM_PER_INCH
from cardgen.validation.base import Int


class SheetProfile(ServiceProfile):
    """Limits of sheets of cards: the longest side in pixels, columns, and rows."""

    longest_side: Annotated[Int, Field(ge=256, le=8192)] = 4096
    columns: Annotated[Int, Field(ge=1, le=128)] = 10
    rows: Annotated[Int, Field(ge=1, le=128)] = 10

    @property
    def limits(self) -> GridLimits:
        """The limits of a sheet."""
        return GridLimits(self.longest_side, self.columns, self.rows)


class DeckSheet(NamedTuple):
    """A sheet of fronts, and its back.

    `back` is one picture that all cards share, or with `has_own_backs` a sheet with the same grid.
    """

    cards: tuple[RenderedCard, ...]
    grid: Grid
    front: bytes
    back: bytes
    has_own_backs: bool


def deck_sheets(job: ExportJob[Any], deck: CardDeck, limits: GridLimits) -> Iterator[DeckSheet]:
    """Yield the sheets of a deck, on the smallest grids. Cards that are too large for a sheet become smaller."""
    dpi = job.dpi * atlas.fit_scale(pixels_of(deck.cards[0], job.dpi), limits.longest)
    picture = job.pictures(faces_of(deck.cards), dpi)
    cell = atlas.pixels_of(picture(deck.cards[0].piece.front))
    for part, grid in atlas.split(len(deck.cards), cell, limits):
        cards = tuple(deck.cards[index] for index in part)
        front = atlas.compose([picture(card.piece.front) for card in cards], grid, cell)
        yield DeckSheet(cards, grid, front, _backs(deck, cards, grid, cell, picture), deck.has_own_backs)


def _backs(
    deck: CardDeck, cards: Sequence[RenderedCard], grid: Grid, cell: Pixels, picture: Callable[[Face], bytes]
) -> bytes:
    """Return the shared back, the sheet of backs, or a plain back if the cards have none."""
    if deck.shared_back is not None:
        return picture(deck.shared_back)
    plain = atlas.plain(cell)
    if not deck.has_own_backs:
        return plain
    return atlas.compose([picture(card.piece.back) if card.piece.back else plain for card in cards], grid, cell)


class PiecePictures(NamedTuple):
    """The sides of a piece as PNG files; the back is the front of a piece without one."""

    front: bytes
    back: bytes


def piece_pictures(job: ExportJob[Any], card: RenderedCard, longest: int) -> PiecePictures:
    """Return the sides of a piece, with at most `longest` pixels on a side."""
    scale = atlas.fit_scale(pixels_of(card, job.dpi), longest)
    picture = job.pictures(faces_of([card]), job.dpi * scale)
    front = picture(card.piece.front)
    return PiecePictures(front, picture(card.piece.back) if card.piece.back else front)


def pixels_of(card: RenderedCard, dpi: float) -> Pixels:
    """Return the size of a card's picture."""
    return Pixels(*(max(1, round(side / MM_PER_INCH * dpi)) for side in card.size))
