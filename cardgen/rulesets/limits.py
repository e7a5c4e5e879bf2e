"""Fixed limits of a game, held by its models and so also by the JSON Schema, with the code of their check."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from cardgen.model.base import Model

EMPTY: dict[str, Any] = {"enum": [None, []]}


class Breach(NamedTuple):
    """A fixed limit that a card can break: its code ('WN101'), its name, and how the card is mended."""

    code: str
    name: str
    help: str

    def error(self, message: str, **values: object) -> PydanticCustomError:
        """The located error. `message` names its values in braces.

        A value `help` stands for the breach's own; `path` leads from where it is raised to what is wrong.
        """
        return PydanticCustomError(self.name, message, {"code": self.code, "help": self.help, **values})


@dataclass(frozen=True, slots=True)
class Limit:
    """Metadata for a whole number: both bounds are allowed; with `change` zero is not, as it would say nothing."""

    low: int
    high: int
    breach: Breach
    change: bool = False

    def check(self, value: int, path: tuple[str, ...] = ()) -> int:
        """The value itself, or the error; `path` leads to what the author wrote."""
        if self.change and value == 0:
            raise self.breach.error("a change by 0 says nothing", path=path)
        if not self.low <= value <= self.high:
            message = "{value} lies outside {low} to {high}"
            raise self.breach.error(message, value=value, low=self.low, high=self.high, path=path)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        zero = {"not": {"const": 0}} if self.change else {}
        return {**handler(core), "minimum": self.low, "maximum": self.high, **zero}


@dataclass(frozen=True, slots=True)
class OneOf:
    """Metadata for a text that must be one of a few words; `advice` helps with a word that is none of them."""

    words: tuple[str, ...]
    breach: Breach
    advice: Callable[[str], str]

    def check(self, value: object, path: tuple[str, ...] = ()) -> object:
        """The value itself, or the error; what is no text is left to the field's own check."""
        if isinstance(value, str) and value not in self.words:
            message = "'{value}' is none of {known}"
            known = ", ".join(self.words)
            raise self.breach.error(message, value=value, known=known, path=path, help=self.advice(value))
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.check, handler(source))


class Telling(Model):
    """A model that says something only with at least one of the keys `TELLS`; null and an empty list say nothing.

    Without `TELLS` any key will do.
    `EITHER` forbids more than one of them; `SILENT` is the breach of saying nothing, or too much.
    """

    TELLS: ClassVar[tuple[str, ...]] = ()
    EITHER: ClassVar[bool] = False
    SILENT: ClassVar[Breach]

    @classmethod
    @cache
    def _telling(cls) -> tuple[str, ...]:
        return cls.TELLS or tuple(cls.model_fields)

    @model_validator(mode="after")
    def _tells_something(self) -> Self:
        told = [name for name in self._telling() if getattr(self, name)]
        if not told or (self.EITHER and len(told) > 1):
            number = "one" if self.EITHER else "at least one"
            raise self.SILENT.error("give {number} of {keys}", number=number, keys=", ".join(self._telling()))
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Say in the schema too that one of the keys is needed."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        told = [{"required": [name], "properties": {name: {"not": EMPTY}}} for name in cls._telling()]
        rule = {"oneOf" if cls.EITHER else "anyOf": told}
        target["allOf"] = [*target.get("allOf", []), rule]
        return schema
