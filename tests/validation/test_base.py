from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from tests.validation.examples import Wheel


@pytest.mark.parametrize("data", [{"spokes": 8}, {"S": 8}, {"rays": 8.0}])
def test_every_spelling_is_read(data: dict[str, object]) -> None:
    assert Wheel.model_validate(data) == Wheel(spokes=8)
    Draft202012Validator(Wheel.model_json_schema()).validate(data)


@pytest.mark.parametrize("data", [{}, {"S": 8, "rays": 8}, {"S": "8"}, {"S": True}, {"S": 2}, {"S": 8, "x": 1}])
def test_nothing_else_is(data: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Wheel.model_validate(data)
    assert not Draft202012Validator(Wheel.model_json_schema()).is_valid(data)


def test_a_model_is_frozen() -> None:
    with pytest.raises(ValidationError):
        setattr(Wheel(spokes=8), "spokes", 9)  # noqa: B010 - mypy knows that it is frozen


def test_the_given_data_is_not_touched() -> None:
    data = {"S": 8}
    Wheel.model_validate(data)
    assert data == {"S": 8}


def test_bounds_have_their_names_in_the_schema() -> None:
    properties = Wheel.model_json_schema()["properties"]
    assert (properties["spokes"]["minimum"], properties["spokes"]["maximum"]) == (3, 48)
    assert (properties["radius"]["exclusiveMinimum"], properties["radius"]["exclusiveMaximum"]) == (0, 200)
    assert properties["rays"] == {**properties["spokes"], "description": "the same as spokes"}
