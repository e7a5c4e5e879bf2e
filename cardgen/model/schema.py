"""JSON Schema (draft 2020-12) of card files, for editors and other programs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue, models_json_schema

from cardgen.language import TAG_PATTERN
from cardgen.model.card import FORMAT_VERSION, Kinds
from cardgen.runtime.workspace import Workspace
from cardgen.validation.base import OF_PROJECT, reachable_models

JsonSchema = dict[str, Any]

_KEPT_KEYS = ("type", "title", "description", "additionalProperties", "default")
PARTIAL_SUFFIX = ".partial"


def partial_schema(schema: JsonSchema, definitions: dict[str, JsonSchema]) -> JsonSchema:
    """Return a schema without required keys.

    Lists stay strict, because defaults never complete them. New definitions are added to `definitions`.
    """
    if "$ref" in schema:
        # A reference to the partial schema of a definition. The partial schema is added to `definitions` if it is
        # new.
        reference = schema["$ref"]
        name = reference.rpartition("/")[2]
        if name + PARTIAL_SUFFIX not in definitions:
            definitions[name + PARTIAL_SUFFIX] = {}  # stops recursion if the definition contains itself
            definitions[name + PARTIAL_SUFFIX] = partial_schema(definitions[name], definitions)
        return {**schema, "$ref": f"{reference}{PARTIAL_SUFFIX}"}
    if "anyOf" in schema:
        return {**schema, "anyOf": [partial_schema(branch, definitions) for branch in schema["anyOf"]]}
    if "properties" in schema:
        kept = {key: schema[key] for key in _KEPT_KEYS if key in schema}
        return {
            **kept,
            "properties": {key: partial_schema(value, definitions) for key, value in schema["properties"].items()},
        }
    return schema


DIALECT = "https://json-schema.org/draft/2020-12/schema"

_FORMAT = {"const": FORMAT_VERSION, "description": "format version of the file; always 1"}
_DEFAULTS = {"description": "keys for all cards, which each card may override; maps are merged, lists are replaced"}

_LANGUAGE: JsonSchema = {"type": "string", "pattern": TAG_PATTERN}


class UntitledGenerator(GenerateJsonSchema):
    """JSON Schema generator without titles, which only repeat the keys; `of` makes that of a project."""

    workspace: Workspace | None = None

    @classmethod
    def of(cls, workspace: Workspace | None) -> type[UntitledGenerator]:
        """Return the generator of the schemas of a project."""
        return type("ProjectGenerator", (cls,), {"workspace": workspace})

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        """Complete what depends on the project, and sort the keys."""
        _complete(value, self.workspace)
        return super().sort(value, parent_key)

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False for every field."""
        return False


def _complete(schema: Any, workspace: Workspace | None) -> None:
    """Replace the functions in a schema by what they return for a workspace."""
    if isinstance(schema, dict):
        if callable(of_project := schema.pop(OF_PROJECT, None)):
            schema.update(of_project(workspace))
        for each in schema.values():
            _complete(each, workspace)
    elif isinstance(schema, list):
        for each in schema:
            _complete(each, workspace)


def card_file_schema(game: str, kinds: Kinds, workspace: Workspace | None = None) -> JsonSchema:
    """Return the schema of one game's files: cards and decks.

    Cards of a deck with `defaults` are checked only for the keys that they have, because a schema cannot merge them
    with the defaults.
    """
    mode: JsonSchemaMode = "validation"
    for _, model in reachable_models(tuple(kinds.values())):
        model.model_rebuild()  # Before 2.14, pydantic cannot write down a default whose model is still deferred.
    models = [(model, mode) for model in kinds.values()]
    references, generated = models_json_schema(
        models, ref_template="#/$defs/{model}", schema_generator=UntitledGenerator.of(workspace)
    )
    definitions: dict[str, JsonSchema] = generated["$defs"]
    header = {"format": _FORMAT, "game": {"const": game, "description": "the game that the cards belong to"}}
    for kind, model in kinds.items():
        card = definitions[references[model, mode]["$ref"].rpartition("/")[2]]
        named = {"kind": {"const": kind}}
        definitions[f"{kind}.file"] = _with_properties(card, {**header, **named})
        definitions[f"{kind}.card"] = _with_properties(card, named)
        definitions[f"{kind}.part"] = _with_properties(partial_schema(card, definitions), named)
    definitions |= {f"any.{variant}": _card_by_kind(kinds, variant) for variant in ("file", "card", "part")}
    definitions["deck"] = _deck_schema(kinds, header)
    return {
        "$schema": DIALECT,
        "title": f"A card file for {game}",
        "type": "object",
        "if": {"required": ["cards"]},
        "then": _ref("deck"),
        "else": {"required": ["kind"], **_ref("any.file")},
        "$defs": definitions,
    }


def _deck_schema(kinds: Collection[str], header: JsonSchema) -> JsonSchema:
    """Return the schema of a deck.

    Cards may be partial if the deck has defaults.
    """
    kind_of_all = [
        _if(_kind_of_all(kind), _card_items(_kind_or(kind, "part"), _kind_or(kind, "card"))) for kind in kinds
    ]
    no_kind = {"not": {"anyOf": [_kind_of_all(kind) for kind in kinds]}}
    each_kind = {"required": ["kind"]}
    return {
        "type": "object",
        "required": ["cards"],
        "additionalProperties": False,
        "properties": {
            **header,
            "kind": {"enum": [*kinds], "description": "kind of all cards without a kind of their own"},
            "language": {**_LANGUAGE, "description": "language of the cards, such as de"},
            "defaults": {**_DEFAULTS, "type": "object", "anyOf": [_ref(f"{kind}.part") for kind in kinds]},
            "cards": {"type": "array", "minItems": 1, "items": {"type": "object"}},
        },
        "allOf": [
            *kind_of_all,
            _if(no_kind, _card_items({**each_kind, **_ref("any.part")}, {**each_kind, **_ref("any.card")})),
        ],
    }


def _card_items(over_defaults: JsonSchema, in_full: JsonSchema) -> JsonSchema:
    """Choose the schema of cards with or without defaults."""
    partly, fully = ({"properties": {"cards": {"items": items}}} for items in (over_defaults, in_full))
    return {"if": {"required": ["defaults"]}, "then": partly, "else": fully}


def _kind_of_all(kind: str) -> JsonSchema:
    """Match a deck with a default kind.

    Its cards are of that kind unless they name another.
    """
    named = _kind_is(kind)
    in_defaults = {"properties": {"defaults": named}, "required": ["defaults"]}
    beside = {"properties": {**named["properties"], "defaults": {"not": {"required": ["kind"]}}}, "required": ["kind"]}
    return {"anyOf": [in_defaults, beside]}


def _kind_or(kind: str, variant: str) -> JsonSchema:
    """Match a card of its own kind, or else of `kind`."""
    return {"if": {"required": ["kind"]}, "then": _ref(f"any.{variant}"), "else": _ref(f"{kind}.{variant}")}


def _card_by_kind(kinds: Collection[str], variant: str) -> JsonSchema:
    """Match a card of the kind that it names."""
    rules = [_if(_kind_is(kind), _ref(f"{kind}.{variant}")) for kind in kinds]
    return {"properties": {"kind": {"enum": [*kinds], "description": "the kind of card"}}, "allOf": rules}


def _kind_is(kind: str) -> JsonSchema:
    return {"properties": {"kind": {"const": kind}}, "required": ["kind"]}


def _if(condition: JsonSchema, then: JsonSchema) -> JsonSchema:
    return {"if": condition, "then": then}


def _ref(name: str) -> JsonSchema:
    return {"$ref": f"#/$defs/{name}"}


def _with_properties(card: JsonSchema, properties: JsonSchema) -> JsonSchema:
    """Return a card's schema with further properties."""
    return {**card, "properties": {**properties, **card["properties"]}}
