"""Pages of rendered cards, by layout: grid, packed, single, or sprue."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, join_words
from cardgen.face.face import Face
from cardgen.model.card import Entry
from cardgen.print.options import PACKED, PrintSetup, paper_name
from cardgen.sheet.imposition import (
    ImposedSheet,
    PrintPiece,
    SheetSettings,
    fill_sprue,
    grid_sheets,
    impose_single,
    sheet_leaves,
    tile,
    tiling,
)
from cardgen.sheet.leaf import Backs, Leaf
from cardgen.sheet.sprue import grid_sprue
from cardgen.units import Shape, Size

if TYPE_CHECKING:
    from cardgen.print.render import RenderedCard
    from cardgen.text.fonts import Fonts

# A punch cuts disks of its diameter, within this many millimeters.
_PUNCH_TOLERANCE = 0.5


class PieceFormat(NamedTuple):
    """The properties of pieces that can swap places on a sheet."""

    size: Size
    shape: Shape
    may_turn: bool
    can_tile: bool = False


PiecesByFormat: TypeAlias = Mapping[PieceFormat, Sequence[PrintPiece[Face]]]
# Returns the sheets for pieces by format. Raises _DoesNotFitError with the format that does not fit.
Layout: TypeAlias = Callable[[PiecesByFormat, PrintSetup], list[ImposedSheet[Face]]]


class _DoesNotFitError(Exception):
    """Pieces of a format do not fit; its message is user-facing."""

    def __init__(self, piece_format: PieceFormat, message: str) -> None:
        super().__init__(message)
        self.format = piece_format


def _grid(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[ImposedSheet[Face]]:
    """Lay out each format on sheets of its own.

    Round pieces for a punch are packed, because they need room for it; others are cut along circles.
    """
    sheets: list[ImposedSheet[Face]] = []
    for piece_format, pieces in pieces_by_format.items():
        is_round = piece_format.shape is Shape.ROUND
        if is_round and _has_punch(piece_format.size.width, printing):
            sheets += _packed({piece_format: pieces}, printing)
            continue
        try:
            sheets += (_disks if is_round else grid_sheets)(pieces, piece_format.size, printing.sheet)
        except ValueError as error:
            raise _DoesNotFitError(piece_format, str(error)) from None
    return sheets


def _has_punch(diameter: float, printing: PrintSetup) -> bool:
    return any(abs(diameter - punch) <= _PUNCH_TOLERANCE for punch in printing.punches)


def _disks(pieces: Sequence[PrintPiece[Face]], size: Size, sheet: SheetSettings) -> list[ImposedSheet[Face]]:
    """Lay out disks of one diameter, to cut with scissors.

    Raises ValueError with a message for the user if no disk fits.
    """
    from cardgen.sheet.gang_sheet import DISK_BLEED, disk_sprue  # loaded here because few cards are disks

    bleed = min(sheet.bleed, DISK_BLEED)
    sprue = disk_sprue(sheet.paper, size.width, margin=sheet.margin, gap=sheet.gap, bleed=bleed, area=sheet.area)
    return fill_sprue(sprue, pieces, bleed)


def _packed(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[ImposedSheet[Face]]:
    """Lay out all formats together, on as few sheets as possible."""
    from cardgen.sheet.gang_sheet import Demand, TooLargeError, gang_sheets

    sheet = printing.sheet
    needs = [Demand(sort.size, len(pieces), sort.shape, sort.may_turn) for sort, pieces in pieces_by_format.items()]
    queues = [deque(pieces) for pieces in pieces_by_format.values()]
    try:
        ganged = gang_sheets(needs, sheet.paper, margin=sheet.margin, gap=sheet.gap, bleed=sheet.bleed, area=sheet.area)
    except TooLargeError as error:
        piece_format = tuple(pieces_by_format)[error.demand]
        room = "half a sheet" if sheet.backs is Backs.GUTTERFOLD else "paper"
        raise _DoesNotFitError(
            piece_format,
            f"a piece of {piece_format.size} does not fit on {room} of {sheet.paper} with a margin of "
            f"{sheet.margin:g} mm, its bleed, and the marks; use larger paper or a smaller margin",
        ) from None
    return [
        ImposedSheet(each.sprue, tuple(queues[need].popleft() for need in each.demands), sheet.bleed) for each in ganged
    ]


def _in_sprue(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[ImposedSheet[Face]]:
    """Lay out pieces in the matching slots of the sprue, in order."""
    pattern = printing.sprue
    assert pattern is not None
    queues: dict[tuple[Size, Shape], deque[PrintPiece[Face]]] = {}
    for piece_format, pieces in pieces_by_format.items():
        if (piece_format.size, piece_format.shape) not in pattern.formats:
            names = join_words(dict.fromkeys(_format_name(fit.size, fit.shape) for fit in pattern.formats))
            raise _DoesNotFitError(
                piece_format,
                f"the sprue '{pattern.name}' has no slots of {_format_name(piece_format.size, piece_format.shape)}, "
                f"only of {names}; use another sprue, or select cards with --only",
            )
        queues.setdefault((piece_format.size, piece_format.shape), deque()).extend(pieces)
    sheets: list[ImposedSheet[Face]] = []
    while any(queues.values()):
        dealt = (queues[fit].popleft() if queues.get(fit) else None for fit in pattern.formats)
        sheets.append(ImposedSheet(pattern.sprue, tuple(dealt), printing.sheet.bleed))
    return sheets


def _format_name(size: Size, shape: Shape) -> str:
    return f"{size}, round" if shape is Shape.ROUND else str(size)


def _cut_list(
    sheets: Sequence[ImposedSheet[Face]], printing: PrintSetup, slug: str, fonts: Fonts
) -> Sequence[Leaf[Face]]:
    """Return the cut list of all sheets; there is none if each has only one piece."""
    if not printing.cut_list or all(len(sheet.pieces) == 1 for sheet in sheets):
        return ()
    # loaded here because the usual layout has none
    from cardgen.sheet.cut_list import cut_list_leaves
    from cardgen.text.copyfitting import Compositor
    from cardgen.text.icons import Icons

    return cut_list_leaves(sheets, slug, Compositor(fonts, Icons()), folded=printing.sheet.backs is Backs.GUTTERFOLD)


def _take_tiled(pieces_by_format: dict[PieceFormat, list[PrintPiece[Face]]], printing: PrintSetup) -> PiecesByFormat:
    """Remove and return the pieces that are tiled, because they do not fit on the paper."""
    too_large = [each for each in pieces_by_format if each.can_tile and not _fits(each, printing)]
    return {each: pieces_by_format.pop(each) for each in too_large}


def _fits(piece_format: PieceFormat, printing: PrintSetup) -> bool:
    sheet = printing.sheet
    try:
        grid_sprue(
            sheet.paper, piece_format.size, margin=sheet.margin, gap=sheet.gap, bleed=sheet.bleed, area=sheet.area
        )
    except ValueError:
        return False
    return True


def _tiles(pieces_by_format: PiecesByFormat, printing: PrintSetup, slug: str) -> Iterator[Leaf[Face]]:
    for piece_format, pieces in pieces_by_format.items():
        try:
            yield from tile(pieces, piece_format.size, printing.sheet, slug)
        except ValueError as error:
            raise _DoesNotFitError(piece_format, str(error)) from None


def _single(pieces_by_format: PiecesByFormat, printing: PrintSetup) -> list[Leaf[Face]]:
    sheet, backs = printing.sheet, printing.sheet.backs is not Backs.NONE
    return [
        leaf
        for piece_format, pieces in pieces_by_format.items()
        for leaf in impose_single(pieces, piece_format.size, sheet.bleed, backs=backs)
    ]


_SHEET_LAYOUTS: Mapping[str, Layout] = {"grid": _grid, PACKED: _packed}
LAYOUTS = (*_SHEET_LAYOUTS, "single")


def lay_out(
    cards: Iterable[RenderedCard], qty: int | None, printing: PrintSetup, title: str, fonts: Fonts
) -> list[Leaf[Face]]:
    """Return the leaves of a document, with a title for its slug lines; `qty` overrides the copies of cards.

    Raises CardgenError for a card that is larger than the paper, or that has no slot in the sprue.
    """
    pieces_by_format: dict[PieceFormat, list[PrintPiece[Face]]] = {}
    first_cards: dict[PieceFormat, RenderedCard] = {}
    for card in cards:
        piece_format = format_of(card)
        first_cards.setdefault(piece_format, card)
        pieces_by_format.setdefault(piece_format, []).extend([card.piece] * (qty or card.entry.card.qty))
    if printing.one_per_page:
        return _single(pieces_by_format, printing)
    tiled = _take_tiled(pieces_by_format, printing)
    arrange = _in_sprue if printing.sprue else _SHEET_LAYOUTS[printing.layout]
    where = printing.sprue.name if printing.sprue else paper_name(printing.sheet.paper).upper()
    slug = f"{title} · {where}"
    try:
        sheets = arrange(pieces_by_format, printing) if pieces_by_format else []
        return [
            *sheet_leaves(sheets, printing.sheet, slug),
            *_tiles(tiled, printing, slug),
            *_cut_list(sheets, printing, slug, fonts),
        ]
    except _DoesNotFitError as error:
        raise CardgenError(_no_room(first_cards[error.format].entry, str(error), printing)) from None


def room_problem(entry: Entry, piece_format: PieceFormat, printing: PrintSetup) -> Diagnostic | None:
    """Return the error that `lay_out` raises for a card that is too large, or that has no slot; None if it fits."""
    message = _room_message(piece_format, printing)
    return _no_room(entry, message, printing) if message else None


@lru_cache(maxsize=256)
def _room_message(piece_format: PieceFormat, printing: PrintSetup) -> str:
    alone = {
        piece_format: [PrintPiece(Face(piece_format.size, 0.0, ()), None, piece_format.shape, piece_format.may_turn)]
    }
    if printing.one_per_page:
        return ""
    try:
        if _take_tiled(alone, printing):
            tiling(piece_format.size, printing.sheet)
        else:
            (_in_sprue if printing.sprue else _SHEET_LAYOUTS[printing.layout])(alone, printing)
    except (_DoesNotFitError, ValueError) as error:
        return str(error)
    return ""


def format_of(card: RenderedCard) -> PieceFormat:
    """Return the format of a card's piece."""
    return piece_format(card.size, card.piece.shape, card.piece.may_turn, can_tile=card.piece.can_tile)


def piece_format(size: Size, shape: Shape, may_turn: bool, *, can_tile: bool) -> PieceFormat:
    """Return a format; its sides are rounded, because sides that are equal on paper may differ as floats."""
    return PieceFormat(Size(*(round(side, 3) for side in size)), shape, may_turn, can_tile)


def _no_room(entry: Entry, message: str, printing: PrintSetup) -> Diagnostic:
    return Diagnostic(Code.BAD_SPRUE if printing.sprue else Code.NO_ROOM, message, entry.place(("size",)))
