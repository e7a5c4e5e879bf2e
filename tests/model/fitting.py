"""Values that fit types, bounds, keys, and patterns of a schema."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

Schema: TypeAlias = dict[str, Any]
Values: TypeAlias = st.SearchStrategy[Any]

# What a file may hold: reading refuses the rest.
CHARACTERS = st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"], exclude_characters="\ufeff")


def values(schema: Schema, root: Schema) -> Values:
    """Return values for `schema`, a part of `root`; 'not' is ignored."""
    if "$ref" in schema:
        definition = root["$defs"][schema["$ref"].rpartition("/")[2]]
        return st.deferred(lambda: values(definition, root))
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches and "type" not in schema:
        return st.one_of(*(values(branch, root) for branch in branches))
    of_type = {"object": _objects, "array": _arrays, "string": _strings, "integer": _integers, "number": _numbers}
    if schema.get("type") in of_type:
        return of_type[schema["type"]](schema, root)
    return st.booleans() if schema.get("type") == "boolean" else st.none()


def _objects(schema: Schema, root: Schema) -> Values:
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        keys = values({"type": "string", **schema.get("propertyNames", {})}, root)
        least = schema.get("minProperties", 0)
        return st.dictionaries(keys, values(others, root), min_size=least, max_size=schema.get("maxProperties", 3))
    return _known_objects(schema, root)


@st.composite
def _known_objects(draw: st.DrawFn, schema: Schema, root: Schema) -> Any:
    """Return objects with the required keys and others, except mutually exclusive ones."""
    chosen, barred = dict.fromkeys(schema.get("required", ())), set()
    for rule in schema.get("allOf", ()):
        branches = rule.get("anyOf") or rule.get("oneOf") or [{}]
        branch = draw(st.sampled_from(branches))
        chosen |= dict.fromkeys(branch.get("required", ()))
        if "not" in branch:
            barred |= {name for other in branches for name in other.get("required", ())}
    properties = schema.get("properties", {})
    free = [name for name in properties if name not in barred and name not in chosen]
    chosen |= dict.fromkeys(draw(st.lists(st.sampled_from(free), max_size=4, unique=True)) if free else ())
    return {name: draw(values(properties[name], root)) for name in chosen}


def _arrays(schema: Schema, root: Schema) -> Values:
    if "prefixItems" in schema:
        return st.tuples(*(values(item, root) for item in schema["prefixItems"])).map(list)
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", least + 2), least + 2)
    return st.lists(values(schema["items"], root), min_size=least, max_size=most)


def _strings(schema: Schema, _: Schema) -> Values:
    pattern = schema.get("pattern", "")
    if pattern in ("", r"\S"):
        return st.text(CHARACTERS, min_size=schema.get("minLength", 0), max_size=6)
    return _matching(pattern)


@cache
def _matching(pattern: str) -> Values:
    return st.from_regex(re.compile(pattern), alphabet=CHARACTERS)


def _integers(schema: Schema, _: Schema) -> Values:
    low, high = _bounds(schema, 1)
    return st.one_of(st.sampled_from([low, high]), st.integers(low, high))


def _numbers(schema: Schema, _: Schema) -> Values:
    low, high = _bounds(schema, 0.5)
    return st.one_of(st.sampled_from([low, high]), st.floats(low, high), st.integers(int(low) + 1, int(high)))


def _bounds(schema: Schema, step: Any) -> Any:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -100 - step) + step)
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 100 + step) - step)
    return low, high
