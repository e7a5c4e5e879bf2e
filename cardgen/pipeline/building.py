"""From cards to files: drawn, dealt onto sheets, and written."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import files, pdf
from cardgen.face.face import Face
from cardgen.pipeline.drawing import Drawer, Stack
from cardgen.pipeline.loading import game_called, load_deck
from cardgen.pipeline.request import Built, Request, Tally, Watcher, nobody, paper_name
from cardgen.sheet.duplex import Backs
from cardgen.sheet.imposition import SheetSettings, impose
from cardgen.sheet.page import Page, Side

NOTHING_TO_PRINT, NO_ROOM = "CG522", "CG523"

_DUPLEX = {Backs.LONG_EDGE: "DuplexFlipLongEdge", Backs.SHORT_EDGE: "DuplexFlipShortEdge"}


def build(request: Request, watcher: Watcher = nobody) -> Built:
    """Build print sheets: one PDF for each kind of card, all of them or none.

    Raises CardgenError with all that is wrong in the cards, in their templates, or in how their texts fit.
    """
    started = time.monotonic()
    project, deck = load_deck(request.paths, request.only)
    settings = request.sheet_settings(project)
    cards = [entry for entry in deck.cards if game_called(entry.game).kinds[entry.kind].printed]
    if not cards:
        raise CardgenError(
            Diagnostic(NOTHING_TO_PRINT, "there is no card to print", Place(project.shown(project.root)))
        )
    drawer = Drawer(project)
    tally = Tally(watcher, total=2 * len(cards))
    stacks = drawer.stacks(cards, request.qty, backs=settings.backs is not Backs.NONE, tally=tally)
    documents: dict[Path, bytes] = {}
    sheets = 0
    for (game, kind), group in groupby(sorted(stacks, key=_of_kind), key=_of_kind):
        pages = _pages(tuple(group), settings)
        sheets += sum(page.side is not Side.BACK for page in pages)
        about = pdf.About(f"{game_called(game).name}: {kind}", duplex=_DUPLEX.get(settings.backs, ""))
        path = request.output / f"{game}-{kind}-{paper_name(settings.paper)}.pdf"
        documents[path] = pdf.write(pages, drawer.fonts, about)
        tally.step(path.name)
    for path, content in documents.items():
        files.write(path, content)
    copies = sum(len(stack.pieces) for stack in stacks)
    return Built(tuple(documents), len(cards), copies, sheets, time.monotonic() - started)


def _of_kind(stack: Stack) -> tuple[str, str]:
    return (stack.game, stack.kind)


def _pages(stacks: Sequence[Stack], settings: SheetSettings) -> list[Page[Face]]:
    """The sheets of one kind; cards of another size have sheets of their own."""
    pages: list[Page[Face]] = []
    for stack in stacks:
        title = f"{game_called(stack.game).name} {stack.kind} · {paper_name(settings.paper).upper()}"
        try:
            pages.extend(impose(stack.pieces, stack.size, settings, title))
        except ValueError as error:
            raise CardgenError(Diagnostic(NO_ROOM, str(error), stack.entry.place(("size",)))) from None
    return pages
