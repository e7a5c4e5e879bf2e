"""Cards at positions, and the places that refer to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import Place
from cardgen.editor.cursor import Cursor
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.text import Location, span_at
from cardgen.model.entry import Entry
from cardgen.model.references import Link, find_links, find_matches
from cardgen.source import KeyPath

_NAME_KEYS = ("name", "id")


class CardReference(NamedTuple):
    """A place at which a card is named: in another card, or in its own `name` or `id`."""

    entry: Entry
    link: Link
    place: Place


def card_path(entry: Entry) -> KeyPath:
    """Return the key path of a card in its document."""
    return entry.source_map.key_paths[0]


def entry_at(session: Session, loaded: LoadedProject, path: Path, key_path: KeyPath) -> Entry | None:
    """Return the card that contains a key path of a file."""
    for entry in loaded.deck.cards:
        own = card_path(entry)
        if key_path[: len(own)] == own and session.path_of(Place(entry.document.file)) == path:
            return entry
    return None


def named_cards(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor) -> tuple[Entry, ...]:
    """Return the cards that the value at a position names: the one around it, or those that it refers to."""
    entry = entry_at(session, loaded, path, cursor.path)
    if entry is None:
        return ()
    inner = cursor.path[len(card_path(entry)) :]
    if len(inner) == 1 and inner[0] in _NAME_KEYS:
        return (entry,)
    for link in find_links(entry.card):
        if cursor.path in (entry.source_map.source_path(link.key_path), link.key_path):
            return targets(loaded, entry, link)
    return ()


def targets(loaded: LoadedProject, entry: Entry, link: Link) -> tuple[Entry, ...]:
    """Return the cards that a link of a card can mean."""
    return tuple(each for kind in link.kinds for each in find_matches(loaded.deck.index, entry.game, kind, link.name))


def same_card(one: Entry, other: Entry) -> bool:
    """Return whether two entries are the same card; resolving links makes another entry of it."""
    return one.card is other.card


def references_to(loaded: LoadedProject, card: Entry) -> Iterator[CardReference]:
    """Yield the places in other cards that name a card."""
    for entry in loaded.deck.cards:
        for link in find_links(entry.card) if entry.game == card.game else ():
            if card.kind in link.kinds and any(same_card(card, each) for each in targets(loaded, entry, link)):
                yield CardReference(entry, link, entry.place(link.key_path))


def name_place(entry: Entry) -> Place:
    """Return the place of a card's name."""
    return entry.place(("name",))


def location(session: Session, place: Place) -> Location:
    """Return the location of a place."""
    return Location(session.path_of(place), span_at(place))


def definitions(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor) -> list[Location]:
    """Return where the cards that a position names are written."""
    return [location(session, name_place(entry)) for entry in named_cards(session, loaded, path, cursor)]


def references(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor, *, own: bool) -> list[Location]:
    """Return the places that name the card at a position; with `own`, also that of its name."""
    cards = named_cards(session, loaded, path, cursor)
    places = [reference.place for card in cards for reference in references_to(loaded, card)]
    names = [name_place(card) for card in cards if own]
    return [location(session, place) for place in dict.fromkeys((*names, *places))]
