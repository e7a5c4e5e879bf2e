"""Cards as wholes: how the text of a file gets a copy of a card or loses one, and who would miss it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from cardgen.deck.deck import built_in_source
from cardgen.diagnostic import MAX_NAME_LENGTH, slugify
from cardgen.editor.form import edits
from cardgen.editor.references import Names, card_path, references_to, same_card
from cardgen.editor.session import LoadedProject
from cardgen.model.card import Entry
from cardgen.project_checks.services import latest_release
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.source import KeyPath, parse_document
from cardgen.source.document import value_at

_COPY = re.compile(r" \(copy(?: \d+)?\)\Z")
_COPY_ID = re.compile(r"-copy(?:-\d+)?\Z")
# Keys that only one card can have.
_OWN_KEYS = ("formerly",)
_LIST = "cards"


class CardEditError(ValueError):
    """A card cannot be copied or removed; the text says why and what to do."""


class TakenNames:
    """The names and ids of all cards of a project and its games, which a new card cannot have."""

    def __init__(self, loaded: LoadedProject, game: str) -> None:
        names = [(each.game, each.card.name, (each.card.id, *each.card.formerly)) for each in loaded.deck.cards]
        built_in = built_in_source(loaded.project, game).cards(game, ())
        names += [(game, each.name, (each.id, *each.formerly)) for each in built_in]
        self._names = {name.casefold() for _, name, _ in names}
        self._ids = {id_ for of, _, ids in names if of == game for id_ in ids}

    def is_free(self, names: Names) -> bool:
        """Return whether no card has one of these names."""
        return names.name.casefold() not in self._names and names.id not in self._ids

    def take(self, card: Entry, name: str = "") -> Names:
        """Return names for a copy of a card that no card has, and keep them from others.

        A `name` that the author has chosen stays as it is. Raises CardEditError if a card has it.
        """
        has_id = card.source_map.has_key("id")
        numbered = (_numbered(card, number, has_id=has_id) for number in count(1))
        names = next(filter(self.is_free, (Names(name, slugify(name)),) if name else numbered), None)
        if names is None:
            raise CardEditError(f"another card has the name '{name}' or its id; choose another name")
        self._names.add(names.name.casefold())
        self._ids.add(names.id)
        return names


def _numbered(card: Entry, number: int, *, has_id: bool) -> Names:
    """Return the names of a copy: 'Ember (copy)', then 'Ember (copy 2)'."""
    mark = "copy" if number == 1 else f"copy {number}"
    end = f" ({mark})"
    name = _COPY.sub("", card.card.name)[: MAX_NAME_LENGTH - len(end)].rstrip() + end
    if not has_id:
        return Names(name, slugify(name))
    end = f"-{slugify(mark)}"
    return Names(name, _COPY_ID.sub("", card.card.id)[: MAX_NAME_LENGTH - len(end)].rstrip("-") + end)


def is_row(card: Entry) -> bool:
    """Return whether a card is a row of a table."""
    return card.document.file.lower().endswith(TABLE_SUFFIXES)


def require_text(card: Entry) -> KeyPath:
    """Return the key path of a card in its file. Raises CardEditError if the card is not written in a text of its own.

    () is the card of a file that has only one.
    """
    path = card_path(card)
    file = card.document.file
    if is_row(card):
        raise CardEditError(f"'{card.card.name}' is a row of {file}; change it in the program that writes the table")
    if path and not (len(path) == 2 and path[0] == _LIST):
        raise CardEditError(f"'{card.card.name}' is written inside another card; change it in the text of {file}")
    return path


def with_copy(text: str, path: KeyPath, names: Names) -> str:
    """Return the text with a copy of the card of a list right below it, with its comments and other names.

    For the card of a whole file, return the text of a file with the copy. Raises EditError.
    """
    if path:
        index = path[-1]
        assert isinstance(index, int)
        text, path = edits.copy_item(text, path[:-1], index), (*path[:-1], index + 1)
    data = value_at(parse_document(text, ""), path)
    keys: Collection[str] = data if isinstance(data, dict) else ()
    text = edits.set_value(text, (*path, "name"), names.name)
    if "id" in keys:
        text = edits.set_value(text, (*path, "id"), names.id)
    for key in _OWN_KEYS:
        if key in keys:
            text = edits.remove_value(text, (*path, key))
    return text


def without_cards(text: str, paths: Iterable[KeyPath]) -> str | None:
    """Return the text without some of its cards and their comments, or None if no card is left. Raises EditError."""
    for path in sorted(paths, reverse=True):
        every = value_at(parse_document(text, ""), path[:-1]) if path else ()
        if not isinstance(every, list) or len(every) <= 1:
            return None
        text = edits.remove_value(text, path)
    return text


_HEADER = ("format", "game", "kind")
_MODELINE = re.compile(r"\A# yaml-language-server:[^\n]*\n")
_MARGIN = 2


def item_of(text: str, path: KeyPath, more: Mapping[str, str]) -> str:
    """Return a card of a text with its comments, as lines of a list whose dashes are two spaces in.

    It gets the defaults of its file, and `more` keys. Raises EditError.
    """
    root = value_at(parse_document(text, ""), ())
    defaults = root.get("defaults", {}) if path and isinstance(root, dict) else {}
    if path:
        cards = edits.layout_at(parse_document(text, ""), path[:-1])
        assert cards
        if cards.is_flow:
            lines = f"{' ' * _MARGIN}{edits.item_text(value_at(parse_document(text, ''), path), _MARGIN)}"
        else:
            items = cards.items()
            lines = _indented(text[slice(*edits.item_lines(items, int(path[-1])))], cards)
    else:
        text = _MODELINE.sub("", text)
        for key in _HEADER:
            if isinstance(root, dict) and key in root:
                text = edits.remove_value(text, (key,))
        lines = _as_item(text)
    item, card = f"{_LIST}:\n{lines}\n", (_LIST, 0)
    own = value_at(parse_document(item, ""), card)
    for key, value in {**more, **(defaults if isinstance(defaults, dict) else {})}.items():
        if isinstance(own, dict) and key not in own:
            item = edits.add_key(item, card, key, value, ("name",))
    return item.partition("\n")[2]


def _indented(lines: str, cards: edits.Layout, margin: int = _MARGIN) -> str:
    """Return the lines of an item of a list with another margin."""
    width = cards.column(cards.node.value_range[0])
    moved = (f"{' ' * margin}{line[width:]}" if line.strip() else "" for line in lines.strip("\n").split("\n"))
    return "\n".join(moved)


def _as_item(text: str) -> str:
    """Return the text of a map as an item of a list; comments before its first key stay above the dash."""
    lines, is_open = [], False
    for line in text.strip("\n").split("\n"):
        is_first = not is_open and line.strip() and not line.startswith("#")
        is_open = is_open or bool(is_first)
        start = "  - " if is_first else "    " if is_open else "  "
        lines.append(f"{start}{line}" if line.strip() else "")
    return "\n".join(lines)


def with_item(text: str, item: str) -> str:
    """Return the text with an item at the end of its list of cards, as `item_of` returns it. Raises EditError."""
    document, value = parse_document(text, ""), value_at(parse_document(f"{_LIST}:\n{item}", ""), (_LIST, 0))
    cards = edits.layout_at(document, (_LIST,))
    if cards and not cards.is_flow and cards.items():
        items = cards.items()
        end = edits.item_lines(items, len(items) - 1)[1]
        before = text[:end] if text[:end].endswith("\n") else f"{text[:end]}\n"
        mini = edits.layout_at(parse_document(f"{_LIST}:\n{item}", ""), (_LIST,))
        assert mini
        lines = _indented(item, mini, cards.column(cards.node.value_range[0]))
        changed = f"{before}{lines}\n{text[end:]}"
    else:
        start, end = cards.value if cards else (0, 0)
        changed = f"{text[:start].rstrip()}\n{item}{text[end:].lstrip(chr(10))}"
    after, expected = parse_document(changed, ""), value_at(document, (_LIST,))
    assert isinstance(expected, list)
    if after.root is None or not edits.is_same(value_at(after, (_LIST,)), [*expected, value]):
        return edits.append_item(text, (_LIST,), value)
    return changed


# Returns a text with a change of the card at a key path.
CardEdit: TypeAlias = Callable[[str, KeyPath], str]


def with_changed_cards(text: str, changes: Mapping[KeyPath, Iterable[CardEdit]]) -> str:
    """Return the text with changes of its cards. Raises EditError.

    Each card of a list is changed in a text of its own, because that takes much less time in a long list.
    """
    document = parse_document(text, "")
    cards = edits.layout_at(document, (_LIST,))
    if cards is None or cards.is_flow or len(changes) == 1:
        return _changed_in_place(text, changes)
    items, parts, end, expected = cards.items(), list[str](), 0, list[Any](value_at(document, (_LIST,)))  # type: ignore[arg-type]
    for path, edits_of_card in sorted(changes.items()):
        index = int(path[1])
        start, after = edits.item_lines(items, index)
        part = _changed_in_place(f"{_LIST}:\n{text[start:after]}", {(_LIST, 0): edits_of_card})
        parts += [text[end:start], part.partition("\n")[2]]
        expected[index] = value_at(parse_document(part, ""), (_LIST, 0))
        end = after
    changed = "".join((*parts, text[end:]))
    after_all = parse_document(changed, "")
    is_right = after_all.root is not None and edits.is_same(value_at(after_all, (_LIST,)), expected)
    return changed if is_right else _changed_in_place(text, changes)  # such as one with an anchor of another card


def _changed_in_place(text: str, changes: Mapping[KeyPath, Iterable[CardEdit]]) -> str:
    for path, edits_of_card in changes.items():
        for edit in edits_of_card:
            text = edit(text, path)
    return text


class Ties(NamedTuple):
    """What is tied to a card: the cards that refer to it, by their names, and the release that has it, or ''."""

    references: tuple[str, ...]
    release: str


def ties_of(loaded: LoadedProject, card: Entry, others: Collection[Entry] = ()) -> Ties:
    """Return what is tied to a card, apart from `others` that go with it."""
    names: Mapping[str, None] = {
        each.entry.card.name: None
        for each in references_to(loaded, card)
        if not any(same_card(each.entry, other) for other in (card, *others))
    }
    released = (each for each in latest_release(loaded.project)[0] if (each.game, each.id) == (card.game, card.card.id))
    return Ties(tuple(names), next((each.release for each in released), ""))
