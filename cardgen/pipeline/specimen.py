"""The first card of its kind: what an author starts from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import yaml

Schema: TypeAlias = Mapping[str, Any]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9' -]*[A-Za-z0-9']|[A-Za-z]")
_READ_AS_SOMETHING_ELSE = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_GIVEN = frozenset({"format", "game", "kind", "name", "id"})
_SAME_AS = "the same as "


def scalar(text: str) -> str:
    """A text as a YAML scalar, quoted where that is needed."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _READ_AS_SOMETHING_ELSE
    return text if plain else json.dumps(text, ensure_ascii=False)


def derived(schema: Schema, kind: str) -> str:
    """The keys that a card of a kind cannot do without, as YAML, from the JSON Schema of card files."""
    least = _least(schema["$defs"][f"{kind}.file"], schema["$defs"])
    body = {key: value for key, value in least.items() if key not in _GIVEN}
    return yaml.safe_dump(body, sort_keys=False, allow_unicode=True) if body else ""


def further_keys(schema: Schema, kind: str, body: str) -> str:
    """The other keys of a kind, each with what it means, as comments."""
    written = set(yaml.safe_load(body) or ()) if body else set()
    found = {
        key: _description(value)
        for key, value in schema["$defs"][f"{kind}.file"]["properties"].items()
        if key not in _GIVEN | written and not _description(value).startswith(_SAME_AS)
    }
    wide = max(map(len, found), default=0)
    lines = (f"#   {key:<{wide}}  {meaning}".rstrip() for key, meaning in found.items())
    return "\n".join(["# It may also have:", *lines, ""]) if found else ""


def _description(schema: Schema) -> str:
    nested = (str(each.get("description", "")) for each in schema.get("anyOf", ()))
    return str(schema.get("description", "")) or next(filter(None, nested), "")


def _least(schema: Schema, definitions: Schema) -> Any:
    """The least value that a schema asks for."""
    if "$ref" in schema:
        return _least(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if schema.get("default") is not None and schema["default"] != []:
        return schema["default"]
    if "type" not in schema:
        choices = [each for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) if each.get("type") != "null"]
        return _least(choices[0], definitions) if choices else "…"
    if schema["type"] == "object":
        wanted = dict.fromkeys((*schema.get("required", ()), *_alternatives(schema)))
        return {key: _least(schema["properties"][key], definitions) for key in wanted}
    if schema["type"] == "array":
        return [_least(schema.get("items", {}), definitions)] * max(1, schema.get("minItems", 1))
    return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": False}.get(
        schema["type"], "…"
    )


def _alternatives(schema: Schema) -> Iterator[str]:
    """Of keys of which one has to be there, the simplest: a text, or else the first."""
    for group in schema.get("allOf", ()):
        choices = [*group.get("anyOf", ()), *group.get("oneOf", ())]
        if choices and all("required" in choice for choice in choices):
            texts = [choice for choice in choices if _is_text(schema, choice["required"][0])]
            yield from (texts or choices)[0]["required"]


def _is_text(schema: Schema, key: str) -> bool:
    found = schema["properties"].get(key, {})
    return any(each.get("type") == "string" for each in (found, *found.get("anyOf", ())))
