"""Cards that know of each other: every id stands for one card, and every reference finds its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from cardgen.diagnostic import Diagnostic, Place
from cardgen.model.codes import Code
from cardgen.model.entry import Entry
from cardgen.model.file import Rejected
from cardgen.model.links import Link, links
from cardgen.shape.suggestion import MOST_OFFERED, did_you_mean, listed

# Cards by game, kind, and id or name.
Index: TypeAlias = Mapping[tuple[str, str, str], tuple[Entry, ...]]


def index(entries: Iterable[Entry]) -> Index:
    """The cards by everything that a reference may call them."""
    found: dict[tuple[str, str, str], tuple[Entry, ...]] = {}
    for entry in entries:
        for name in dict.fromkeys((entry.card.id, entry.card.name)):
            key = (entry.game, entry.kind, name)
            found[key] = (*found.get(key, ()), entry)
    return found


def matching(known: Index, game: str, kind: str, name: str) -> tuple[Entry, ...]:
    """The cards of a game and a kind that have `name` as their id, or else as their name."""
    found = known.get((game, kind, name), ())
    return tuple(entry for entry in found if entry.card.id == name) or found


def duplicate_ids(entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """A diagnostic for every card whose id another one of its game before it has."""
    first: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        other = first.setdefault((entry.game, entry.card.id), entry)
        if other is not entry:
            message = f"the id '{entry.card.id}' stands for two cards"
            related = ((_naming(other), "first defined here"),)
            yield Diagnostic(
                Code.DUPLICATE_ID, message, _naming(entry), "give one of them an 'id' of its own", related=related
            )


def linked(entries: Iterable[Entry], known: Index) -> Iterator[Entry]:
    """The cards, each with those that it names and that are there."""
    for entry in entries:
        found = {
            (link.kind, link.name): matching(known, entry.game, link.kind, link.name) for link in links(entry.card)
        }
        yield replace(entry, links={key: cards[0] for key, cards in found.items() if cards}) if found else entry


def open_links(entries: Iterable[Entry], known: Index) -> list[tuple[Entry, Link]]:
    """The references that do not lead to one card, with the cards that make them."""
    return [
        (entry, link)
        for entry in entries
        for link in links(entry.card)
        if len(matching(known, entry.game, link.kind, link.name)) != 1
    ]


def broken_links(
    found: Iterable[tuple[Entry, Link]], known: Index, rejected: Sequence[Rejected]
) -> Iterator[Diagnostic]:
    """A diagnostic for every open link, but none for links to cards that are wrong themselves."""
    for entry, link in found:
        matches = matching(known, entry.game, link.kind, link.name)
        if matches:
            yield _ambiguous(entry, link, matches)
        elif not any(_may_mean(link, entry.game, card) for card in rejected):
            yield _unknown(entry, link, known)


def _ambiguous(entry: Entry, link: Link, matches: Sequence[Entry]) -> Diagnostic:
    message = f"'{link.name}' is the name of {len(matches)} cards"
    related = tuple((_naming(match), f"one has the id '{match.card.id}'") for match in matches)
    return Diagnostic(Code.AMBIGUOUS_REFERENCE, message, entry.place(link.route), "write an id", related=related)


def _unknown(entry: Entry, link: Link, known: Index) -> Diagnostic:
    called = {name: cards for (game, kind, name), cards in known.items() if (game, kind) == (entry.game, link.kind)}
    message = f"there is no {link.kind} '{link.name}'{did_you_mean(link.name, called)}"
    others = [kind for game, kind, name in known if game == entry.game and name == link.name]
    there = sorted({card.card.name for cards in called.values() for card in cards})[:MOST_OFFERED]
    such_as = f", such as {listed(there)}" if there else ""
    advice = f"'{link.name}' is of the kind {others[0]}" if others else f"write the id or the name of one{such_as}"
    return Diagnostic(Code.UNKNOWN_REFERENCE, message, entry.place(link.route), advice)


def _may_mean(link: Link, game: str, card: Rejected) -> bool:
    return card.game == game and card.kind in ("", link.kind) and link.name in card.names


def _naming(entry: Entry) -> Place:
    """Where a card gets its id: from the id, or from the name."""
    return entry.place(("id",) if entry.origin.holds("id") else ("name",))
