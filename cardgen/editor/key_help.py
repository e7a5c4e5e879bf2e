"""Help for keys: what they mean, and which values they can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from cardgen.model.schema import UntitledGenerator
from cardgen.validation.base import Model
from cardgen.validation.model_keys import FreeKeys, ModelKey, model_keys
from cardgen.validation.suggestion import join_words

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
    is_text: bool
    is_list: bool
    is_map: bool


def key_help(model: type[Model], name: str) -> KeyHelp | None:
    """Return the help for a key in any of its spellings, or None."""
    key = None if issubclass(model, FreeKeys) else model_keys(model).get(name)
    if key is None:
        return None
    schema = model_schema(model)
    value = schema.get("properties", {}).get(key.spellings[0], {})
    branches = tuple(_branches(value, schema.get("$defs", {})))
    types = {branch.get("type") for branch in branches}
    return KeyHelp(
        key.spellings[0],
        key.spellings[1:],
        key.description or next((each["description"] for each in branches if each.get("description")), ""),
        _choices(key, branches),
        _values(branches),
        key.spellings[0] in schema.get("required", ()),
        "string" in types,
        "array" in types and not types & {"string", "object"},
        "object" in types and not types & {"string", "array"},
    )


@lru_cache(maxsize=_MAX_MODELS)
def model_schema(model: type[Model]) -> Mapping[str, Any]:
    """Return the JSON Schema of a model, with the definitions of its parts."""
    model.model_rebuild()
    schema = model.model_json_schema(schema_generator=UntitledGenerator)
    reference = schema.get("$ref", "").rpartition("/")[2]
    return {**schema["$defs"][reference], "$defs": schema["$defs"]} if reference else schema


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


def accepts_text_items(model: type[Model], name: str) -> bool:
    """Return whether the items of a list can be written as a text, such as the name of a card."""
    key = model_keys(model).get(name)
    schema = model_schema(model)
    value = schema.get("properties", {}).get(key.spellings[0], {}) if key else {}
    definitions = schema.get("$defs", {})
    items = (branch["items"] for branch in _branches(value, definitions) if isinstance(branch.get("items"), dict))
    branches = (branch for item in items for branch in _branches(item, definitions))
    return any(part.get("type") == "string" for branch in branches for part in (branch, *branch.get("anyOf", ())))


def _choices(key: ModelKey, branches: tuple[Mapping[str, Any], ...]) -> tuple[str, ...]:
    flags = ("true", "false") if any(branch.get("type") == "boolean" for branch in branches) else ()
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
    name = _TYPE_NAMES.get(str(branch.get("type")), "")
    if {"minimum", "maximum"} <= branch.keys():
        return f"{name} from {branch['minimum']:g} to {branch['maximum']:g}"
    bounds = [f"{words} {branch[bound]:g}" for bound, words in _BOUNDS if bound in branch]
    return " ".join((name, *bounds)).strip()
