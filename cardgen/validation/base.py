"""Base class and field types of models that are read from YAML."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from cardgen.codes import Code


def _accept_whole_float(value: object) -> object:
    """Convert 2.0 to 2, as JSON Schema does.

    Everything else is left to the strict check.
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value


Int = Annotated[int, BeforeValidator(_accept_whole_float), Field(strict=True)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Text = Annotated[str, Field(strict=True, min_length=1, pattern=r"\S")]
Flag = Annotated[bool, Field(strict=True)]


@dataclass(frozen=True, slots=True)
class Prose:
    """Marks a text that authors write freely, so that checks of wording see it, as annotation metadata."""


class Aspect(StrEnum):
    """What a value of a card affects, as annotation metadata.

    Rules are what a referee reads, words are what people read, and looks are how the card is drawn. A field without a
    mark has the aspect of its type.
    """

    RULES = "rules"
    WORDS = "words"
    LOOKS = "looks"


# pydantic keeps these names in the schema if a bound wraps a validator, as in Int.
_BOUND_NAMES = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def _rename_bounds(schema: Any) -> Any:
    """Return the schema with JSON Schema's names for all bounds."""
    if isinstance(schema, list):
        return [_rename_bounds(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        _BOUND_NAMES.get(key, key): {name: _rename_bounds(part) for name, part in value.items()}
        if key == "properties"
        else _rename_bounds(value)
        for key, value in schema.items()
    }


class Model(BaseModel):
    """Frozen part of a card or of the settings.

    `SYNONYMS` maps a key to the other spellings that authors may use for it ('count' for 'qty').
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {}

    @model_validator(mode="before")
    @classmethod
    def _rename_synonyms(cls, data: Any) -> Any:
        if not cls.SYNONYMS or not isinstance(data, dict):
            return data
        renamed = dict(data)
        for key, others in cls.SYNONYMS.items():
            for other in others:
                if other not in renamed:
                    continue
                if key in renamed:
                    raise PydanticCustomError(
                        "same_key_twice",
                        "'{other}' and '{key}' are the same key; use only one",
                        {"key": key, "other": other, "code": Code.SAME_KEY_TWICE, "path": (other,), "at_key": True},
                    )
                renamed[key] = renamed.pop(other)
        return renamed

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of what authors write.

        Synonyms are listed next to their key, and only one of them may be used.
        """
        schema = handler(core)
        target = handler.resolve_ref_schema(schema)
        target.update(_rename_bounds(target))
        properties, required = target.get("properties", {}), target.get("required", [])
        rules = []
        for key, others in cls.SYNONYMS.items():
            names = (key, *others)
            for other in others:
                properties[other] = {**properties[key], "description": f"the same as {key}"}
            alone = [
                {"required": [name], "not": {"anyOf": [{"required": [n]} for n in names if n != name]}}
                for name in names
            ]
            none = {"not": {"anyOf": [{"required": [name]} for name in names]}}
            rules.append({"anyOf": alone if key in required else [none, *alone]})
            if key in required:
                required.remove(key)
        if rules:
            target["allOf"] = [*target.get("allOf", []), *rules]
        return schema


_FIELDS_SET = "__pydantic_fields_set__"
# Values without parts, most of all; comparing them with classes takes longer.
_ATOMS = frozenset({str, int, float, bool, NoneType})


def share_field_sets(models: Iterable[Model]) -> None:
    """Share equal sets of given fields between models, including nested ones.

    By default, each model has its own set, which takes as much memory as all its values. Sharing is safe because models
    are frozen.
    """
    shared: dict[frozenset[str], set[str]] = {}
    pending: list[object] = list(models)
    while pending:
        value = pending.pop()
        if isinstance(value, Model):
            given, values = value.__pydantic_fields_set__, value.__dict__
            object.__setattr__(value, _FIELDS_SET, shared.setdefault(frozenset(given), given))
            # Default values have no parts of the author. Unknown keys, which some kinds allow, are plain data.
            pending += [each for name in given if type(each := values.get(name)) not in _ATOMS]
        elif isinstance(value, tuple | list):
            pending += value
        elif isinstance(value, dict):
            pending += value.values()
