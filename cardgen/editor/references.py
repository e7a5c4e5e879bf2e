"""Cards at positions, and the places that refer to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import built_in_source
from cardgen.diagnostic import MAX_NAME_LENGTH, Code, Diagnostic, Place, Severity, Span, slugify
from cardgen.editor.form import edits
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import Cursor
from cardgen.editor.text import (
    Location,
    TextEdit,
    is_block,
    offset_at,
    scalar_like,
    shared_length,
    span_at,
    span_between,
    span_of,
)
from cardgen.editor.translations import id_places, translation_at
from cardgen.model.card import Entry
from cardgen.model.deck import Link, find_links, find_matches
from cardgen.project_checks.services import latest_release
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.source import Data, Document, KeyPath
from cardgen.source.composer import Node, extent

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
    """Return where the cards that a position names are written, or the source of a translation."""
    if translated := translation_at(loaded, path, cursor.path):
        return [location(session, each) for each in filter(None, [translated.place()])]
    return [location(session, name_place(entry)) for entry in named_cards(session, loaded, path, cursor)]


def references(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor, *, own: bool) -> list[Location]:
    """Return the places that name the card at a position; with `own`, also that of its name."""
    translated = translation_at(loaded, path, cursor.path)
    own_card = [translated.card] if translated and translated.card else []
    cards = own_card or named_cards(session, loaded, path, cursor)
    places = [reference.place for card in cards for reference in references_to(loaded, card)]
    places += (place for card in cards for place in id_places(session, loaded, card))
    names = [name_place(card) for card in cards if own]
    return [location(session, place) for place in dict.fromkeys((*names, *places))]


# Errors of cards that are read nevertheless.
_OF_LINKS = frozenset({Code.DUPLICATE_ID, Code.UNKNOWN_REFERENCE, Code.AMBIGUOUS_REFERENCE})


class RenameError(ValueError):
    """A card cannot be renamed; the text says why."""


class Names(NamedTuple):
    """The names of a card, old or new."""

    name: str
    id: str

    @classmethod
    def of(cls, card: Entry) -> Names:
        """Return the names that a card has."""
        return cls(card.card.name, card.card.id)


def rename_target(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor) -> Entry:
    """Return the card that a position names. Raises RenameError if it is not exactly one, or not of the project."""
    cards = named_cards(session, loaded, path, cursor) if not cursor.at_key else ()
    if len(cards) != 1:
        raise RenameError("place the cursor on the name of a card, or on a reference to one")
    _require_editable(session, name_place(cards[0]))
    return cards[0]


def _require_editable(session: Session, place: Place) -> None:
    path = session.path_of(place)
    if not session.owns(path):
        raise RenameError("the card comes with the game and cannot be renamed")
    if path.suffix.lower() in TABLE_SUFFIXES or place.is_cell:
        raise RenameError(f"'{place.file}' is a table; rename the card in the program that writes it")


def rename_edits(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor, new: str) -> list[TextEdit]:
    """Return the edits that rename the card at a position.

    On an `id`, they change the id. References keep using the id or the name. Raises RenameError.
    """
    card = rename_target(session, loaded, path, cursor)
    require_readable(loaded)
    new = new.strip()
    at_id = cursor.path[-1:] == ("id",)
    has_id = card.source_map.has_key("id")
    old = Names.of(card)
    after = Names(old.name, new) if at_id else Names(new, old.id if has_id else slugify(new))
    require_valid(loaded, card, after, at_id=at_id)
    own = card.place(("id",) if at_id else ("name",))
    return [
        _edit(session, own, new),
        *former_id_edits(session, loaded, card, after),
        *reference_edits(session, loaded, card, after),
    ]


def require_readable(loaded: LoadedProject) -> None:
    """Raise RenameError if some cards cannot be read: their references would keep the old name."""
    first = next(unreadable(loaded.deck.diagnostics), None)
    if first is not None:
        raise RenameError(f"fix the errors in {first.place.file} first; its references would keep the old name")


def unreadable(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics of cards that cannot be read."""
    return (each for each in diagnostics if each.severity is Severity.ERROR and each.code not in _OF_LINKS)


def require_valid(loaded: LoadedProject, card: Entry, after: Names, *, at_id: bool) -> None:
    """Raise RenameError if a card cannot have other names; `at_id` says that it gets an id of its own."""
    if not after.name or len(after.name) > MAX_NAME_LENGTH or not after.name.isprintable():
        raise RenameError(f"a name must have 1 to {MAX_NAME_LENGTH} printable characters")
    if at_id and after.id != slugify(after.id):
        raise RenameError(f"'{after.id}' is not a valid id; write lowercase letters, digits, and single hyphens")
    for other in loaded.deck.cards:
        if other.card is not card.card and other.game == card.game and other.card.id == after.id:
            raise RenameError(f"another card has the id '{after.id}'")


def reference_edits(session: Session, loaded: LoadedProject, card: Entry, after: Names) -> Iterator[TextEdit]:
    """Yield the edits of references to a card, and of its translations, for other names. Raises RenameError."""
    old, done = Names.of(card), set[Place]()
    if after.id != old.id:
        yield from (_edit(session, place, after.id) for place in id_places(session, loaded, card))
    for reference in references_to(loaded, card):
        new = after.id if reference.link.name == old.id else after.name
        if new != reference.link.name and reference.place not in done:
            done.add(reference.place)
            _require_editable(session, reference.place)
            yield _edit(session, reference.place, new, reference.link.name)


def former_id_edits(session: Session, loaded: LoadedProject, card: Entry, after: Names) -> Iterator[TextEdit]:
    """Yield the edit that writes a released id as an earlier one, if the card loses it and the file allows it."""
    old = card.card.id
    released = latest_release(loaded.project)[0] if after.id != old else ()
    if not any((each.game, each.id) == (card.game, old) for each in released):
        return
    earlier = [each for each in dict.fromkeys((*card.card.formerly, old)) if each != after.id]
    path = session.path_of(name_place(card))
    text, at = session.source(path), card_path(card)
    value: Data = earlier[0] if len(earlier) == 1 else [*earlier]
    try:
        is_new = not card.source_map.has_key("formerly")
        changed = (
            edits.add_key(text, at, "formerly", value, _NAME_KEYS)
            if is_new
            else edits.set_value(text, card.source_map.source_path(("formerly",)), value)
        )
    except edits.EditError:
        return
    start = shared_length(text, changed)
    rest = shared_length(text[start:][::-1], changed[start:][::-1])
    yield TextEdit(path, span_between(text, start, len(text) - rest), changed[start : len(changed) - rest])


def _edit(session: Session, place: Place, new: str, within: str = "") -> TextEdit:
    """Return the edit of a scalar; `within` is the part to replace if the scalar has more."""
    path, span = session.path_of(place), place.span
    if span is None:
        raise RenameError(f"'{place.file}' has no place for the name")
    text = session.document(path).line_index.text
    start, end = offset_at(text, span.line, span.column), offset_at(text, span.end_line, span.end_column)
    old = text[start:end]
    if is_block(old):
        raise RenameError(f"{place}: the name is written as a block; write it on one line first")
    if within and old.strip("\"'") != within and old.count(within) == 1:
        return TextEdit(path, span, old.replace(within, new))
    return TextEdit(path, span, scalar_like(old, new))


MOST_SYMBOLS = 200
_SYMBOL_NAMES = ("name", "id", "title", "character", "minion", "kind")


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
    names = (value.get(key) for key in _SYMBOL_NAMES) if isinstance(value, dict) else ()
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
    found, start = [each for named in loaded.deck.index.values() for each in named], prefix.casefold()
    cards = {(one.card.name, one.card.id, one.kind) for one in found if one.game == game and one.kind in kinds}
    built_in = built_in_source(loaded.project, game).cards(game, kinds) if kinds else ()
    names = ((one.name, one.id, one.kind) for one in built_in)
    return sorted(cards | {one for one in names if one[0].casefold().startswith(start) or one[1].startswith(start)})
