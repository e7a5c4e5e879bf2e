"""Sheets of cards, and pictures of single pieces, as games read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from cardgen.deck.deck import kind_of, kind_title
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.rulesets.pieces import Mat, Ruler
from cardgen.target.job import CardGroup, ExportJob, faces_of, is_paper_piece, is_roster
from cardgen.target.profile import ServiceProfile
from cardgen.target.tabletops import atlas
from cardgen.target.tabletops.atlas import Grid, GridLimits, Pixels
from cardgen.units import MM_PER_INCH, Shape, Size
from cardgen.validation.base import Int

# How cards become objects of a digital table: decks, tokens, tiles, and pieces that stay behind.

_FLAT_PIECES = (Ruler, Mat)


class Role(Enum):
    """What a piece is on a digital table."""

    CARD = auto()
    TOKEN = auto()
    TILE = auto()
    SKIPPED = auto()


def role_of(card: RenderedCard) -> Role:
    """Return what a card becomes.

    Round pieces are tokens. Rosters, rulers, and mats are tiles. Paper figures,
    boxes, dials, and forms to fill in are of no use on a screen.
    """
    kind = kind_of(card.entry)
    if is_paper_piece(card):
        return Role.SKIPPED
    if card.piece.shape is Shape.ROUND:
        return Role.TOKEN
    return Role.TILE if is_roster(card) or issubclass(kind.model, _FLAT_PIECES) else Role.CARD


class KindNames:
    """Names of kinds that are unique within an export: with several games, they have the game in front."""

    def __init__(self, job: ExportJob[Any]) -> None:
        self._is_mixed = len({card.entry.game for card in job.cards}) > 1
        self._captions = job.captions

    def of(self, card: RenderedCard) -> str:
        """Return the name of the kind of a card."""
        return f"{card.entry.game}-{card.entry.kind}" if self._is_mixed else card.entry.kind

    def title(self, card: RenderedCard) -> str:
        """Return the name of the kind of a card as people read it."""
        title = self._captions.name(kind_title(card.entry))
        title = f"{card.entry.game.replace('-', ' ')} {title}" if self._is_mixed else title
        return title[:1].upper() + title[1:]


class CardDeck(NamedTuple):
    """Cards of one kind and size, each once.

    `shared_back` is the back that all of them have; None if each has its own, or if they have none.
    """

    stem: str
    title: str
    size: Size
    cards: tuple[RenderedCard, ...]
    shared_back: Face | None

    @property
    def has_own_backs(self) -> bool:
        """True if the cards have different backs."""
        return self.shared_back is None and any(card.piece.back for card in self.cards)

    def is_double_sided(self, card: RenderedCard) -> bool:
        """Return whether a card names a back that no other card has, such as a damaged side."""
        back = card.piece.back
        sharers = sum(other.piece.back is back for other in self.cards)
        return back is not None and card.entry.card.back is not None and sharers == 1


def decks_of(job: ExportJob[Any]) -> Iterator[CardDeck]:
    """Yield a deck for each kind and size of cards."""
    names = KindNames(job)
    by_kind: dict[str, dict[Size, list[RenderedCard]]] = {}
    for card in cards_with_role(job.groups, Role.CARD):
        by_kind.setdefault(names.of(card), {}).setdefault(rounded(card.size), []).append(card)
    for kind, by_size in by_kind.items():
        for number, (size, cards) in enumerate(by_size.items(), 1):
            stem = kind if number == 1 else f"{kind}-{number}"
            title = names.title(cards[0]) + (f" {number}" if number > 1 else "")
            yield CardDeck(stem, title, size, tuple(cards), shared_back(cards))


def rounded(size: Size) -> Size:
    """Return a size with sides that are equal if they are on paper."""
    return Size(*(round(side, 3) for side in size))


def shared_back(cards: Sequence[RenderedCard]) -> Face | None:
    """Return the back that all cards have, or None."""
    backs = {id(card.piece.back): card.piece.back for card in cards}
    return next(iter(backs.values())) if len(backs) == 1 else None


def cards_with_role(groups: Iterable[CardGroup], role: Role) -> list[RenderedCard]:
    """Return all cards with a role."""
    return [card for group in groups for card in group.cards if role_of(card) is role]


def skipped(groups: Iterable[CardGroup], *roles: Role) -> tuple[RenderedCard, ...]:
    """Return all cards with one of the roles, by default those that are of no use on a screen."""
    return tuple(card for group in groups for card in group.cards if role_of(card) in (roles or (Role.SKIPPED,)))


def skipped_note(groups: Iterable[CardGroup]) -> Iterator[str]:
    """Yield a note about the pieces that stay behind."""
    kinds = list(dict.fromkeys(card.entry.kind for card in cards_with_role(groups, Role.SKIPPED)))
    if kinds:
        yield f"skipped {', '.join(kinds)}: paper pieces to fold or to fill in"


def tile_note(groups: Iterable[CardGroup]) -> Iterator[str]:
    """Yield a note about the pieces that become flat tiles."""
    kinds = list(dict.fromkeys(card.entry.kind for card in cards_with_role(groups, Role.TILE)))
    if kinds:
        yield f"{', '.join(kinds)}: flat tiles, which cannot be filled in or shuffled"


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
        # The shared back, the sheet of backs, or a plain back if the cards have none.
        if deck.shared_back is not None:
            backs = picture(deck.shared_back)
        else:
            plain = atlas.plain(cell)
            if not deck.has_own_backs:
                backs = plain
            else:
                backs = atlas.compose(
                    [picture(card.piece.back) if card.piece.back else plain for card in cards], grid, cell
                )
        yield DeckSheet(cards, grid, front, backs, deck.has_own_backs)


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
