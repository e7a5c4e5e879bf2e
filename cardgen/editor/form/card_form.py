"""The form of one card of a file, with what the game makes of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.checking.card_steps import walk_parts
from cardgen.diagnostic import Severity
from cardgen.editor.form.field import Field, Reading
from cardgen.editor.form.fields import FormBuilder, Remarks
from cardgen.editor.form.schema import SchemaNode, node_at
from cardgen.editor.key_help import model_schema
from cardgen.editor.references import card_path
from cardgen.editor.session import LoadedProject
from cardgen.editor.subject import subject_at
from cardgen.editor.text import plain_text
from cardgen.grammar.reading import Level, SentenceReading
from cardgen.model.card_file import CardHeader
from cardgen.model.entry import Entry
from cardgen.pipeline.load.deck import KINDS_BY_GAME, require_game
from cardgen.pipeline.load.explanation import TextExplanation, explanations
from cardgen.pipeline.load.game_modules import load_reader
from cardgen.pipeline.load.structure import structure_fixes
from cardgen.source import Document, KeyPath
from cardgen.source.document import existing_path, value_at
from cardgen.validation.base import Model
from cardgen.validation.model_keys import accepted_keys

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
    kinds = KINDS_BY_GAME.get(subject.game, {})
    if subject.kind not in kinds:
        return None
    schema = model_schema(kinds[subject.kind])
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
    reader = load_reader(require_game(card.game))
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


def readings_of(text: TextExplanation) -> tuple[Reading, ...]:
    """Return the sentences of a text."""
    return tuple(reading_of(each, text) for each in text.sentences)


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
    if not getattr(part, _TEXT_KEY, None):
        made = require_game(card.game).describe(part)
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
    remarks.readings[path] = readings_of(text)
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
