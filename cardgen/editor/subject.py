"""What a part of a file describes: the card, its kind, and the models of the part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.diagnostic import Span, join_words
from cardgen.editor.session import LoadedProject
from cardgen.editor.text import offset_at, span_of
from cardgen.model.card import CardHeader, DeckHeader
from cardgen.model.schema import UntitledGenerator
from cardgen.project.files import LAYOUT_SUFFIX
from cardgen.project.project import Settings
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.workspace import GAME_FILE, Workspace
from cardgen.source import Data, Document, KeyPath
from cardgen.source.composer import Node, extent
from cardgen.validation.base import FreeKeys, Model, ModelClasses, ModelKey, child_models, model_keys

# The key of sentences that a game may read.
TEXT_KEY = "text"
CARD_ROOTS = ("cards", "defaults")


class Subject(NamedTuple):
    """The part of a file at a key path.

    `models` are those of the map that has the last key of `path`, which starts at the card or the file. `kind` is ''
    outside of cards.
    """

    game: str
    kind: str
    models: ModelClasses
    path: KeyPath

    @property
    def key(self) -> str:
        """The name of the nearest key, or ''."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")

    def owners(self) -> tuple[type[Model], ...]:
        """Return the models that have the nearest key."""
        return tuple(model for model in self.models if self.key in model_keys(model))


def subject_at(loaded: LoadedProject, file: Path, data: Data, path: KeyPath, *, is_map: bool = False) -> Subject:
    """Return what a key path of a file describes; with `is_map`, it leads to a map that gets another key."""
    if file.name == SETTINGS_FILE:
        return _subject("", "", (Settings,), path)
    if file.name == GAME_FILE:
        from cardgen.game_file.spec import GameFile  # loaded here because few projects have games

        return _subject("", "", (GameFile,), path)
    if file.name.endswith(LAYOUT_SUFFIX):
        from cardgen.face.layout import Layout  # loaded here because few projects have layouts

        return _subject("", "", (Layout,), path)
    return _card_subject(loaded, data if isinstance(data, dict) else {}, path, is_map=is_map)


def _card_subject(loaded: LoadedProject, data: Mapping[str, Data], path: KeyPath, *, is_map: bool) -> Subject:
    game = str(data.get("game") or loaded.game)
    kinds = loaded.kinds.get(game, {})
    is_deck = "cards" in data
    depth = 2 if path[:1] == ("cards",) else 1
    in_card = is_deck and path[:1] and path[0] in CARD_ROOTS and len(path) + is_map > depth
    if is_deck and not in_card:
        return _subject(game, "", (DeckHeader,), path)
    kind = _kind_of(data, path[:depth] if in_card else ())
    models = (kinds[kind],) if kind in kinds else tuple(kinds.values())
    header: ModelClasses = () if in_card else (CardHeader,)
    return _subject(game, kind, (*models, *header), path[depth:] if in_card else path)


def _kind_of(data: Mapping[str, Data], path: KeyPath) -> str:
    """Return the kind that a card, the defaults, or the file names."""
    card: object = data
    for step in path:
        card = card[step] if isinstance(card, dict | list) else None  # type: ignore[index]
    parts = (card, data.get("defaults") if "cards" in data else None, data)
    named = (part["kind"] for part in parts if isinstance(part, dict) and isinstance(part.get("kind"), str))
    return str(next(named, ""))


def _subject(game: str, kind: str, models: ModelClasses, path: KeyPath) -> Subject:
    last = max((index for index, step in enumerate(path) if isinstance(step, str)), default=0)
    for step in path[:last]:
        models = child_models(models, step)
    return Subject(game, kind, models, path)


class Cursor(NamedTuple):
    """A position in a document: `path` leads to the value, and `at_key` says that it is on the key."""

    document: Document
    offset: int
    path: KeyPath
    at_key: bool
    span: Span


def cursor_at(document: Document, line: int, column: int) -> Cursor | None:
    """Return what is at a line and column, which count from 1; None for blank parts and unreadable files."""
    if document.root is None:
        return None
    offset = offset_at(document.line_index.text, line, column)
    path, node, at_key = _descend(document.root, offset)
    char_range = node.key_range if at_key else node.value_range
    if node.children is not None and not at_key:
        return None
    return Cursor(document, offset, path, at_key, span_of(document, *char_range))


def _descend(node: Node, offset: int) -> tuple[KeyPath, Node, bool]:
    path: list[str | int] = []
    while True:
        items = node.children.items() if isinstance(node.children, dict) else enumerate(node.children or ())
        step, child = next(((step, child) for step, child in items if _covers(child, offset)), (None, None))
        if step is None or child is None:
            return tuple(path), node, False
        path.append(step)
        if child.key_range != child.value_range and child.key_range[0] <= offset <= child.key_range[1]:
            return tuple(path), child, isinstance(step, str)
        node = child


def _covers(node: Node, offset: int) -> bool:
    start, end = extent(node)
    return start <= offset <= end


def paths_to(document: Document, offset: int) -> KeyPath:
    """Return the path of the deepest value whose extent covers an offset."""
    return _descend(document.root, offset)[0] if document.root else ()


_MAX_MODELS = 500
_BOUNDS = (("minimum", "at least"), ("exclusiveMinimum", "more than"), ("maximum", "at most"))


class KeyHelp(NamedTuple):
    """Help for a key of a model; `choices` are its constants, and `values` describes all values."""

    name: str
    synonyms: tuple[str, ...]
    description: str
    choices: tuple[str, ...]
    values: str
    required: bool
    is_list: bool
    is_map: bool


def key_help(loaded: LoadedProject, model: type[Model], name: str) -> KeyHelp | None:
    """Return the help for a key in any of its spellings in a project, or None."""
    key = None if issubclass(model, FreeKeys) else model_keys(model).get(name)
    if key is None:
        return None
    schema = model_schema(model, loaded.project.workspace)
    value = schema.get("properties", {}).get(key.spellings[0], {})
    branches = tuple(_branches(value, schema.get("$defs", {})))
    types = {each for branch in branches for each in _types(branch)}
    return KeyHelp(
        key.spellings[0],
        key.spellings[1:],
        key.description or next((each["description"] for each in branches if each.get("description")), ""),
        _choices(key, branches),
        _values(branches),
        key.spellings[0] in schema.get("required", ()),
        "array" in types and not types & {"string", "object"},
        "object" in types and not types & {"string", "array"},
    )


@dataclass(frozen=True)
class _GameSettings:
    """The settings of games on which schemas depend; equal for projects with the same ones."""

    text: str
    workspace: Workspace = field(compare=False)


def model_schema(model: type[Model], workspace: Workspace) -> Mapping[str, Any]:
    """Return the JSON Schema of a model in a project, with the definitions of its parts."""
    return _model_schema(model, _GameSettings(repr(workspace.game_settings), workspace))


@lru_cache(maxsize=_MAX_MODELS)
def _model_schema(model: type[Model], settings: _GameSettings) -> Mapping[str, Any]:
    model.model_rebuild()
    schema = model.model_json_schema(schema_generator=UntitledGenerator.of(settings.workspace))
    reference = schema.get("$ref", "").rpartition("/")[2]
    return {**schema["$defs"][reference], "$defs": schema["$defs"]} if reference else schema


def _types(branch: Mapping[str, Any]) -> list[str]:
    """Return the types that a value can have, of which a schema names one or several."""
    found = branch.get("type", [])
    return found if isinstance(found, list) else [found]


def _branches(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the forms that a value can have, with the description of the whole."""
    reference = schema.get("$ref", "").rpartition("/")[2]
    if reference in definitions:
        yield {**definitions[reference], **{key: schema[key] for key in ("description",) if key in schema}}
    elif "anyOf" in schema:
        yield from ({"description": schema["description"]},) if "description" in schema else ()
        for branch in schema["anyOf"]:
            yield from _branches(branch, definitions)
    else:
        yield schema


def accepts_text_items(loaded: LoadedProject, model: type[Model], name: str) -> bool:
    """Return whether the items of a list can be written as a text, such as the name of a card."""
    key = model_keys(model).get(name)
    schema = model_schema(model, loaded.project.workspace)
    value = schema.get("properties", {}).get(key.spellings[0], {}) if key else {}
    definitions = schema.get("$defs", {})
    items = (branch["items"] for branch in _branches(value, definitions) if isinstance(branch.get("items"), dict))
    branches = (branch for item in items for branch in _branches(item, definitions))
    return any("string" in _types(part) for branch in branches for part in (branch, *branch.get("anyOf", ())))


def _choices(key: ModelKey, branches: tuple[Mapping[str, Any], ...]) -> tuple[str, ...]:
    flags = ("true", "false") if any(_types(branch) == ["boolean"] for branch in branches) else ()
    written = [each for branch in branches for each in branch.get("enum", [branch.get("const")])]
    constants = (
        "true" if each is True else "false" if each is False else str(each) for each in (*key.choices, *written)
    )
    return tuple(dict.fromkeys((*(each for each in constants if each != "None"), *flags)))


def _values(branches: tuple[Mapping[str, Any], ...]) -> str:
    phrases = [phrase for branch in branches if (phrase := _value_phrase(branch))]
    return join_words(list(dict.fromkeys(phrases))) if phrases else ""


_TYPE_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
}


def _value_phrase(branch: Mapping[str, Any]) -> str:
    if "const" in branch or "enum" in branch:
        return ", ".join(str(each).lower() if isinstance(each, bool) else str(each)
                         for each in branch.get("enum", [branch.get("const")]))  # fmt: skip
    names = [_TYPE_NAMES[each] for each in _types(branch) if each in _TYPE_NAMES]
    name = join_words(names) if names else ""
    if {"minimum", "maximum"} <= branch.keys():
        return f"{name} from {branch['minimum']:g} to {branch['maximum']:g}"
    bounds = [f"{words} {branch[bound]:g}" for bound, words in _BOUNDS if bound in branch]
    return " ".join((name, *bounds)).strip()
