"""Property test: a model and its JSON Schema accept the same values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError, validators
from pydantic import ValidationError as ModelError

from cardgen.validation.base import Model
from tests.json_schemas import check_schema
from tests.model.fitting import Schema, Values, values
from tests.random_cases import number_of_cases

LARGEST = 2**53
JUNK: Values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 130),
    st.sampled_from([0.5, 1.0, -2.0, 2.5, 100.0]),
    st.sampled_from(["", " ", "x", "CW", "turn", "\u00a0", "1", "a b", "ä" * 81]),
    st.sampled_from([[], {}, [[]], [1], {"name": "x"}, {"": 0}]),
)


EXAMPLES = number_of_cases(60, 1 / 100)


def assert_agreement(model: type[Model], *, examples: int = EXAMPLES, beyond: Collection[str] = ()) -> None:
    """Test `model` with valid and invalid values.

    `beyond` are the error types, of pydantic or of validators, that JSON Schema cannot express; a value with only such
    errors is skipped.
    """
    schema = model.model_json_schema()
    check_schema(schema)
    validator = strict_validator(schema)
    seen = {True: 0, False: 0}

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(spoilt(schema))
    def probe(value: object) -> None:
        errors = model_errors(model, value)
        if errors and errors <= set(beyond):
            return
        assert not disagreement(model, validator, value)
        seen[not errors] += 1

    probe()
    assert min(seen.values()) > examples // 20, f"too few values of one sort: {seen}"


def disagreement(model: type[Model], validator: Any, value: object) -> str:
    """Return how model and schema disagree about a value, or ''."""
    errors = model_errors(model, value)
    faults = [error.message for error in validator.iter_errors(value)]
    if bool(errors) == bool(faults):
        return ""
    return f"{value!r}: the model says {errors or 'yes'}, the schema {faults or 'yes'}"


def model_errors(model: type[Model], value: object) -> set[str]:
    """Return the types of the model's errors for a value."""
    try:
        model.model_validate(value)
    except ModelError as error:
        return {details["type"] for details in error.errors()}
    return set()


def strict_validator(schema: Schema) -> Any:
    """Return a validator whose '$' matches only the end.

    ECMA 262 has it so; in Python, '$' also matches before a final line break.
    """

    def pattern(_: Any, expression: str, value: object, __: Schema) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(expression.replace("$", r"\Z"), value):
            yield ValidationError(f"{value!r} does not match {expression!r}")

    return validators.extend(Draft202012Validator, {"pattern": pattern})(schema)


def spoilt(schema: Schema) -> Values:
    """Return values that mostly fit the schema, with up to two changes."""
    names = [*sorted(property_names(schema)), "x", "nmae"]

    @st.composite
    def draw_value(draw: st.DrawFn) -> Any:
        value = draw(values(schema, schema))
        for _ in range(draw(st.sampled_from([0, 0, 1, 1, 1, 2]))):
            value = draw(changed(value, names))
        return value

    return draw_value()


def property_names(schema: object) -> set[str]:
    """Return all keys anywhere in the schema."""
    if isinstance(schema, dict):
        own = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set()
        return own.union(*map(property_names, schema.values()))
    return set().union(*map(property_names, schema)) if isinstance(schema, list) else set()


@st.composite
def changed(draw: st.DrawFn, value: Any, names: list[str]) -> Any:
    """Return the value with one change anywhere in it."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: draw(changed(value[key], names))}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(changed(value[index], names)), *value[index + 1 :]]
    return draw(st.one_of(*(change(value, names) for change in (_resized, _shifted)), JUNK))


def _resized(value: Any, names: list[str]) -> Values:
    if isinstance(value, dict):
        extended = st.builds(lambda name, junk: {**value, name: junk}, st.sampled_from(names), JUNK)
        dropped = [st.sampled_from(sorted(value)).map(lambda lost: {k: v for k, v in value.items() if k != lost})]
        renamed = [
            st.builds(
                lambda old, new: {new if key == old else key: item for key, item in value.items()},
                st.sampled_from(sorted(value)),
                st.sampled_from(names),
            )
        ]
        return st.one_of(extended, *(dropped + renamed if value else []))
    if isinstance(value, list):
        return st.sampled_from([value[1:], value[:-1], value + value[-1:], [*value, None], value * 30])
    return st.sampled_from([value + "\n", value * 90, value[:-1], " " + value]) if isinstance(value, str) else JUNK


def _shifted(value: Any, _: list[str]) -> Values:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return JUNK
    return st.sampled_from([value + 1, value - 1, float(value), value + 0.5, -value, LARGEST, -LARGEST])
