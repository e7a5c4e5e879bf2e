"""Pieces that are larger than the paper: they are left out, so that the others are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from cardgen.diagnostic import Diagnostic, Severity
from cardgen.model.entry import Entry
from cardgen.pipeline.build.layouts import PieceFormat, format_of, room_problem
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.options import PrintSetup
from cardgen.sheet.leaf import Backs
from cardgen.units import PAPER_SIZES

if TYPE_CHECKING:
    from cardgen.pipeline.build.output_formats import OutputJob
    from cardgen.pipeline.build.render import RenderedCard

LargePieces: TypeAlias = "tuple[tuple[RenderedCard, Diagnostic], ...]"


def split_large_pieces(jobs: Sequence[OutputJob]) -> tuple[Sequence[OutputJob], LargePieces]:
    """Return jobs without the pieces that do not fit on their sheets, and these pieces, each with a warning.

    If nothing else would be left, the jobs are unchanged, and laying them out reports the error.
    """
    fitting: list[OutputJob] = []
    large: list[tuple[RenderedCard, Diagnostic]] = []
    for job in jobs:
        warnings = {id(card): too_large(card.entry, format_of(card), job.setup) for _, card in job.cards}
        large += [(card, warning) for _, card in job.cards if (warning := warnings[id(card)])]
        cards = tuple((number, card) for number, card in job.cards if not warnings[id(card)])
        fitting += [job._replace(cards=cards)] if cards else []
    return (fitting, tuple(large)) if fitting else (jobs, ())


def too_large(entry: Entry, piece: PieceFormat, setup: PrintSetup) -> Diagnostic | None:
    """Return a warning about a piece that is left out of its sheets, with what to do; None for any other.

    If a sprue has no slot for a piece, it is the wrong sprue, and laying it out is an error; but no sprue has slots for
    lists of cards.
    """
    if setup.sprue and not _is_list(entry):
        return None
    found = room_problem(entry, piece, setup)
    if found is None:
        return None
    message = f"{found.message.partition(';')[0]}; {_advice(entry, piece, setup)}"
    return found._replace(severity=Severity.WARNING, message=message)


def _is_list(entry: Entry) -> bool:
    """Return whether a card is a list of cards, such as a roster."""
    pack = require_game(entry.game).pack
    return pack is not None and entry.kind in pack.kinds


def _advice(entry: Entry, piece: PieceFormat, setup: PrintSetup) -> str:
    only, flat = f"--only {entry.card.id}", setup._replace(sprue=None)
    if setup.sheet.backs is Backs.GUTTERFOLD:
        unfolded = flat._replace(sheet=setup.sheet._replace(backs=Backs.NONE))
        if room_problem(entry, piece, unfolded) is None:
            return f"print it on a whole sheet: cardgen build --no-backs {only}"
    for paper, size in PAPER_SIZES.items():
        if room_problem(entry, piece, flat._replace(sheet=setup.sheet._replace(paper=size))) is None:
            return f"print it on {paper}: cardgen build --paper {paper} {only}"
    return "use larger paper or a smaller margin"
