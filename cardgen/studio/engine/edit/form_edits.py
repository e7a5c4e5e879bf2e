"""Edits of a card's text that a form asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cardgen.editor.form import edits
from cardgen.editor.form.card_form import FormCard, remarks_of
from cardgen.editor.form.schema import first_value
from cardgen.editor.form.sentences import accepted_text, added_sentence
from cardgen.source import Data, KeyPath, parse_document

MOST_CHARACTERS = 20_000
_NOT_READ = "this text cannot be written as effects"


class EditState(NamedTuple):
    """The text after an edit, and the key path to go on with; `fault` says why nothing has changed."""

    text: str
    path: KeyPath = ()
    fault: str = ""


class FormChange(NamedTuple):
    """An edit of a form: what to do with the value at a key path.

    The `argument` is a value, a key, or an index; for `sentence`, it is the sentence.
    """

    action: str
    path: KeyPath
    argument: Data = None


def plain_edit(text: str, change: FormChange) -> EditState | None:
    """Return a text with a change that needs no card, or None for other changes. Raises EditError."""
    if isinstance(change.argument, str) and len(change.argument) > MOST_CHARACTERS:
        raise edits.EditError(f"a text has at most {MOST_CHARACTERS:,} characters")
    edit = _PLAIN_EDITS.get(change.action)
    return edit(text, change.path, change.argument) if edit else None


def card_edit(card: FormCard, text: str, change: FormChange) -> EditState:
    """Return the text of a card with a change that depends on the card. Raises EditError."""
    return _CARD_EDITS[change.action](card, text, change.path, change.argument)


def _set(text: str, path: KeyPath, value: Data) -> EditState:
    return EditState(edits.set_value(text, path, value), path)


def _remove(text: str, path: KeyPath, _: Data) -> EditState:
    return EditState(edits.remove_value(text, path), path[:-1])


def _move(text: str, path: KeyPath, target: Data) -> EditState:
    index = path[-1] if path else None
    if not isinstance(index, int) or not isinstance(target, int):
        raise edits.EditError("only items of a list can be moved")
    return EditState(edits.move_item(text, path[:-1], index, target), (*path[:-1], target))


def _rename(text: str, path: KeyPath, name: Data) -> EditState:
    return EditState(edits.rename_key(text, path, str(name)), (*path[:-1], str(name)))


def _add_example(text: str, path: KeyPath, item: Data) -> EditState:
    """Add an item as another card writes it."""
    value = parse_document(str(item), "").data
    if not isinstance(value, dict):
        raise edits.EditError("this example cannot be read")
    return EditState(edits.append_item(text, path, value), path)


_PLAIN_EDITS: Mapping[str, Callable[[str, KeyPath, Data], EditState]] = {
    "set": _set,
    "remove": _remove,
    "move": _move,
    "rename": _rename,
    "example": _add_example,
}


def _add(card: FormCard, text: str, path: KeyPath, key: Data) -> EditState:
    """Add a key to a map, with a first value."""
    owner = card.node(path)
    below = card.schema.branch_of(card.data) if path == card.path else owner.branch_of({})
    names = list(below.get("properties", {}))
    before = names[: names.index(str(key))] if key in names else []
    value = first_value(card.node((*path, str(key))))
    return EditState(edits.add_key(text, path, str(key), value, before), (*path, str(key)))


def _insert(card: FormCard, text: str, path: KeyPath, index: Data) -> EditState:
    """Add an item to a list."""
    at = index if isinstance(index, int) else 0
    value = first_value(card.node((*path, at)))
    return EditState(edits.insert_item(text, path, at, value), (*path, at))


def _write_in_full(card: FormCard, text: str, path: KeyPath, _: Data) -> EditState:
    """Write the short form of a part as a map."""
    full = remarks_of(card).in_full.get(path)
    if full is None:
        raise edits.EditError("this part cannot be written with more fields while the card has problems")
    return EditState(edits.set_value(text, path, full), path)


def _accept(card: FormCard, text: str, path: KeyPath, _: Data) -> EditState:
    """Replace a text by the effects that were read from it."""
    after = accepted_text(card, path)
    return EditState(after, path[:-1]) if after is not None else EditState(text, path, _NOT_READ)


def _add_sentence(card: FormCard, text: str, path: KeyPath, sentence: Data) -> EditState:
    """Add the effects that were read from a sentence to a part."""
    return EditState(added_sentence(card, text, path, str(sentence)), path)


_CARD_EDITS: Mapping[str, Callable[[FormCard, str, KeyPath, Data], EditState]] = {
    "add": _add,
    "insert": _insert,
    "full": _write_in_full,
    "accept": _accept,
    "sentence": _add_sentence,
}
