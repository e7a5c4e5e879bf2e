"""A made-up model with every kind of field, and its validation."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import Diagnostic
from cardgen.source import parse_document
from cardgen.validation.base import Flag, Int, Model, Number, SourceMap, Text
from cardgen.validation.validate import KeyContext, validate


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


def _odd(number: int) -> int:
    if number % 2 == 0:
        raise PydanticCustomError("even", "{number} is even", {"number": number, "code": "XX123", "help": "add 1"})
    return number


def _no_seven(number: int) -> int:
    if number == 7:
        raise ValueError("seven is taken")
    return number


class Wheel(Model):
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"spokes": ("S", "rays")}

    spokes: Annotated[Int, Field(ge=3, le=48, description="how many there are")]
    radius: Annotated[Number, Field(gt=0, lt=200)] = 35


class Cart(Model):
    name: Annotated[Text, Field(max_length=20)]
    code: Annotated[str, Field(strict=True, pattern="^[a-z]+$", description="small letters only")] = "x"
    wheels: Annotated[tuple[Wheel, ...], Field(min_length=1, max_length=4)] = (Wheel(spokes=8),)
    spare: Wheel | None = None
    load: Literal["hay", "coal"] | Flag = False
    bells: tuple[Literal["brass", "tin"], ...] = ()
    owner: Wheel | Text | None = None
    colour: Colour = Colour.RED
    month: Literal["jan", "feb", "mar", "apr", "may", "jun", "jul"] = "jan"
    places: dict[str, Int] = Field(default_factory=dict)
    size: tuple[Number, Number] = (1, 1)
    odd: Annotated[Int, AfterValidator(_odd), AfterValidator(_no_seven)] = 1
    condition: Text = Field(default="dry", alias="if")
    first: Int = 1
    last: Int = 2

    @model_validator(mode="after")
    def _in_order(self) -> Cart:
        if self.last < self.first:
            raise PydanticCustomError("order", "'last' comes before 'first'", {"path": ("last",)})
        return self


def validated(text: str, around: KeyContext | None = None) -> tuple[Cart | None, tuple[Diagnostic, ...]]:
    document = parse_document(text, "f")
    origin = SourceMap(document, (Cart,))
    return validate(Cart, origin.merged_data(), origin, lambda: around or KeyContext())


def problems(text: str, around: KeyContext | None = None) -> list[str]:
    return [str(diagnostic) for diagnostic in validated(text, around)[1]]
