"""Pages of rendered cards, by layout: grid, packed, single, or sprue."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.face import Face
from cardgen.pipeline.build.render import RenderedCard
from cardgen.pipeline.options import PACKED, PrintSetup, paper_name
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings, impose, impose_single, sheet_pages
from cardgen.sheet.page import SheetPage
from cardgen.sheet.sprue import BAD_SPRUE, grid_sprue
from cardgen.sheet.tiles import tile
from cardgen.units import Shape, Size
from cardgen.validation.suggestion import join_words

NO_ROOM = "CG523"
# A punch cuts disks of its diameter, within this many millimeters.
_PUNCH_TOLERANCE = 0.5

Pages: TypeAlias = Sequence[SheetPage[Face]]


class PieceFormat(NamedTuple):
    """The properties of pieces that can swap places on a sheet."""

    size: Size
    shape: Shape
    may_turn: bool
    can_tile: bool = False


PiecesByFormat: TypeAlias = Mapping[PieceFormat, Sequence[PrintPiece[Face]]]
# Returns pages for pieces by format, the print setup, and the slug line. Raises _DoesNotFitError with the format that
# does not fit.
Layout: TypeAlias = Callable[[PiecesByFormat, PrintSetup, str], Pages]


class _DoesNotFitError(Exception):
    """Pieces of a format do not fit; its message is user-facing."""

    def __init__(self, piece_format: PieceFormat, message: str) -> None:
        super().__init__(message)
        self.format = piece_format


def _grid(pieces_by_format: PiecesByFormat, printing: PrintSetup, slug: str) -> Pages:
    """Lay out each format on sheets of its own.

    Round pieces for a punch are packed, because they need room for it; others are cut along circles.
    """
    pages: list[SheetPage[Face]] = []
    for piece_format, pieces in pieces_by_format.items():
        is_round = piece_format.shape is Shape.ROUND
        if is_round and _has_punch(piece_format.size.width, printing):
            pages.extend(_packed({piece_format: pieces}, printing, slug))
            continue
        layout = _disks if is_round else impose
        try:
            pages.extend(layout(pieces, piece_format.size, printing.sheet, _slug_text(slug, printing)))
        except ValueError as error:
            raise _DoesNotFitError(piece_format, str(error)) from None
    return pages


def _has_punch(diameter: float, printing: PrintSetup) -> bool:
    return any(abs(diameter - punch) <= _PUNCH_TOLERANCE for punch in printing.punches)


def _disks(pieces: Sequence[PrintPiece[Face]], size: Size, sheet: SheetSettings, title: str) -> Pages:
    """Lay out disks of one diameter, to cut with scissors.

    Raises ValueError with a message for the user if no disk fits.
    """
    from cardgen.sheet.disk_sheet import DISK_BLEED, disk_sprue  # loaded here because few cards are disks

    settings = sheet._replace(bleed=min(sheet.bleed, DISK_BLEED))
    sprue = disk_sprue(
        sheet.paper, size.width, margin=sheet.margin, gap=sheet.gap, bleed=settings.bleed, area=sheet.area
    )
    step = len(sprue.slots)
    sheets = [ImposedSheet(sprue, tuple(pieces[start : start + step])) for start in range(0, len(pieces), step)]
    return sheet_pages(sheets, settings, title)


def _single(pieces_by_format: PiecesByFormat, printing: PrintSetup, slug: str) -> Pages:
    sheet, backs = printing.sheet, printing.sheet.backs is not Backs.NONE
    return [
        page
        for piece_format, pieces in pieces_by_format.items()
        for page in impose_single(pieces, piece_format.size, sheet.bleed, backs=backs)
    ]


def _packed(pieces_by_format: PiecesByFormat, printing: PrintSetup, slug: str) -> Pages:
    """Lay out all formats together, on as few sheets as possible."""
    from cardgen.sheet.gang_sheet import gang_sheets  # loaded here because the usual layout needs no packing
    from cardgen.sheet.guillotine_packing import Demand, TooLargeError

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
    sheets = [ImposedSheet(each.sprue, tuple(queues[need].popleft() for need in each.demands)) for each in ganged]
    return _with_cut_list(sheets, printing, _slug_text(slug, printing))


def _in_sprue(pieces_by_format: PiecesByFormat, printing: PrintSetup, slug: str) -> Pages:
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
        sheets.append(ImposedSheet(pattern.sprue, tuple(dealt)))
    return _with_cut_list(sheets, printing, f"{slug} · {pattern.name}")


def _format_name(size: Size, shape: Shape) -> str:
    return f"{size}, round" if shape is Shape.ROUND else str(size)


def _with_cut_list(sheets: Sequence[ImposedSheet[Face]], printing: PrintSetup, slug: str) -> Pages:
    """Return the pages of sheets, followed by their cut list.

    There is no cut list if each sheet has only one piece.
    """
    pages = sheet_pages(sheets, printing.sheet, slug)
    if not printing.cut_list or all(len(sheet.pieces) == 1 for sheet in sheets):
        return pages
    from cardgen.sheet.cut_list import cut_list_pages  # loaded here because the usual layout has none

    return (*pages, *cut_list_pages(sheets, slug, folded=printing.sheet.backs is Backs.GUTTERFOLD))


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


def _tiles(pieces_by_format: PiecesByFormat, printing: PrintSetup, slug: str) -> Iterable[SheetPage[Face]]:
    for piece_format, pieces in pieces_by_format.items():
        try:
            yield from tile(pieces, piece_format.size, printing.sheet, _slug_text(slug, printing))
        except ValueError as error:
            raise _DoesNotFitError(piece_format, str(error)) from None


LAYOUTS: Mapping[str, Layout] = {"grid": _grid, PACKED: _packed, "single": _single}


def lay_out(cards: Iterable[RenderedCard], qty: int | None, printing: PrintSetup, slug: str) -> list[SheetPage[Face]]:
    """Return the pages of cards; `qty` overrides their copies.

    Raises CardgenError for a card that is larger than the paper, or that has no slot in the sprue.
    """
    layout = _in_sprue if printing.sprue else LAYOUTS[printing.layout]
    pieces_by_format: dict[PieceFormat, list[PrintPiece[Face]]] = {}
    first_cards: dict[PieceFormat, RenderedCard] = {}
    for card in cards:
        # Rounded, because sides that are equal on paper may differ as floats.
        size = Size(*(round(side, 3) for side in card.size))
        piece_format = PieceFormat(size, card.piece.shape, card.piece.may_turn, card.piece.can_tile)
        first_cards.setdefault(piece_format, card)
        pieces_by_format.setdefault(piece_format, []).extend([card.piece] * (qty or card.entry.card.qty))
    tiled = {} if printing.one_per_page else _take_tiled(pieces_by_format, printing)
    try:
        pages = layout(pieces_by_format, printing, slug) if pieces_by_format else ()
        return [*pages, *_tiles(tiled, printing, slug)]
    except _DoesNotFitError as error:
        place, code = first_cards[error.format].entry.place(("size",)), BAD_SPRUE if printing.sprue else NO_ROOM
        raise CardgenError(Diagnostic(code, str(error), place)) from None


def _slug_text(title: str, printing: PrintSetup) -> str:
    return f"{title} · {paper_name(printing.sheet.paper).upper()}"
