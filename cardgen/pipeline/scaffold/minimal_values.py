"""Smallest values that are valid for a JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
PLACEHOLDER = "…"


def minimal_value(schema: Schema, definitions: Schema) -> Any:
    """Return the smallest value that is valid for a schema."""
    if "$ref" in schema:
        return minimal_value(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("default") is not None and schema["default"] != []:
        return schema["default"]
    if "type" not in schema:
        choices = [each for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) if each.get("type") != "null"]
        return minimal_value({**_bounds(schema), **choices[0]}, definitions) if choices else PLACEHOLDER
    if schema["type"] == "object":
        return _minimal_map(schema, definitions)
    if schema["type"] == "array":
        fewest = max(1, schema.get("minItems", 1))  # each is a value of its own, which YAML writes out
        return [minimal_value(schema.get("items", {}), definitions) for _ in range(fewest)]
    return _minimal_scalar(schema)


def _bounds(schema: Schema) -> Schema:
    """Return the bounds of numbers that stand beside alternatives."""
    return {key: schema[key] for key in ("minimum", "maximum") if key in schema}


def _minimal_scalar(schema: Schema) -> Any:
    number = schema.get("minimum", min(1, schema.get("maximum", 1)))
    text = PLACEHOLDER * max(1, schema.get("minLength", 1))
    return {"integer": number, "number": number, "boolean": False}.get(schema["type"], text)


def _minimal_map(schema: Schema, definitions: Schema) -> dict[str, Any]:
    properties, required = schema.get("properties", {}), [*schema.get("required", ()), *_required_alternatives(schema)]
    least = schema.get("minProperties", 0)
    required += [key for key in properties if key not in required][: max(0, least - len(required))]
    values = {key: minimal_value(properties[key], definitions) for key in dict.fromkeys(required)}
    others = schema.get("additionalProperties")
    if isinstance(others, Mapping):
        values |= {f"key {number + 1}": minimal_value(others, definitions) for number in range(len(values), least)}
    return values


def _required_alternatives(schema: Schema) -> Iterator[str]:
    """Yield the simplest of alternative required keys, preferably a text."""
    for group in schema.get("allOf", ()):
        choices = [*group.get("anyOf", ()), *group.get("oneOf", ())]
        if choices and all("required" in choice for choice in choices):
            texts = [choice for choice in choices if _is_text(schema, choice["required"][0])]
            yield from (texts or choices)[0]["required"]


def _is_text(schema: Schema, key: str) -> bool:
    property_schema = schema["properties"].get(key, {})
    return any(each.get("type") == "string" for each in (property_schema, *property_schema.get("anyOf", ())))
