"""Expressions and texts with `{{ }}` in a game file."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema

MAX_FORMULA = 1_000


def _to_source(value: Any) -> Any:
    """Return the source of an expression that YAML reads as another type.

    These are numbers, true, and false.
    """
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


FormulaText: TypeAlias = Annotated[
    str,
    Field(strict=True, min_length=1, max_length=MAX_FORMULA, description="an expression, such as heat + 1"),
    BeforeValidator(_to_source),
    WithJsonSchema({"type": ["string", "number", "boolean"], "description": "an expression, such as heat + 1"}),
]
WordsText: TypeAlias = Annotated[
    str, Field(strict=True, min_length=1, max_length=MAX_FORMULA, description="a text, with expressions in {{ }}")
]
