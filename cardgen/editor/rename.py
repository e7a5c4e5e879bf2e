"""Rename a card and everything that refers to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place, Severity
from cardgen.editor.cursor import Cursor
from cardgen.editor.references import CardReference, name_place, named_cards, references_to
from cardgen.editor.scalars import is_block, scalar_like
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.text import TextEdit, offset_at
from cardgen.model.entry import Entry
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.validation.suggestion import MAX_NAME_LENGTH, slugify

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
    return [_edit(session, own, new), *reference_edits(session, loaded, card, after)]


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
    """Yield the edits of the references to a card that gets other names. Raises RenameError."""
    old, done = Names.of(card), set[Place]()
    for reference in references_to(loaded, card):
        new = _new_reference(reference, old, after)
        if new is not None and reference.place not in done:
            done.add(reference.place)
            _require_editable(session, reference.place)
            yield _edit(session, reference.place, new, reference.link.name)


def _new_reference(reference: CardReference, old: Names, after: Names) -> str | None:
    """Return the new text of a reference; None if it stays the same."""
    before = reference.link.name
    new = after.id if before == old.id else after.name
    return new if new != before else None


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
