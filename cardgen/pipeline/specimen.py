"""The first card of its kind: what an author starts from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import yaml

Schema: TypeAlias = Mapping[str, Any]

_PLAIN_SCALAR = re.compile(r"[A-Za-z][A-Za-z0-9' -]*[A-Za-z0-9']|[A-Za-z]")
_AMBIGUOUS_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_HEADER_KEYS = frozenset({"format", "game", "kind", "name", "id"})
_SAME_AS = "the same as "


def yaml_scalar(text: str) -> str:
    """A text as a YAML scalar, quoted where that is needed."""
    plain = _PLAIN_SCALAR.fullmatch(text) and text.lower() not in _AMBIGUOUS_WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def minimal_body(schema: Schema, kind: str) -> str:
    """The keys that a card of a kind cannot do without, as YAML, from the JSON Schema of card files."""
    minimal = _minimal_value(schema["$defs"][f"{kind}.file"], schema["$defs"])
    body = {key: value for key, value in minimal.items() if key not in _HEADER_KEYS}
    return yaml.safe_dump(body, sort_keys=False, allow_unicode=True) if body else ""


def optional_keys_comment(schema: Schema, kind: str, body: str) -> str:
    """The other keys of a kind, each with what it means, as comments."""
    body_keys = set(yaml.safe_load(body) or ()) if body else set()
    descriptions = {
        key: _description(value)
        for key, value in schema["$defs"][f"{kind}.file"]["properties"].items()
        if key not in _HEADER_KEYS | body_keys and not _description(value).startswith(_SAME_AS)
    }
    wide = max(map(len, descriptions), default=0)
    lines = (f"#   {key:<{wide}}  {meaning}".rstrip() for key, meaning in descriptions.items())
    return "\n".join(["# It may also have:", *lines, ""]) if descriptions else ""


def _description(schema: Schema) -> str:
    nested = (str(each.get("description", "")) for each in schema.get("anyOf", ()))
    return str(schema.get("description", "")) or next(filter(None, nested), "")


def _minimal_value(schema: Schema, definitions: Schema) -> Any:
    """The least value that a schema asks for."""
    if "$ref" in schema:
        return _minimal_value(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if schema.get("default") is not None and schema["default"] != []:
        return schema["default"]
    if "type" not in schema:
        choices = [each for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) if each.get("type") != "null"]
        return _minimal_value(choices[0], definitions) if choices else "…"
    if schema["type"] == "object":
        required = dict.fromkeys((*schema.get("required", ()), *_required_alternatives(schema)))
        return {key: _minimal_value(schema["properties"][key], definitions) for key in required}
    if schema["type"] == "array":
        return [_minimal_value(schema.get("items", {}), definitions)] * max(1, schema.get("minItems", 1))
    return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": False}.get(
        schema["type"], "…"
    )


def _required_alternatives(schema: Schema) -> Iterator[str]:
    """Of keys of which one has to be there, the simplest: a text, or else the first."""
    for group in schema.get("allOf", ()):
        choices = [*group.get("anyOf", ()), *group.get("oneOf", ())]
        if choices and all("required" in choice for choice in choices):
            texts = [choice for choice in choices if _is_text(schema, choice["required"][0])]
            yield from (texts or choices)[0]["required"]


def _is_text(schema: Schema, key: str) -> bool:
    property_schema = schema["properties"].get(key, {})
    return any(each.get("type") == "string" for each in (property_schema, *property_schema.get("anyOf", ())))
