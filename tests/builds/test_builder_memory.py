from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from cardgen.builds import builder
from cardgen.builds.builder import Builder, OpenDocuments
from cardgen.deck.deck import load_whole_deck
from cardgen.export.pdf import writer
from cardgen.face.face import Item
from cardgen.model.card import Card
from cardgen.print.render import RenderedCard
from cardgen.print.request import BuildRequest
from tests.projects import Folder

NAMES = ("Anna", "Bert", "Carl", "Dora", "Emil", "Fred")


@pytest.mark.parametrize("own_template", [False, True])
def test_cards_are_freed_before_a_pdf_is_written(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, own_template: bool
) -> None:
    if own_template:
        folder.plain()
    folder.minions(*"ABCDEFGH")
    write = writer.write_file
    cards: list[weakref.ref[Card]] = []
    alive: list[Card | None] = []

    def load(*given: Any, **named: Any) -> Any:
        project, deck = load_whole_deck(*given, **named)
        cards.extend(weakref.ref(entry.card) for entry in deck.cards)
        return project, deck

    def write_file(*given: Any, **named: Any) -> Any:
        gc.collect()
        alive.extend(each() for each in cards)
        return write(*given, **named)

    monkeypatch.setattr(builder, "load_whole_deck", load)
    monkeypatch.setattr(writer, "write_file", write_file)
    result = Builder(BuildRequest(formats=("pdf",))).build()
    assert (result.cards, len(alive)) == (8, 8)
    # The variable of a loop, and the cards with which the two imported templates were read.
    assert sum(each is not None for each in alive) <= 3


def test_each_card_is_freed_when_it_is_drawn(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.minions(*NAMES)
    draw, cards, alive = OpenDocuments.draw, list[weakref.ref[Card]](), list[int]()

    def load(*given: Any, **named: Any) -> Any:
        project, deck = load_whole_deck(*given, **named)
        cards.extend(weakref.ref(entry.card) for entry in deck.cards)
        return project, deck

    def record(self: OpenDocuments, number: int, card: RenderedCard) -> RenderedCard:
        gc.collect()
        alive.append(sum(each() is not None for each in cards))
        return draw(self, number, card)

    monkeypatch.setattr(builder, "load_whole_deck", load)
    monkeypatch.setattr(OpenDocuments, "draw", record)
    result = Builder(BuildRequest(jobs=1, qty=2), is_reused=False).build()
    assert (result.cards, result.copies) == (len(NAMES), 2 * len(NAMES))
    assert alive[0] == len(NAMES)
    assert alive[-1] <= 3  # that of the template's last call, and the first one, of a variable


@pytest.mark.parametrize(
    ("formats", "is_reused", "is_kept"),
    [(("pdf",), False, False), (("pdf",), True, True), (("pdf", "svg"), False, True)],
)
def test_faces_are_freed_when_they_are_drawn_unless_they_are_needed_again(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, formats: tuple[str, ...], is_reused: bool, is_kept: bool
) -> None:
    folder.plain().minions("Anna", "Bert")
    write = writer.write_file
    items: list[Item] = []

    def write_file(pages: Any, *given: Any, **named: Any) -> Any:
        items.extend(item for page in pages for placement in page.placements for item in placement.face.items)
        return write(pages, *given, **named)

    monkeypatch.setattr(writer, "write_file", write_file)
    Builder(BuildRequest(formats=formats), is_reused=is_reused).build()
    assert bool(items) is is_kept
