"""Settings of backs: which cards have which back."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.runtime.fingerprint import PICTURE_SUFFIXES
from cardgen.validation.base import Model, Text


class BackRule(Model):
    """Back of all cards of a kind, with a tag, and with these values of their keys; each condition is optional.

    `back` is the path of a picture or the name of a back template.
    """

    back: Text
    kind: Text | None = None
    tag: Text | None = None
    where: Mapping[str, str | int | bool] = Field(default_factory=dict)

    def applies_to(self, kind: str, tags: tuple[str, ...], card: object) -> bool:
        """Return whether a card meets all conditions.

        Tokens, boxes, and other pieces without rules are no cards: their outer side would show the back of a deck. Only
        a rule for their kind applies to them.
        """
        if self.kind is None and not getattr(card, "HAS_RULES", True):
            return False
        if self.kind not in (None, kind) or (self.tag is not None and self.tag not in tags):
            return False
        return all(_matches(getattr(card, key, None), value) for key, value in self.where.items())


def _matches(actual: object, wanted: str | int | bool) -> bool:
    """Return whether a value of a card is the wanted one, or contains it."""
    if isinstance(actual, tuple):
        return any(_matches(each, wanted) for each in actual)
    return actual is not None and str(actual) == str(wanted)


def _read_rules(value: object) -> object:
    """Return the long form: a list of rules, also for one back or for backs by kind."""
    if isinstance(value, str):
        return ({"back": value},)
    if isinstance(value, dict) and "back" not in value:
        return tuple({"kind": kind, "back": back} for kind, back in value.items())
    return (value,) if isinstance(value, dict) else value


class _RulesSchema:
    """The JSON Schema of rules, built when it is needed, as annotation metadata."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return _schema()


def _schema() -> JsonSchemaValue:
    text, rule = TypeAdapter(Text).json_schema(), BackRule.model_json_schema()
    # A map with the key 'back' is a rule.
    kinds = {**text, "not": {"const": "back"}}
    by_kind = {"type": "object", "propertyNames": kinds, "additionalProperties": text}
    return {"anyOf": [text, {"type": "array", "items": rule}, rule, by_kind]}


BackRules = Annotated[tuple[BackRule, ...], BeforeValidator(_read_rules), _RulesSchema()]


def is_picture(back: str) -> bool:
    """Return whether a back is the path of a picture; others are names of templates."""
    return back.lower().endswith(PICTURE_SUFFIXES)
