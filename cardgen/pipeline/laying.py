"""From made cards to pages: the layouts by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.face import Face
from cardgen.pipeline.drawing import Made
from cardgen.pipeline.request import paper_name
from cardgen.project import Settings
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import Piece, SheetSettings, impose
from cardgen.sheet.page import Page
from cardgen.sheet.single import single
from cardgen.units import Size

NO_ROOM = "CG523"

Pages: TypeAlias = Sequence[Page[Face]]
# Pieces of one size, their size, the settings and a legend become pages; ValueError says why they cannot.
Layout: TypeAlias = Callable[[Sequence[Piece[Face]], Size, Settings, str], Pages]


def _grid(pieces: Sequence[Piece[Face]], card: Size, settings: Settings, legend: str) -> Pages:
    sheet = SheetSettings(settings.paper, settings.margin, settings.gap, settings.bleed, Backs(settings.backs))
    return impose(pieces, card, sheet, f"{legend} · {paper_name(settings.paper).upper()}")


def _single(pieces: Sequence[Piece[Face]], card: Size, settings: Settings, legend: str) -> Pages:
    return tuple(single(pieces, card, settings.bleed, backs=Backs(settings.backs) is not Backs.NONE))


LAYOUTS: Mapping[str, Layout] = {"grid": _grid, "single": _single}


def lay(cards: Iterable[Made], qty: int | None, settings: Settings, legend: str) -> list[Page[Face]]:
    """The pages of one kind; cards of another size have pages of their own.

    `qty` stands for the copies that the cards ask for. Raises CardgenError for a card that is larger than the paper.
    """
    layout = LAYOUTS[settings.layout]
    sizes: dict[Size, list[Made]] = {}
    for made in cards:
        sizes.setdefault(made.size, []).append(made)
    pages: list[Page[Face]] = []
    for size, group in sizes.items():
        pieces = [made.piece for made in group for _ in range(qty or made.entry.card.qty)]
        try:
            pages.extend(layout(pieces, size, settings, legend))
        except ValueError as error:
            raise CardgenError(Diagnostic(NO_ROOM, str(error), group[0].entry.place(("size",)))) from None
    return pages
