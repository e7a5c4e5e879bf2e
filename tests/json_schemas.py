"""Whether a schema is one, as the standard says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

_WITH_SCHEMAS_BY_NAME = {"$defs", "dependentSchemas", "patternProperties", "properties"}
_WITH_A_LIST_OF_SCHEMAS = {"allOf", "anyOf", "oneOf", "prefixItems"}
_WITH_A_SCHEMA = {
    "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties",
}  # fmt: skip
_TEXTS = {"description", "title"}
_valid: set[str] = set()


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise SchemaError for what is no schema.

    Looking at a large one takes seconds, but most of its parts are alike: each part is looked at once, without the
    schemas in it, which are parts of their own.
    """
    own = dict(schema)
    for key, value in schema.items():
        if key in _WITH_SCHEMAS_BY_NAME and isinstance(value, dict):
            own[key] = {name: _checked(each) for name, each in value.items()}
        elif key in _WITH_A_LIST_OF_SCHEMAS and isinstance(value, list):
            own[key] = [_checked(each) for each in value]
        elif key in _WITH_A_SCHEMA:
            own[key] = _checked(value)
        elif key in _TEXTS and isinstance(value, str):
            own[key] = ""
    text = json.dumps(own, sort_keys=True, default=repr)
    if text not in _valid:
        Draft202012Validator.check_schema(own)
        _valid.add(text)


def _checked(part: Any) -> Any:
    """Check a schema in another one, and return what stands for it there."""
    if not isinstance(part, dict):
        return part
    check_schema(part)
    return {}
