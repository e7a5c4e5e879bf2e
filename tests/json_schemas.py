"""Whether a schema is one, as the standard says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

_valid: set[str] = set()


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise SchemaError for what is no schema.

    Games and kinds share most of their definitions, and looking at one takes up to a second; each is looked at once.
    """
    rest = {key: value for key, value in schema.items() if key != "$defs"}
    for each in (*schema.get("$defs", {}).values(), rest):
        text = json.dumps(each, sort_keys=True, default=repr)
        if text not in _valid:
            Draft202012Validator.check_schema(each)
            _valid.add(text)
