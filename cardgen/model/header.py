"""What a card file says about itself, beside its cards."""

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from cardgen.model.codes import Code
from cardgen.shape.base import Int, Model

FORMAT_VERSION = 1


def _check_format(number: int) -> int:
    if number != FORMAT_VERSION:
        context = {
            "number": number,
            "known": FORMAT_VERSION,
            "code": Code.UNKNOWN_FORMAT,
            "help": f"write format: {FORMAT_VERSION}",
        }
        raise PydanticCustomError("unknown_format", "format {number} is unknown; there is format {known} only", context)
    return number


FormatVersion: TypeAlias = Annotated[Int, AfterValidator(_check_format), WithJsonSchema({"const": FORMAT_VERSION})]


class CardHeader(Model):
    """What stands beside a card that has its file to itself."""

    format: FormatVersion = FORMAT_VERSION
    game: Annotated[str, Field(strict=True, description="the game that the cards belong to")] = ""
    kind: Annotated[str, Field(strict=True, description="the kind of card")] = ""


class DeckHeader(CardHeader):
    """A file with several cards; `defaults` stand under each of them."""

    defaults: dict[str, Any] = Field(default_factory=dict)
    cards: list[Any] = Field(min_length=1)
