"""Cards of a kind as rows of a table, and what cells that were typed or pasted change in their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from cardgen.deck.deck import kind_of
from cardgen.editor.cards import CardEdit, CardEditError, is_row, require_text, with_changed_cards
from cardgen.editor.form import edits
from cardgen.editor.form.card_form import Column, columns_of
from cardgen.editor.form.schema import SchemaNode, property_node, synonyms
from cardgen.editor.references import card_path
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import model_schema
from cardgen.model.card import Card, Entry
from cardgen.scaffold.game_from_table import own_fields
from cardgen.source import Data, KeyPath, parse_document
from cardgen.source.document import existing_path
from cardgen.studio.engine.answers import card_key
from cardgen.studio.engine.card_changes import CardChange, CardChanges, entries_of
from cardgen.studio.engine.form_edits import value_options
from cardgen.tables.table import (
    CellError,
    FieldShape,
    convert_cell,
    normalize,
    shape_at,
    with_line_breaks,
    written_value,
)
from cardgen.tables.writer import cell_text

_NAME, _ID = "name", "id"
MOST_CELLS, MOST_LETTERS = 50_000, 20_000


class TableColumn(NamedTuple):
    """A column: its key, such as 'stats.M', its field as JSON, and why cells cannot be written, or ''.

    It `is_used` if a card has the value.
    """

    key: str
    field: Mapping[str, Any]
    is_used: bool
    lock: str


class TableRow(NamedTuple):
    """A card as a row: the text of each cell, and why the card cannot be changed, or ''.

    One that `is_row` is in a table itself.
    """

    key: str
    name: str
    file: str
    cells: tuple[str, ...]
    is_printed: bool
    is_row: bool
    lock: str


class TableState(NamedTuple):
    """The cards of a kind, in the order of the project."""

    columns: tuple[TableColumn, ...] = ()
    rows: tuple[TableRow, ...] = ()


class CellChange(NamedTuple):
    """The text of a cell that was typed or pasted: the keys of its card and its column."""

    card: str
    column: str
    text: str


class TableChange(NamedTuple):
    """What cells change: the files, and the new keys of cards by the old ones."""

    change: CardChange
    keys: Mapping[str, str]


class CardTable:
    """The part of the engine for tables."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._changes = CardChanges(session)

    def rows(self, kind: str) -> TableState:
        """Return the cards of a kind by its game and name, such as 'chess/pawn'."""
        return self._session.ask(partial(_table, kind))

    def options(self, card: str, column: str, prefix: str) -> list[Mapping[str, Any]]:
        """Return what can be chosen for a cell that begins with `prefix`, as a form does."""

        def ask(loaded: LoadedProject) -> list[Mapping[str, Any]]:
            (entry,) = entries_of(loaded, (card,))
            path = (*card_path(entry), *_written_path(entry, tuple(column.split("."))))
            return value_options(loaded, self._session.root / entry.document.file, entry.document.data, path, prefix)

        return self._session.ask(ask)

    def edit(self, cells: Sequence[CellChange], allow: bool = False) -> TableChange:
        """Return the files with other values of cells, and with `allow`, the project's games with new words of choices.

        Raises CardgenError if a value is wrong for its card.
        """

        def ask(loaded: LoadedProject) -> TableChange:
            if len(cells) > MOST_CELLS or any(len(each.text) > MOST_LETTERS for each in cells):
                raise CardEditError(
                    f"one change has at most {MOST_CELLS:,} cells with {MOST_LETTERS:,} characters each"
                )
            return self._edit(loaded, cells, allow=allow)

        return self._changes.answer(ask)

    def tag(self, keys: Sequence[str], added: Sequence[str], removed: Sequence[str]) -> CardChange:
        """Return the files with other tags of cards. Raises CardgenError."""

        def ask(loaded: LoadedProject) -> CardChange:
            tags = {card_key(each): dict.fromkeys((*each.card.tags, *added)) for each in entries_of(loaded, keys)}
            kept = {key: "; ".join(each for each in every if each not in removed) for key, every in tags.items()}
            return self._edit(loaded, [CellChange(key, "tags", text) for key, text in kept.items()]).change

        return self._changes.answer(ask)

    def _edit(self, loaded: LoadedProject, cells: Sequence[CellChange], *, allow: bool = False) -> TableChange:
        keys = [*dict.fromkeys(each.card for each in cells)]
        entries = dict(zip(keys, entries_of(loaded, keys), strict=True))
        kinds = {(each.game, each.kind): _Kind(loaded, each) for each in entries.values()}
        names = {each.card: each.text.strip() for each in cells if each.column == _NAME}
        new_names = {key: name for key, name in names.items() if name != entries[key].card.name}
        texts = self._changes.renamed(loaded, new_names)
        edited: dict[str, dict[KeyPath, list[CardEdit]]] = {}
        for card, column, text in cells:
            entry = entries[card]
            path = require_text(entry)
            for value in own_fields(loaded.project, entry.game, entry.kind).with_choice(column, text) if allow else ():
                texts.set(value.file, edits.append_item(texts.now(value.file), value.path[:-1], value.value))
            if column != _NAME:
                change = _cell_change(kinds[entry.game, entry.kind], entry, column, text)
                edited.setdefault(entry.document.file, {}).setdefault(path, []).append(change)
        for file, changes in edited.items():
            texts.set(file, with_changed_cards(texts.now(file), changes))
        after = self._changes.require_read(loaded, texts)
        places = {key: (entry.document.file, card_path(entry)) for key, entry in entries.items()}
        new_keys = {key: card_key(after[place]) for key, place in places.items() if place in after}
        return TableChange(CardChange(texts.changed()), {old: new for old, new in new_keys.items() if new != old})


class _Kind:
    """The columns of the kind of a card, by their key paths in a card."""

    def __init__(self, loaded: LoadedProject, entry: Entry) -> None:
        self.model = kind_of(entry).model
        schema = model_schema(self.model, loaded.project.workspace)
        node = SchemaNode(schema, schema.get("$defs", {}))
        self.columns: Mapping[KeyPath, Column] = {each.path: each for each in columns_of(node)}
        branch = node.branch_of({})
        # Other spellings of keys, and of the keys in maps.
        self._others, self._inner = synonyms(branch), dict[KeyPath, KeyPath]()
        for key in {str(path[0]) for path in self.columns if len(path) > 1}:
            others = synonyms(property_node(node, branch, key).branch_of({}))
            self._inner |= {(key, name): (key, own) for name, own in others.items()}

    def shape(self, path: KeyPath) -> FieldShape:
        """Return what the cells of a column contain."""
        return shape_at((self.model,), tuple(map(str, path)))

    def lock(self, path: KeyPath) -> str:
        """Return why the cells of a column cannot be written, or ''."""
        if path not in self.columns:
            return "the table has no such column"
        if path == (_ID,):
            return "change an id in the form of the card"
        return _HAS_PARTS if self.columns[path].has_parts else ""

    def values(self, entry: Entry) -> Mapping[KeyPath, Data]:
        """Return the values of a card by their columns, those of its file's defaults, too."""
        values: dict[KeyPath, Data] = {}
        for name, value in (entry.source_map.merged_data() or {}).items():
            key = self._others.get(name, name)
            if (key,) in self.columns:
                values[key,] = value
            elif isinstance(value, dict):
                inner = {self._inner.get((key, each), (key, each)): part for each, part in value.items()}
                values |= {path: part for path, part in inner.items() if path in self.columns}
        return values


_HAS_PARTS = "change a value with parts in the form of the card"


def _table(kind: str, loaded: LoadedProject) -> TableState:
    """Return the table of a kind: its name, its own keys, and those that all kinds have."""
    entries = [each for each in loaded.deck.cards if f"{each.game}/{each.kind}" == kind]
    if not entries:
        return TableState()
    shape_of = _Kind(loaded, entries[0])
    cards = [shape_of.values(each) for each in entries]
    used = {(_NAME,), *(path for card in cards for path in card)}
    paths = sorted(shape_of.columns, key=lambda path: (path != (_NAME,), path[0] in Card.model_fields))
    shapes = [shape_of.shape(path) for path in paths]
    columns = (
        TableColumn(".".join(map(str, path)), shape_of.columns[path].field.as_data(), path in used, shape_of.lock(path))
        for path in paths
    )
    rows = (
        TableRow(
            card_key(entry),
            entry.card.name,
            entry.document.file,
            tuple(_text(card.get(path), shape) for path, shape in zip(paths, shapes, strict=True)),
            kind_of(entry).is_printed,
            is_row(entry),
            _lock(entry),
        )
        for entry, card in zip(entries, cards, strict=True)
    )
    return TableState(tuple(columns), tuple(rows))


def _text(value: Data, shape: FieldShape) -> str:
    text = cell_text(with_line_breaks(value) if isinstance(value, str) else value, shape)
    return edits.flow_text(value) if text[:1] in ("[", "{") and not isinstance(value, str) else text


def _lock(entry: Entry) -> str:
    """Return why a card cannot be changed in its text, or ''."""
    try:
        require_text(entry)
    except CardEditError as error:
        return str(error)
    return ""


def _cell_change(kind: _Kind, entry: Entry, key: str, text: str) -> CardEdit:
    """Return the function that writes the value of a cell. Raises CardEditError if it cannot be written."""
    path: KeyPath = tuple(key.split("."))
    place = f"{entry.card.name}, {key}"
    if lock := kind.lock(path):
        raise CardEditError(f"{place}: {lock}")
    try:
        value = written_value(convert_cell(normalize(text), kind.shape(path)))
    except CellError as error:
        raise CardEditError(f"{place}: {'; '.join(filter(None, (error.message, error.help)))}") from None
    old = kind.values(entry).get(path)
    if isinstance(old, dict) or (isinstance(old, list) and any(isinstance(each, dict | list) for each in old)):
        raise CardEditError(f"{place}: {_HAS_PARTS}")
    keys = [str(each[0]) for each in kind.columns]
    return partial(_write, _written_path(entry, path), value, keys[: keys.index(str(path[0]))])


def _written_path(entry: Entry, path: KeyPath) -> KeyPath:
    """Return the key path of a value in its card, with the keys as the card spells them."""
    own, found = card_path(entry), entry.source_map.source_path(path)
    written = found[len(own) :] if found[: len(own)] == own else ()
    return (*written, *path[len(written) :])


def _write(path: KeyPath, value: Data, before: Sequence[str], text: str, card: KeyPath) -> str:
    """Return a text with a value of a card, or without it if it is None."""
    data, at = parse_document(text, ""), (*card, *path)
    if existing_path(data, at) == at:
        return edits.remove_value(text, at) if value is None else edits.set_value(text, at, value)
    if value is None:
        return text
    owner = at[:-1]
    return edits.add_key(text, owner, str(at[-1]), value, before if owner == card else ())
