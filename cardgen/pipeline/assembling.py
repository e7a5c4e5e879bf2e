"""From cards to documents: what of all that there is belongs into which file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.deck import Deck, Entry
from cardgen.model.selection import select_cards
from cardgen.pipeline import packs
from cardgen.pipeline.deriving import derive_pieces, derived_kinds
from cardgen.pipeline.loading import libraries, require_game
from cardgen.pipeline.request import BuildRequest
from cardgen.project import Project

NOTHING_TO_PRINT = "CG522"


class Series(NamedTuple):
    """Documents that become one where pieces of all kinds share sheets: the name of that, and its title."""

    stem: str
    title: str


@dataclass(frozen=True, slots=True)
class PrintDocument:
    """Cards that go into one file: its name without paper and suffix, its title, and the cards with their numbers."""

    stem: str
    title: str
    series: Series
    cards: tuple[tuple[int, Entry], ...]


def plan_documents(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """What is to be built, and in which files.

    Raises CardgenError for names that nothing has, for a card that a piece cannot be made from, and where nothing is
    left to print.
    """
    planned = _pack_documents(request, project, deck) if request.warband else _documents_by_kind(request, deck)
    if not planned:
        raise CardgenError(
            Diagnostic(NOTHING_TO_PRINT, "there is no card to print", Place(project.display_path(project.root)))
        )
    return planned


def _documents_by_kind(request: BuildRequest, deck: Deck) -> list[PrintDocument]:
    """One document for each kind; a card keeps its number when only some cards are built."""
    pool = replace(deck, cards=(*deck.cards, *_requested_pieces(request, deck)))
    numbers: dict[tuple[str, str], Iterator[int]] = {}
    numbered = {id(entry): next(numbers.setdefault((entry.game, entry.kind), count(1))) for entry in pool.cards}
    groups: dict[tuple[str, str], list[tuple[int, Entry]]] = {}
    for entry in select_cards(pool, request.only).cards:
        if require_game(entry.game).kinds[entry.kind].is_printed:
            groups.setdefault((entry.game, entry.kind), []).append((numbered[id(entry)], entry))
    return [
        PrintDocument(f"{game}-{kind}", f"{name}: {kind}", Series(f"{game}-kit", f"{name}: kit"), tuple(cards))
        for (game, kind), cards in sorted(groups.items(), key=lambda item: item[0])
        for name in (require_game(game).name,)
    ]


def _requested_pieces(request: BuildRequest, deck: Deck) -> Iterator[Entry]:
    """The pieces made from cards: all for the whole kit, else those whose kind is asked for by its name."""
    requested = {word.casefold() for word in request.only}
    for game in dict.fromkeys(entry.game for entry in deck.cards):
        kinds = derived_kinds(game) if request.kit else derived_kinds(game) & requested
        if kinds:
            yield from _derive_all((entry for entry in deck.cards if entry.game == game), kinds)


def _derive_all(entries: Iterable[Entry], kinds: Iterable[str]) -> list[Entry]:
    outcomes = list(derive_pieces(entries, frozenset(kinds)))
    stop_on_errors(dict.fromkeys(each for each in outcomes if isinstance(each, Diagnostic)))
    return [each for each in outcomes if isinstance(each, Entry)]


def _pack_documents(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """The documents of one list of cards, such as a warband, without those in which nothing is."""
    entry, pack = packs.find_pack_owner(request.warband or "", deck)
    entries = packs.pack_contents(entry, pack, deck, libraries(project, project.find_card_files(request.paths)))
    chosen = select_cards(replace(deck, cards=tuple(entries)), request.only).cards
    planned = []
    for name, kinds in pack.documents.items():
        cards = sorted((each for each in chosen if each.kind in kinds), key=lambda each: kinds.index(each.kind))
        if cards:
            of = Series(f"{entry.card.id}-{name}", f"{entry.card.name}: {name}")
            planned.append(PrintDocument(*of, of, tuple(enumerate(cards, 1))))
    return planned
