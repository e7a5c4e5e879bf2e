"""From cards to documents: what of all that there is belongs into which file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.deck import Deck, Entry
from cardgen.model.selection import select
from cardgen.pipeline import packs
from cardgen.pipeline.deriving import derived, made_kinds
from cardgen.pipeline.loading import game_called, libraries
from cardgen.pipeline.request import Request
from cardgen.project import Project

NOTHING_TO_PRINT = "CG522"


class Series(NamedTuple):
    """Documents that become one where pieces of all kinds share sheets: the name of that, and its title."""

    stem: str
    title: str


@dataclass(frozen=True, slots=True)
class Document:
    """Cards that go into one file: its name without paper and suffix, its title, and the cards with their numbers."""

    stem: str
    title: str
    series: Series
    cards: tuple[tuple[int, Entry], ...]


def documents(request: Request, project: Project, deck: Deck) -> list[Document]:
    """What is to be built, and in which files.

    Raises CardgenError for names that nothing has, for a card that a piece cannot be made from, and where nothing is
    left to print.
    """
    found = _pack(request, project, deck) if request.warband else _kinds(request, deck)
    if not found:
        raise CardgenError(
            Diagnostic(NOTHING_TO_PRINT, "there is no card to print", Place(project.shown(project.root)))
        )
    return found


def _kinds(request: Request, deck: Deck) -> list[Document]:
    """One document for each kind; a card keeps its number when only some cards are built."""
    pool = replace(deck, cards=(*deck.cards, *_pieces(request, deck)))
    numbers: dict[tuple[str, str], Iterator[int]] = {}
    numbered = {id(entry): next(numbers.setdefault((entry.game, entry.kind), count(1))) for entry in pool.cards}
    groups: dict[tuple[str, str], list[tuple[int, Entry]]] = {}
    for entry in select(pool, request.only).cards:
        if game_called(entry.game).kinds[entry.kind].printed:
            groups.setdefault((entry.game, entry.kind), []).append((numbered[id(entry)], entry))
    return [
        Document(f"{game}-{kind}", f"{name}: {kind}", Series(f"{game}-kit", f"{name}: kit"), tuple(cards))
        for (game, kind), cards in sorted(groups.items(), key=lambda item: item[0])
        for name in (game_called(game).name,)
    ]


def _pieces(request: Request, deck: Deck) -> Iterator[Entry]:
    """The pieces made from cards: all for the whole kit, else those whose kind is asked for by its name."""
    asked = {word.casefold() for word in request.only}
    for game in dict.fromkeys(entry.game for entry in deck.cards):
        kinds = made_kinds(game) if request.kit else made_kinds(game) & asked
        if kinds:
            yield from _made((entry for entry in deck.cards if entry.game == game), kinds)


def _made(entries: Iterable[Entry], kinds: Iterable[str]) -> list[Entry]:
    found = list(derived(entries, frozenset(kinds)))
    stop_on_errors(dict.fromkeys(each for each in found if isinstance(each, Diagnostic)))
    return [each for each in found if isinstance(each, Entry)]


def _pack(request: Request, project: Project, deck: Deck) -> list[Document]:
    """The documents of one list of cards, such as a warband, without those in which nothing is."""
    entry, pack = packs.owner(request.warband or "", deck)
    needed = packs.contents(entry, pack, deck, libraries(project, project.card_files(request.paths)))
    chosen = select(replace(deck, cards=tuple(needed)), request.only).cards
    found = []
    for name, kinds in pack.documents.items():
        cards = sorted((each for each in chosen if each.kind in kinds), key=lambda each: kinds.index(each.kind))
        if cards:
            of = Series(f"{entry.card.id}-{name}", f"{entry.card.name}: {name}")
            found.append(Document(*of, of, tuple(enumerate(cards, 1))))
    return found
