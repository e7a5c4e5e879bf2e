"""Symbols of documents and of the project: the cards and their parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cardgen.diagnostic import Span
from cardgen.editor.references import location, name_place
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.text import Location, span_of
from cardgen.pipeline.load.deck import built_in_cards
from cardgen.source import Data, Document
from cardgen.source.positions import Node, extent

MOST_SYMBOLS = 200
_NAME_KEYS = ("name", "id", "title", "character", "minion", "kind")


class Symbol(NamedTuple):
    """A card or a part of one; `name_span` lies in `span`."""

    name: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()
    is_card: bool = False


class ProjectSymbol(NamedTuple):
    """A card of the project."""

    name: str
    kind: str
    location: Location


def document_symbols(document: Document) -> tuple[Symbol, ...]:
    """Return the cards of a file, or the keys of a file that has none."""
    root, data = document.root, document.data
    if root is None or not isinstance(data, dict) or not isinstance(root.children, dict):
        return ()
    cards = root.child("cards")
    if cards is not None and isinstance(data["cards"], list):
        kind = _kind(data)
        pairs = zip(data["cards"], cards.children or (), strict=False)
        return tuple(
            _symbol(document, _name_of(card), kind, card, node) for card, node in pairs if isinstance(node, Node)
        )
    if isinstance(data.get("name"), str):
        return (_symbol(document, str(data["name"]), _kind(data), data, root),)
    return tuple(_children(document, data, root))


def _kind(data: object) -> str:
    kind = data.get("kind") if isinstance(data, dict) else None
    return kind if isinstance(kind, str) else ""


def _name_of(value: object) -> str:
    names = (value.get(key) for key in _NAME_KEYS) if isinstance(value, dict) else ()
    return next((name for name in names if isinstance(name, str) and name.strip()), "card")


def _symbol(document: Document, name: str, kind: str, data: Data, node: Node) -> Symbol:
    own_name = node.child("name")
    name_range = own_name.value_range if own_name else node.key_range
    children = tuple(_children(document, data, node))
    span = span_of(document, *extent(node))
    return Symbol(name, _kind(data) or kind, span, span_of(document, *name_range), children, is_card=True)


def _children(document: Document, data: Data, node: Node) -> Iterator[Symbol]:
    children = node.children.items() if isinstance(node.children, dict) else ()
    for key, child in children:
        value = data.get(key) if isinstance(data, dict) else None
        if key != "name":
            detail = "" if isinstance(value, dict | list) or value is None else str(value)[:60]
            yield Symbol(key or "''", detail, span_of(document, *extent(child)), span_of(document, *child.key_range))


def project_symbols(session: Session, loaded: LoadedProject, query: str) -> list[ProjectSymbol]:
    """Return the cards whose name, id, or kind contains the letters of a query in order."""
    wanted = query.casefold().replace(" ", "")
    matches = (
        entry for entry in loaded.deck.cards if _matches(wanted, f"{entry.card.name} {entry.card.id} {entry.kind}")
    )
    return [
        ProjectSymbol(entry.card.name, entry.kind, location(session, name_place(entry)))
        for entry, _ in zip(matches, range(MOST_SYMBOLS), strict=False)
    ]


def _matches(wanted: str, text: str) -> bool:
    letters = iter(text.casefold())
    return all(letter in letters for letter in wanted)


def card_index(
    loaded: LoadedProject, game: str, kinds: tuple[str, ...], prefix: str = ""
) -> list[tuple[str, str, str]]:
    """Return name, id, and kind of the cards of some kinds, sorted by name.

    They are those of the project, and those of the game that begin with a prefix.
    """
    entries = [entry for found in loaded.deck.index.values() for entry in found]
    start = prefix.casefold()
    built_in = built_in_cards(loaded.project, game) if kinds else ()
    entries += [one for one in built_in if one.card.name.casefold().startswith(start) or one.card.id.startswith(start)]
    return sorted({(one.card.name, one.card.id, one.kind) for one in entries if one.game == game and one.kind in kinds})
