"""The form of one card of a file, and what the game makes of its parts and of sentences that an author adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.checking.runner import walk_parts
from cardgen.deck.deck import load_reader, rules_of
from cardgen.deck.explanation import TextExplanation, explanations, structure_fixes
from cardgen.diagnostic import Severity
from cardgen.editor.form import edits
from cardgen.editor.form.edits import layout_at
from cardgen.editor.form.schema import (
    Addition,
    Field,
    Reading,
    SchemaNode,
    Widget,
    bounds,
    item_node,
    node_at,
    property_node,
    required_keys,
    synonyms,
)
from cardgen.editor.references import card_path
from cardgen.editor.session import LoadedProject
from cardgen.editor.subject import model_schema, subject_at
from cardgen.editor.text import plain_text
from cardgen.grammar.reading import Level, SentenceReading
from cardgen.model.card import CardHeader, Entry
from cardgen.model.card_values import is_number
from cardgen.scaffold.cards import Schema
from cardgen.source import Document, KeyPath
from cardgen.source.composer import Scalar
from cardgen.source.document import existing_path, value_at
from cardgen.validation.base import Model, accepted_keys

_TEXT_KEY = "text"
_ANY_SENTENCE = "It."


class CardForm(NamedTuple):
    """The form of a card; `path` leads to the card in its file."""

    path: KeyPath
    kind: str
    field: Field


class FormCard(NamedTuple):
    """A card as data, with the schema of its kind; `entry` is None while it is not valid."""

    document: Document
    path: KeyPath
    game: str
    kind: str
    schema: SchemaNode
    data: Mapping[str, Any]
    entry: Entry | None

    def node(self, path: KeyPath) -> SchemaNode:
        """Return the schema of the value at a key path of the file."""
        return node_at(self.schema, self.data, path[len(self.path) :])


def syntax_fault(document: Document) -> tuple[str, int]:
    """Return why a text cannot be read at all, and the line; '' if it can."""
    if document.root is not None or not document.diagnostics:
        return "", 0
    problem = next((each for each in document.diagnostics if each.severity == Severity.ERROR), document.diagnostics[0])
    return problem.message, problem.place.span.line if problem.place.span else 1


def form_card(
    loaded: LoadedProject, file: Path, document: Document, entry: Entry | None, path: KeyPath
) -> FormCard | None:
    """Return a card of a file by its entry, or else by a key path; None if it has no kind that the game knows."""
    path = card_path(entry) if entry else path if _map_at(document, path) is not None else _first_card(document)
    data = _map_at(document, path)
    if data is None:
        return None
    subject = subject_at(loaded, file, document.data, path, is_map=True)
    kinds = loaded.kinds.get(subject.game, {})
    if subject.kind not in kinds:
        return None
    schema = model_schema(kinds[subject.kind], loaded.project.workspace)
    return FormCard(
        document, path, subject.game, subject.kind, SchemaNode(schema, schema.get("$defs", {})), data, entry
    )


def card_form(card: FormCard) -> CardForm:
    """Return the form of a card."""
    remarks = remarks_of(card)
    field = FormBuilder(card.document, card.path, remarks).build(card.schema.schema, card.data)
    return CardForm(card.path, card.kind, field)


def remarks_of(card: FormCard) -> Remarks:
    """Return what the game knows of a card, as far as it is valid."""
    remarks = Remarks()
    root = card.document.data
    defaults = root.get("defaults") if isinstance(root, dict) and card.path else None
    if isinstance(defaults, dict):
        remarks.defaults = defaults
    if card.entry is None:
        return remarks
    reader = load_reader(rules_of(card.entry))
    for path, part in parts_of(card.entry):
        _remark_part(remarks, card, path, part)
        if reader and path not in remarks.in_full and reader.read(part, _ANY_SENTENCE):
            remarks.takes_sentences.add(path)
    for text in explanations([card.entry]):
        if text.is_own:
            _remark_text(remarks, card.entry, text)
    return remarks


def parts_of(entry: Entry) -> Iterator[tuple[KeyPath, Model]]:
    """Yield the models that a card itself writes, with their key paths in the file."""
    own, seen = card_path(entry), set[KeyPath]()
    for part, route, _ in walk_parts(entry.card):
        path = entry.source_map.source_path(route)
        if isinstance(part, Model) and path not in seen and path[: len(own)] == own:
            seen.add(path)
            yield path, part


def text_at(entry: Entry, path: KeyPath) -> TextExplanation | None:
    """Return the author's text at a key path of the file, as it was read."""
    return next((text for text in explanations([entry]) if text.is_own and _text_path(entry, text) == path), None)


def reading_of(sentence: SentenceReading, text: TextExplanation) -> Reading:
    """Return a sentence of a text as data."""
    unread = tuple((clause.text, clause.nearest or "") for clause in sentence.clauses if not clause.is_read)
    is_read = sentence.level != Level.UNREAD
    return Reading(
        sentence.text,
        sentence.level.value,
        plain_text(sentence.canonical or ""),
        sentence.reason,
        text.referee(sentence) if is_read else "",
        () if is_read else unread,
    )


def _remark_part(remarks: Remarks, card: FormCard, path: KeyPath, part: Model) -> None:
    if not getattr(part, _TEXT_KEY, None) and card.entry:
        made = rules_of(card.entry).describe(part)
        if made:
            remarks.made[path] = plain_text(made)
    written = value_at(card.document, path)
    is_short = isinstance(written, str) or (
        isinstance(written, dict) and not written.keys() <= {*accepted_keys((type(part), CardHeader))}
    )
    if is_short and path != card.path:
        remarks.in_full[path] = part.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _remark_text(remarks: Remarks, entry: Entry, text: TextExplanation) -> None:
    path = _text_path(entry, text)
    remarks.readings[path] = tuple(reading_of(each, text) for each in text.sentences)
    if structure_fixes([text], with_loose=True):
        remarks.acceptable.add(path)
    else:
        remarks.obstacles[path] = _obstacle(text)


def _obstacle(text: TextExplanation) -> str:
    """Return why a text that was read cannot be replaced by effects; '' if it was not read."""
    if not text.sentences or any(each.level == Level.UNREAD for each in text.sentences):
        return ""
    values = text.reader.values(text.part, text.sentences)
    if values is None:
        return "These sentences cannot be written as effects."
    own = [key for key in ("effects", *values) if getattr(text.part, key, None)]
    names = " and ".join(f"'{key}'" for key in dict.fromkeys(own))
    return f"To replace the text by effects, remove {names} first, or add the sentences there." if own else ""


def _text_path(entry: Entry, text: TextExplanation) -> KeyPath:
    return entry.source_map.source_path((*text.route, _TEXT_KEY))


def _first_card(document: Document) -> KeyPath:
    """Return the key path of the first card of a file."""
    data = document.data
    is_list = isinstance(data, dict) and isinstance(data.get("cards"), list) and data["cards"]
    return ("cards", 0) if is_list else ()


def _map_at(document: Document, path: KeyPath) -> Mapping[str, Any] | None:
    data = value_at(document, path) if existing_path(document, path) == path else None
    return data if isinstance(data, dict) and (path or "cards" not in data) else None


# Keys of a card file that are not values of the card.
_HEADER = frozenset({"format", "game", "kind"})
_NAME_KEYS = ("name", "title", "id")
_LONG_TEXT = 48
_LONGEST_LABEL = 40
_LONG_KEYS = frozenset({"text", "note", "rules"})
_MISSING: Any = object()


class Remarks:
    """What is known of a card beside its schema, by key path: made texts, readings, and short forms."""

    def __init__(self) -> None:
        self.made: dict[KeyPath, str] = {}
        self.readings: dict[KeyPath, tuple[Reading, ...]] = {}
        self.acceptable: set[KeyPath] = set()
        self.obstacles: dict[KeyPath, str] = {}
        self.takes_sentences: set[KeyPath] = set()
        self.in_full: dict[KeyPath, Any] = {}
        self.defaults: Mapping[str, Any] = {}


class FormBuilder:
    """Builder of the fields of one card of a document; `path` leads to the card."""

    def __init__(self, document: Document, path: KeyPath, remarks: Remarks) -> None:
        self._document, self._path, self._remarks = document, path, remarks

    def build(self, schema: Schema, data: Mapping[str, Any]) -> Field:
        """Return the card as a map of fields; `schema` is that of its kind, with its definitions."""
        node = SchemaNode(schema, schema.get("$defs", {}))
        root = Field(
            self._path,
            "",
            _name_of(data) or "Card",
            Widget.MAP,
            line=self._line(self._path),
            made=self._remarks.made.get(self._path, ""),
            takes_sentences=self._path in self._remarks.takes_sentences,
        )
        card = self._map(root, node, schema, data)
        return card._replace(fields=tuple(each for each in card.fields if each.key not in _HEADER))

    def _field(self, path: KeyPath, key: str, node: SchemaNode, value: Any, *, is_required: bool) -> Field:
        branch = node.branch_of(None if value is _MISSING else value)
        remarks = self._remarks
        field = Field(
            path,
            key,
            key,
            Widget.TEXT,
            node.help,
            is_set=value is not _MISSING,
            is_required=is_required,
            can_remove=not is_required,
            line=self._line(path),
            made=remarks.made.get(path, ""),
            readings=remarks.readings.get(path, ()),
            is_acceptable=path in remarks.acceptable,
            obstacle=remarks.obstacles.get(path, ""),
            takes_sentences=path in remarks.takes_sentences,
            inherited=self._inherited(path),
            is_short=path in remarks.in_full,
        )
        if isinstance(value, dict):
            return self._map(field, node, branch, value)
        if isinstance(value, list) or (value is _MISSING and branch.get("type") == "array"):
            return self._list(field, node, branch, value if isinstance(value, list) else [])
        if value is _MISSING and branch.get("type") == "object":
            return field._replace(widget=Widget.MAP, additions=tuple(_additions(node, branch, ())))
        return _scalar(field, node, branch, None if value is _MISSING else value)

    def _map(self, field: Field, node: SchemaNode, branch: Schema, data: Mapping[str, Any]) -> Field:
        """Return a map with its keys in the order of the file, and with those that it has to have."""
        if "properties" not in branch:
            return self._entries(field, node, branch, data)
        others, required = synonyms(branch), required_keys(branch)
        written = {others.get(key, key) for key in data}
        inherited = self._remarks.defaults if field.path == self._path else {}
        names = (*data, *(key for key in branch["properties"] if key in required - written - inherited.keys()))
        fields = tuple(
            self._field(
                (*field.path, key),
                key,
                property_node(node, branch, key),
                data.get(key, _MISSING),
                is_required=others.get(key, key) in required,
            )._replace(label=f"{label_of(others[key])} ({key})" if key in others else label_of(key))
            for key in names
        )
        additions = tuple(_additions(node, branch, {*written, *names}))
        return field._replace(widget=Widget.MAP, fields=fields, additions=additions)

    def _entries(self, field: Field, node: SchemaNode, branch: Schema, data: Mapping[str, Any]) -> Field:
        """Return a map whose keys are the author's."""
        inner = branch.get("additionalProperties")
        child = node.inner(inner if isinstance(inner, dict) else {})
        fewest, most = branch.get("minProperties", 0), branch.get("maxProperties")
        fields = tuple(
            self._field((*field.path, key), key, child, value, is_required=len(data) <= fewest)._replace(label=key)
            for key, value in data.items()
        )
        can_add = isinstance(inner, dict) and (most is None or len(data) < most)
        help_text = field.help or str(branch.get("title", ""))
        return field._replace(widget=Widget.ENTRIES, fields=fields, can_add=can_add, help=help_text)

    def _list(self, field: Field, node: SchemaNode, branch: Schema, items: list[Any]) -> Field:
        fewest, most = branch.get("minItems", 0), branch.get("maxItems")
        fields = tuple(
            self._field(
                (*field.path, index),
                str(index + 1),
                item_node(node, branch, index),
                item,
                is_required=len(items) <= fewest,
            )._replace(label=_item_label(item, index))
            for index, item in enumerate(items)
        )
        can_add = (most is None or len(items) < most) and "prefixItems" not in branch
        has_examples = field.path[:-1] in self._remarks.takes_sentences and _is_effect(item_node(node, branch, 0))
        return field._replace(widget=Widget.LIST, fields=fields, can_add=can_add, has_examples=has_examples)

    def _line(self, path: KeyPath) -> int:
        layout = layout_at(self._document, path)
        return self._document.line_index.line_number(layout.node.key_range[0]) if layout else 0

    def _inherited(self, path: KeyPath) -> str:
        own = path[len(self._path) :]
        value = self._remarks.defaults.get(str(own[0])) if len(own) == 1 else None
        return "" if value is None or isinstance(value, dict | list) else str(value)


class Column(NamedTuple):
    """A value of all cards of a kind: its key path in a card, and its field, which has no value.

    One that `has_parts`, such as a list of effects, is not written in a cell.
    """

    path: tuple[str, ...]
    field: Field
    has_parts: bool


def columns_of(kind: SchemaNode) -> Iterator[Column]:
    """Yield the values of a kind; those of a map of single values, such as a profile, are columns of their own."""
    branch = kind.branch_of({})
    for key, node in _inner_nodes(kind, branch):
        inner = node.branch_of({}) if all(each.get("type") == "object" for each in node.branches()) else {}
        parts = [*_inner_nodes(node, inner)]
        if parts and not any(map(_has_parts, (each for _, each in parts))):
            required = required_keys(inner) if key in required_keys(branch) else frozenset()
            yield from (_column((key, name), each, is_required=name in required) for name, each in parts)
        else:
            yield _column((key,), node, is_required=key in required_keys(branch))


def _inner_nodes(node: SchemaNode, branch: Schema) -> Iterator[tuple[str, SchemaNode]]:
    others = synonyms(branch)
    for key, schema in branch.get("properties", {}).items():
        if key not in others and key not in _HEADER:
            yield key, node.inner(schema)


def _column(path: tuple[str, ...], node: SchemaNode, *, is_required: bool) -> Column:
    field = Field(
        path,
        path[-1],
        label_of(path[-1]),
        Widget.TEXT,
        node.help,
        is_set=False,
        is_required=is_required,
        can_remove=not is_required,
    )
    return Column(path, _scalar(field, node, node.branch_of(None), None), _has_parts(node))


def _has_parts(node: SchemaNode) -> bool:
    """Return whether no value of a schema is a single one or a list of these."""
    return not any(
        not _has_parts(item_node(node, branch, 0)) if branch.get("type") == "array" else branch.get("type") != "object"
        for branch in node.branches() or [{}]
    )


def label_of(key: str) -> str:
    """Return a key as a label."""
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _is_effect(node: SchemaNode) -> bool:
    """Return whether a schema is that of an effect: a map whose keys are all optional."""
    branch = node.branch_of({})
    return "properties" in branch and not required_keys(branch)


def _additions(node: SchemaNode, branch: Schema, written: Iterable[str]) -> Iterator[Addition]:
    others, present = synonyms(branch), {*written, *_HEADER}
    for key, schema in branch.get("properties", {}).items():
        if key not in present and key not in others:
            yield Addition(key, label_of(key), node.inner(schema).help)


def _scalar(field: Field, node: SchemaNode, branch: Schema, value: Scalar) -> Field:
    constants = node.constants()
    if constants and (value is None or value in constants or isinstance(value, str)):
        is_flag = set(constants) == {True, False} and not isinstance(value, str)
        choices = constants if value is None or value in constants else (value, *constants)
        return field._replace(widget=Widget.FLAG if is_flag else Widget.CHOICE, value=value, choices=choices)
    kind = branch.get("type")
    if kind in ("integer", "number") and (value is None or is_number(value)):
        least, most = bounds(branch)
        return field._replace(
            widget=Widget.NUMBER, value=value, minimum=least, maximum=most, is_whole=kind == "integer"
        )
    text = value if isinstance(value, str) else None
    is_long = field.key in _LONG_KEYS or (text is not None and (len(text) > _LONG_TEXT or "\n" in text))
    return field._replace(value=value, is_long=is_long, most_characters=branch.get("maxLength"))


def _item_label(item: object, index: int) -> str:
    """Return what an item of a list is called: its name, or its number."""
    if isinstance(item, dict) and item:
        key, value = next(iter(item.items()))
        name = _name_of(item) or (key if len(item) == 1 and isinstance(value, str) else "")
        return str(name)[:_LONGEST_LABEL] or str(index + 1)
    return str(index + 1)


def _name_of(data: Mapping[str, Any]) -> str:
    names = (data.get(key) for key in _NAME_KEYS)
    return next((name for name in names if isinstance(name, str) and name.strip()), "")


def accepted_text(card: FormCard, path: KeyPath) -> str | None:
    """Return the file with effects in place of the text at a key path, or None if they cannot say the same."""
    text = text_at(card.entry, path) if card.entry else None
    fix = next(iter(structure_fixes([text], with_loose=True)), None) if text else None
    if fix is None:
        return None
    source, (start, end) = card.document.line_index.text, fix.char_range
    return source[:start] + fix.replacement + source[end:]


def sentence_readings(card: FormCard, path: KeyPath, sentence: str) -> tuple[tuple[Reading, ...], Any]:
    """Return how a part of a card reads a sentence, and the keys that say the same, or None."""
    reader = load_reader(rules_of(card.entry)) if card.entry else None
    part = next((part for own, part in parts_of(card.entry) if own == path), None) if card.entry else None
    if reader is None or part is None or card.entry is None or not sentence.strip():
        return (), None
    sentences = reader.read(part, sentence)
    text = TextExplanation(card.entry, (), part, sentence, True, sentences, reader)
    readings = tuple(reading_of(each, text) for each in sentences)
    return readings, reader.values(part, sentences) if sentences else None


def added_sentence(card: FormCard, text: str, path: KeyPath, sentence: str) -> str:
    """Return the file with the effects of a sentence behind those of a part. Raises EditError if it is not read."""
    _, values = sentence_readings(card, path, sentence)
    if not values:
        raise edits.EditError("this sentence cannot be written as effects")
    for key, value in values.items():
        if not isinstance(value, list):
            text = edits.set_value(text, (*path, key), value)
            continue
        for item in value:
            text = edits.append_item(text, (*path, key), item)
    return text
