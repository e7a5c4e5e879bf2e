"""The helper itself: it must find a disagreement, and find none in an example with everything in it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import pytest
from model.agreement import assert_agreement
from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from cardgen.model.base import Flag, Int, Model, Number, Text
from cardgen.model.card import Art, Card


class Wheel(Model):
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"spokes": ("S",)}

    spokes: Annotated[Int, Field(ge=3, le=48)]
    radius: Annotated[Number, Field(gt=0, lt=200)] = 35


class Cart(Card):
    """A made-up kind of card, with one of each sort of key."""

    KIND: ClassVar[str] = "cart"
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {**Card.SYNONYMS, "load": ("cargo",)}

    wheels: Annotated[tuple[Wheel, ...], Field(min_length=1, max_length=4)]
    load: Literal["hay", "coal"] | Flag = False
    spare: Wheel | Text | None = None
    places: dict[str, Int] = Field(default_factory=dict)
    when: Literal["dawn", "dusk"] = Field(default="dawn", alias="if")


@pytest.mark.parametrize("model", [Card, Art, Wheel, Cart])
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


@pytest.mark.parametrize("model", [Lax, Hidden])
def test_a_disagreement_is_found(model: type[Model]) -> None:
    with pytest.raises(AssertionError, match="the model says"):
        assert_agreement(model)


def test_what_no_schema_can_say_may_be_passed_over() -> None:
    assert_agreement(Hidden, beyond={"odd"})
