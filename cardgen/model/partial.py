"""Schemas of what is a part only: of a card that stands over defaults, nothing has to be there."""

from __future__ import annotations

from typing import Any

JsonSchema = dict[str, Any]

_KEPT_KEYS = ("type", "title", "description", "additionalProperties", "default")
PARTIAL_SUFFIX = ".partial"


def partial_schema(schema: JsonSchema, definitions: dict[str, JsonSchema]) -> JsonSchema:
    """A schema that demands nothing, only refuses what is wrong; lists, which defaults never complete, stay as strict.

    New definitions that it refers to are added to `definitions`.
    """
    if "$ref" in schema:
        return {**schema, "$ref": _partial_reference(schema["$ref"], definitions)}
    if "anyOf" in schema:
        return {**schema, "anyOf": [partial_schema(branch, definitions) for branch in schema["anyOf"]]}
    if "properties" in schema:
        kept = {key: schema[key] for key in _KEPT_KEYS if key in schema}
        return {
            **kept,
            "properties": {key: partial_schema(value, definitions) for key, value in schema["properties"].items()},
        }
    return schema


def _partial_reference(reference: str, definitions: dict[str, JsonSchema]) -> str:
    """The reference to the partial schema of what `reference` refers to, which is made where it is new."""
    name = reference.rpartition("/")[2]
    if name + PARTIAL_SUFFIX not in definitions:
        definitions[name + PARTIAL_SUFFIX] = {}  # so that a definition within itself comes to an end
        definitions[name + PARTIAL_SUFFIX] = partial_schema(definitions[name], definitions)
    return f"{reference}{PARTIAL_SUFFIX}"
