"""Schemas of what is a part only: of a card that stands over defaults, nothing has to be there."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

_KEPT = ("type", "title", "description", "additionalProperties", "default")
SUFFIX = ".partial"


def partial(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    """A schema that demands nothing, only refuses what is wrong; lists, which defaults never complete, stay as strict.

    New definitions that it refers to are added to `definitions`.
    """
    if "$ref" in schema:
        return {**schema, "$ref": _reference(schema["$ref"], definitions)}
    if "anyOf" in schema:
        return {**schema, "anyOf": [partial(branch, definitions) for branch in schema["anyOf"]]}
    if "properties" in schema:
        kept = {key: schema[key] for key in _KEPT if key in schema}
        return {**kept, "properties": {key: partial(value, definitions) for key, value in schema["properties"].items()}}
    return schema


def _reference(reference: str, definitions: dict[str, Schema]) -> str:
    """The reference to the partial schema of what `reference` refers to, which is made where it is new."""
    name = reference.rpartition("/")[2]
    if name + SUFFIX not in definitions:
        definitions[name + SUFFIX] = {}  # so that a definition within itself comes to an end
        definitions[name + SUFFIX] = partial(definitions[name], definitions)
    return f"{reference}{SUFFIX}"
