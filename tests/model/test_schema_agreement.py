"""The helper itself: it must find a disagreement, and find none in an example with everything in it."""

from __future__ import annotations

import pytest
from pydantic import field_validator
from pydantic_core import PydanticCustomError

from cardgen.model.card import Art, Card
from cardgen.validation.base import Int, Model
from tests.model.agreement import assert_agreement, disagreement, strict_validator
from tests.model.games import Cart, Horse, Team


@pytest.mark.parametrize("model", [Card, Art, Cart, Horse, Team])
def test_model_and_schema_agree(model: type[Model]) -> None:
    assert_agreement(model)


class Lax(Model):
    count: int


class Hidden(Model):
    count: Int

    @field_validator("count")
    @classmethod
    def _even(cls, count: int) -> int:
        if count % 2:
            raise PydanticCustomError("odd", "odd")
        return count


@pytest.mark.parametrize(
    ("model", "value", "said"),
    [
        (Lax, {"count": "1"}, "the model says yes, the schema"),
        (Hidden, {"count": 1}, "the model says {'odd'}, the schema yes"),
    ],
)
def test_a_disagreement_is_found(model: type[Model], value: object, said: str) -> None:
    """A search would be no test: in so small a space hypothesis can go round in circles once it has found one."""
    validator = strict_validator(model.model_json_schema())
    assert said in disagreement(model, validator, value)
    assert disagreement(model, validator, {"count": 2}) == ""
    assert disagreement(model, validator, {}) == ""


def test_what_no_schema_can_say_may_be_passed_over() -> None:
    assert_agreement(Hidden, beyond={"odd"})
