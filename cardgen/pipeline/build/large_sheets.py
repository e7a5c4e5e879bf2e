"""Rosters and other lists that are larger than the paper: they are left out, so that the cards are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Severity
from cardgen.model.entry import Entry
from cardgen.pipeline.build.layouts import lay_out
from cardgen.pipeline.build.output_formats import OutputJob
from cardgen.pipeline.build.render import RenderedCard
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.options import PrintSetup
from cardgen.units import PAPER_SIZES

LargeSheets: TypeAlias = tuple[tuple[RenderedCard, Diagnostic], ...]


def split_large_sheets(jobs: Sequence[OutputJob]) -> tuple[Sequence[OutputJob], LargeSheets]:
    """Return jobs without the lists that do not fit on their sheets, and these lists, each with a warning.

    If nothing else would be left, the jobs are unchanged, and laying them out reports the error.
    """
    fitting: list[OutputJob] = []
    large: list[tuple[RenderedCard, Diagnostic]] = []
    for job in jobs:
        lists = list_kinds(card.entry for _, card in job.cards)
        warnings = {id(card): _misfit(card, job.setup) for _, card in job.cards if _key(card.entry) in lists}
        large += [(card, warning) for _, card in job.cards if (warning := warnings.get(id(card)))]
        cards = tuple((number, card) for number, card in job.cards if not warnings.get(id(card)))
        fitting += [job._replace(cards=cards)] if cards else []
    return (fitting, tuple(large)) if fitting else (jobs, ())


def list_kinds(entries: Iterable[Entry]) -> set[tuple[str, str]]:
    """Return the game and kind of all cards that are lists of cards, such as rosters."""
    packs = {(game, kind): require_game(game).pack for game, kind in set(map(_key, entries))}
    return {key for key, pack in packs.items() if pack is not None and key[1] in pack.kinds}


def _key(entry: Entry) -> tuple[str, str]:
    return entry.game, entry.kind


def _misfit(card: RenderedCard, setup: PrintSetup) -> Diagnostic | None:
    """Return a warning about a card that does not fit on a sheet, with what to do; None for one that fits."""
    try:
        lay_out((card,), 1, setup, "")
    except CardgenError as error:
        found = error.diagnostics[0]
        message = f"{found.message.partition(';')[0]}; {_advice(card, setup)}"
        return found._replace(severity=Severity.WARNING, message=message)
    return None


def _advice(card: RenderedCard, setup: PrintSetup) -> str:
    paper = next((name for name in PAPER_SIZES if _fits_on(name, card, setup)), "")
    if not paper:
        return "use larger paper or a smaller margin"
    return f"print it on {paper}: cardgen build --paper {paper} --only {card.entry.card.id}"


def _fits_on(paper: str, card: RenderedCard, setup: PrintSetup) -> bool:
    try:
        lay_out((card,), 1, setup._replace(sprue=None, sheet=setup.sheet._replace(paper=PAPER_SIZES[paper])), "")
    except CardgenError:
        return False
    return True
