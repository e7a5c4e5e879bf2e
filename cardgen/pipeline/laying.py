"""From made cards to pages: the layouts by name."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.face import Face
from cardgen.pipeline.drawing import Made
from cardgen.pipeline.printing import PACKED, Printing
from cardgen.pipeline.request import paper_name
from cardgen.shape.suggestion import listed
from cardgen.sheet.arrangement import BAD_SPRUE
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import Piece, Sheet, impose, pages
from cardgen.sheet.mixed import mixed
from cardgen.sheet.packing import Need, TooLargeError
from cardgen.sheet.page import Page
from cardgen.sheet.plan import cut_lists
from cardgen.sheet.single import single
from cardgen.units import Shape, Size

NO_ROOM = "CG523"

Pages: TypeAlias = Sequence[Page[Face]]


class Sort(NamedTuple):
    """What pieces have in common that can take each other's place on a sheet."""

    size: Size
    shape: Shape
    may_turn: bool


Sorts: TypeAlias = Mapping[Sort, Sequence[Piece[Face]]]
# Pieces by their sort, how they are printed, and a legend become pages; _NoRoomError says which sort does not fit.
Layout: TypeAlias = Callable[[Sorts, Printing, str], Pages]


class _NoRoomError(Exception):
    """Pieces of a sort have no room; the message is a sentence for the user."""

    def __init__(self, sort: Sort, message: str) -> None:
        super().__init__(message)
        self.sort = sort


def _grid(sorts: Sorts, printing: Printing, legend: str) -> Pages:
    """Each sort on sheets of its own; round pieces are packed, for they need room for the punch."""
    found: list[Page[Face]] = []
    for sort, pieces in sorts.items():
        if sort.shape is Shape.ROUND:
            found.extend(_packed({sort: pieces}, printing, legend))
            continue
        try:
            found.extend(impose(pieces, sort.size, printing.sheet, _legend(legend, printing)))
        except ValueError as error:
            raise _NoRoomError(sort, str(error)) from None
    return found


def _single(sorts: Sorts, printing: Printing, legend: str) -> Pages:
    sheet, backs = printing.sheet, printing.sheet.backs is not Backs.NONE
    return [page for sort, pieces in sorts.items() for page in single(pieces, sort.size, sheet.bleed, backs=backs)]


def _packed(sorts: Sorts, printing: Printing, legend: str) -> Pages:
    """All sorts together, on as few sheets as can be found."""
    sheet = printing.sheet
    needs = [Need(sort.size, len(pieces), sort.shape, sort.may_turn) for sort, pieces in sorts.items()]
    waiting = [deque(pieces) for pieces in sorts.values()]
    try:
        found = mixed(needs, sheet.paper, margin=sheet.margin, gap=sheet.gap, bleed=sheet.bleed, area=sheet.area)
    except TooLargeError as error:
        sort = tuple(sorts)[error.need]
        room = "half a sheet" if sheet.backs is Backs.GUTTERFOLD else "paper"
        raise _NoRoomError(
            sort,
            f"a piece of {sort.size} does not fit on {room} of {sheet.paper} with a margin of {sheet.margin:g} mm, its "
            "bleed and the marks; choose larger paper or a smaller margin",
        ) from None
    sheets = [Sheet(each.sprue, tuple(waiting[need].popleft() for need in each.needs)) for each in found]
    return _with_cut_list(sheets, printing, _legend(legend, printing))


def _in_sprue(sorts: Sorts, printing: Printing, legend: str) -> Pages:
    """Pieces in the slots that the printing's sprue has for them, in their order."""
    pattern = printing.pattern
    assert pattern is not None
    waiting: dict[tuple[Size, Shape], deque[Piece[Face]]] = {}
    for sort, pieces in sorts.items():
        if (sort.size, sort.shape) not in pattern.fits:
            names = listed(dict.fromkeys(_said(fit.size, fit.shape) for fit in pattern.fits))
            raise _NoRoomError(
                sort,
                f"the sprue '{pattern.name}' has no slot for {_said(sort.size, sort.shape)}; its slots are {names}; "
                "choose another sprue, or cards with --only",
            )
        waiting.setdefault((sort.size, sort.shape), deque()).extend(pieces)
    sheets: list[Sheet[Face]] = []
    while any(waiting.values()):
        dealt = (waiting[fit].popleft() if waiting.get(fit) else None for fit in pattern.fits)
        sheets.append(Sheet(pattern.sprue, tuple(dealt)))
    return _with_cut_list(sheets, printing, f"{legend} · {pattern.name}")


def _said(size: Size, shape: Shape) -> str:
    return f"{size}, round" if shape is Shape.ROUND else str(size)


def _with_cut_list(sheets: Sequence[Sheet[Face]], printing: Printing, legend: str) -> Pages:
    """The sides of some sheets, and behind them how they are cut; a piece alone on its sheet needs no telling."""
    found = pages(sheets, printing.sheet, legend)
    if not printing.cut_list or all(len(sheet.pieces) == 1 for sheet in sheets):
        return found
    return (*found, *cut_lists(sheets, legend, folded=printing.sheet.backs is Backs.GUTTERFOLD))


LAYOUTS: Mapping[str, Layout] = {"grid": _grid, PACKED: _packed, "single": _single}


def lay(cards: Iterable[Made], qty: int | None, printing: Printing, legend: str) -> list[Page[Face]]:
    """The pages of some cards. `qty` stands for the copies that the cards ask for.

    Raises CardgenError for a card that is larger than the paper, or that no slot of the sprue is for.
    """
    layout = _in_sprue if printing.pattern else LAYOUTS[printing.layout]
    sorts: dict[Sort, list[Piece[Face]]] = {}
    first: dict[Sort, Made] = {}
    for made in cards:
        # To the thousandth of a millimetre, or sides that are equal on paper would not be so in numbers.
        size = Size(*(round(side, 3) for side in made.size))
        sort = Sort(size, made.piece.shape, made.piece.may_turn)
        first.setdefault(sort, made)
        sorts.setdefault(sort, []).extend([made.piece] * (qty or made.entry.card.qty))
    try:
        return list(layout(sorts, printing, legend))
    except _NoRoomError as error:
        place, code = first[error.sort].entry.place(("size",)), BAD_SPRUE if printing.pattern else NO_ROOM
        raise CardgenError(Diagnostic(code, str(error), place)) from None


def _legend(legend: str, printing: Printing) -> str:
    return f"{legend} · {paper_name(printing.sheet.paper).upper()}"
